import { z } from "zod";
import { Id } from "./ids.ts";
import { PageQuery, Pagination } from "./page.ts";
import { labelledEnum } from "./text.ts";
import { UnixSeconds } from "./time.ts";

/** What a notice tells of. */
export const NOTICE_TYPE_LABELS = {
  "assignment.expiring": "主机即将到期",
  "assignment.expired": "主机已到期",
  "host.expiring": "云端即将到期",
  "host.expired": "云端已到期",
  "assignment.given": "分配了主机",
  "assignment.changed": "到期时间变更",
  "assignment.ended": "主机已收回",
  "renewal.submitted": "新的续费申请",
  "renewal.approved": "续费申请已批准",
  "renewal.rejected": "续费申请被拒绝",
  "renewal.completed": "续费已完成",
  "sync.failing": "同步连续失败",
  "sync.paused": "自动同步已暂停",
  "removals.held": "主机等待确认",
  "balance.low": "余额不足",
  "security.new_address": "新地址登录",
  "security.password_changed": "密码已修改",
  "security.password_reset": "密码已重置",
} as const;
export const NoticeType = labelledEnum("NoticeType", "通知的类型", NOTICE_TYPE_LABELS);
export type NoticeType = z.infer<typeof NoticeType>;

export const NOTICE_SEVERITY_LABELS = {
  info: "提示",
  warning: "注意",
  critical: "紧急",
} as const;
export const NoticeSeverity = labelledEnum("NoticeSeverity", "严重程度", NOTICE_SEVERITY_LABELS);
export type NoticeSeverity = z.infer<typeof NoticeSeverity>;

/** The inbox keeps the newest ones of each user. */
export const MAX_NOTICES = 500;
/** A notice about more hosts names the ones that end first. */
export const MAX_NOTICE_ITEMS = 200;

export const NoticeItem = z
  .object({
    hostId: Id.describe("主机的标识"),
    hostName: z.string().meta({ description: "主机名称", examples: ["web-01"] }),
    expireTime: UnixSeconds.nullable().describe(
      "到期时间：云端到期的通知为云服务商处的到期时间，其他为分配的到期时间；没有时为 null",
    ),
    daysLeft: z
      .int()
      .nullable()
      .describe("剩余天数，向上取整，已过期时为负数或 0；没有到期时间时为 null"),
  })
  .meta({ id: "NoticeItem", description: "通知涉及的一台主机，按读取时的可见范围与数据" });
export type NoticeItem = z.infer<typeof NoticeItem>;

export const Notice = z
  .object({
    id: Id,
    type: NoticeType,
    severity: NoticeSeverity,
    title: z.string().meta({ description: "标题", examples: ["3 台主机即将到期"] }),
    message: z.string().describe("内容，可直接显示给用户；只说数量，不含主机名称"),
    link: z
      .string()
      .nullable()
      .meta({
        description: "控制台中相关页面的路径，没有时为 null",
        examples: ["/hosts?host=019a9f00-0000-7000-8000-000000000001"],
      }),
    createdAt: UnixSeconds.describe("产生时间"),
    readAt: UnixSeconds.nullable().describe("标为已读的时间，未读时为 null"),
    items: z
      .array(NoticeItem)
      .describe(`涉及的主机，先到期的在前，最多 ${MAX_NOTICE_ITEMS} 台；已不可见的不再列出`),
    hostCount: z.int().meta({ description: "涉及的主机总数，不含已不可见的", examples: [3] }),
  })
  .meta({ id: "Notice", description: "收件箱中的一条通知" });
export type Notice = z.infer<typeof Notice>;

export const ListNoticesInput = z
  .strictObject({
    ...PageQuery.shape,
    unread: z.boolean().optional().describe("true 只看未读的，false 只看已读的"),
    type: NoticeType.optional(),
  })
  .prefault({})
  .meta({ id: "ListNoticesInput" });
export type ListNoticesInput = z.infer<typeof ListNoticesInput>;

const UnreadCount = z.int().meta({ description: "整个收件箱的未读数", examples: [2] });

export const NoticeList = z
  .object({
    notices: z.array(Notice).describe("通知，新的在前"),
    unreadCount: UnreadCount,
    pagination: Pagination,
  })
  .meta({ id: "NoticeList", description: "一页通知" });
export type NoticeList = z.infer<typeof NoticeList>;

export const MAX_READ_NOTICES = 100;

/** Those of others and unknown ones are ignored. */
export const ReadNoticesInput = z
  .discriminatedUnion(
    "all",
    [
      z.strictObject({
        all: z.literal(false).optional().describe("省略：只标记 ids 中的通知"),
        ids: z
          .array(Id, "通知必须是列表")
          .min(1, "请至少选择一条通知")
          .max(MAX_READ_NOTICES, `每次最多选择 ${MAX_READ_NOTICES} 条通知`)
          .describe(`通知的标识，1-${MAX_READ_NOTICES} 个`),
      }),
      z.strictObject({ all: z.literal(true).describe("全部标为已读") }),
    ],
    "all 只能是 true 或省略",
  )
  .meta({ id: "ReadNoticesInput", examples: [{ all: true }] });
export type ReadNoticesInput = z.infer<typeof ReadNoticesInput>;

export const ReadNotices = z
  .object({ unreadCount: UnreadCount })
  .meta({ id: "ReadNotices", description: "标为已读之后的未读数" });
export type ReadNotices = z.infer<typeof ReadNotices>;

/** What the event `notice.created` carries, to its owner alone. */
export const CreatedNotice = Notice.pick({
  id: true,
  type: true,
  severity: true,
  title: true,
}).meta({ id: "CreatedNotice", description: "新的通知" });
