import { z } from "zod";
import { BatchHosts, HostIds } from "./batch.ts";
import { Id } from "./ids.ts";
import { DeliveryStatus } from "./notice-channels.ts";
import { NoticeType } from "./notices.ts";
import { PageQuery, Pagination } from "./page.ts";
import { text, wholeNumber } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { ActorReference } from "./users.ts";

export const MAX_MARK = 90;
export const MAX_MARKS = 8;
/** A reminder of the ledger names the hosts that end first. */
export const MAX_REMINDER_HOSTS = 200;
export const DEFAULT_MARKS = [30, 7, 3, 1, 0] as const;
export const DEFAULT_SEND_AT = "09:00";

/** In whole days before the day of the end, in Shanghai; 0 is that day. Kept the largest first. */
function marks(label: string) {
  return z
    .array(wholeNumber("提醒天数", { min: 0, max: MAX_MARK, unit: "天" }), `${label}必须是列表`)
    .max(MAX_MARKS, `${label}最多 ${MAX_MARKS} 个`)
    .refine((days) => new Set(days).size === days.length, `${label}不能重复`)
    .overwrite((days) => days.toSorted((a, b) => b - a))
    .meta({
      description: `${label}：到期前的天数，0-${MAX_MARK}，最多 ${MAX_MARKS} 个，不能重复；0 为到期当天`,
      examples: [[...DEFAULT_MARKS]],
      uniqueItems: true,
    });
}

const reminds = (who: string) => z.boolean("请选择是或否").describe(`是否提醒${who}`);

export const ReminderSettings = z
  .strictObject({
    isActive: z.boolean("请选择是或否").describe("是否自动提醒"),
    assignmentMarks: marks("分配到期提醒"),
    hostMarks: marks("云端到期提醒"),
    sendAt: text()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "发送时间格式应为 HH:mm，例如 09:00")
      .meta({ description: "每天的发送时间（Asia/Shanghai）", examples: [DEFAULT_SEND_AT] }),
    recipients: z
      .strictObject({
        client: reminds("C端用户"),
        admin: reminds("负责管理员"),
        superAdmin: reminds("超级管理员"),
      })
      .describe("提醒谁；云端到期只提醒超级管理员"),
  })
  .meta({ id: "ReminderSettings", description: "提醒规则；修改时需要给出全部字段" });
export type ReminderSettings = z.infer<typeof ReminderSettings>;

export const SendRemindersInput = z
  .strictObject({ hostIds: HostIds })
  .meta({ id: "SendRemindersInput" });
export type SendRemindersInput = z.infer<typeof SendRemindersInput>;

export const SendReminders = BatchHosts;
export type SendReminders = BatchHosts;

export const ReminderDelivery = z
  .object({
    channelId: Id.describe("渠道的标识，渠道删除后仍保留"),
    channelName: z.string().describe("渠道名称，渠道删除后仍保留"),
    status: DeliveryStatus,
    attempts: z.int().describe("已尝试的次数"),
    lastAttemptAt: UnixSeconds.nullable().describe("最近一次尝试的时间，尚未尝试时为 null"),
    error: z.string().nullable().describe("最近一次失败的原因，可直接显示给用户"),
  })
  .meta({ id: "ReminderDelivery", description: "提醒经一个渠道的发送情况" });
export type ReminderDelivery = z.infer<typeof ReminderDelivery>;

const Mark = z.int().nullable();

export const ReminderHost = z
  .object({
    hostId: Id.describe("主机的标识"),
    hostName: z.string().describe("提醒时的主机名称"),
    expireTime: UnixSeconds.describe("提醒所说的到期时间"),
    mark: Mark.describe("所到的提醒天数；已到期的提醒与人工发送的提醒为 null"),
  })
  .meta({ id: "ReminderHost", description: "提醒涉及的一台主机" });
export type ReminderHost = z.infer<typeof ReminderHost>;

export const Reminder = z
  .object({
    id: Id,
    type: NoticeType,
    recipient: ActorReference.describe("接收人，用户删除后仍保留"),
    mark: Mark.describe("各主机中最近的提醒天数；已到期的提醒与人工发送的提醒为 null"),
    hostCount: z.int().meta({ description: "涉及的主机总数", examples: [3] }),
    hosts: z
      .array(ReminderHost)
      .describe(`涉及的主机，先到期的在前，最多列出 ${MAX_REMINDER_HOSTS} 台`),
    sentBy: ActorReference.nullable().describe("发送的人，用户删除后仍保留；按规则发送的为 null"),
    createdAt: UnixSeconds.describe("提醒的时间"),
    deliveries: z.array(ReminderDelivery).describe("经各渠道的发送情况"),
  })
  .meta({ id: "Reminder", description: "一次提醒：一个接收人、一类到期、一天" });
export type Reminder = z.infer<typeof Reminder>;

export const ListRemindersInput = z
  .strictObject({
    ...PageQuery.shape,
    userId: Id.optional().describe("只看该接收人的"),
    hostId: Id.optional().describe("只看涉及该主机的"),
    status: DeliveryStatus.optional().describe("只看有此状态的发送的"),
  })
  .prefault({})
  .meta({ id: "ListRemindersInput" });
export type ListRemindersInput = z.infer<typeof ListRemindersInput>;

export const ReminderList = z
  .object({ reminders: z.array(Reminder).describe("提醒，新的在前"), pagination: Pagination })
  .meta({ id: "ReminderList", description: "一页提醒" });
export type ReminderList = z.infer<typeof ReminderList>;
