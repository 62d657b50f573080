import { z } from "zod";
import { Id } from "./ids.ts";
import { isWholeFen } from "./money.ts";
import { SyncRun } from "./sync.ts";
import { limitedCode, limitedText, requiredCode, requiredText } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const DEFAULT_API_URL = "https://api.ucloud.cn";

const MAX_KEY_LENGTH = 255;

/** Minutes between two syncs that the server starts by itself. */
export const SYNC_INTERVALS = [15, 60, 360, 1440] as const;
export const DEFAULT_SYNC_INTERVAL: SyncInterval = 60;

export const SyncInterval = z
  .literal(SYNC_INTERVALS, "同步间隔只能是 15、60、360 或 1440 分钟，或为空")
  .meta({ description: "自动同步的间隔（分钟）：15、60、360 或 1440", examples: [60] });
export type SyncInterval = z.infer<typeof SyncInterval>;

export const MAX_BALANCE_ALERT = 1_000_000_000;
const BALANCE_ALERT_MESSAGE = "余额预警必须是 0 到 1,000,000,000 之间的金额，最多两位小数";

export const BalanceAlert = z
  .number(BALANCE_ALERT_MESSAGE)
  .min(0, BALANCE_ALERT_MESSAGE)
  .max(MAX_BALANCE_ALERT, BALANCE_ALERT_MESSAGE)
  .refine(isWholeFen, BALANCE_ALERT_MESSAGE)
  .meta({ description: "余额预警（元）", examples: [1000] });

export const Balance = z
  .object({
    available: z.number().meta({ description: "可用余额（元），欠费时为负数", examples: [1234.5] }),
    amount: z.number().meta({ description: "账户余额（元），欠费时为负数", examples: [1300] }),
    currency: z.literal("CNY").describe("币种"),
    at: UnixSeconds.describe("读取时间"),
    isLow: z.boolean().describe("可用余额低于余额预警；未设置预警时为 false"),
  })
  .meta({ id: "Balance", description: "云账号的余额，最近一次读到的" });
export type Balance = z.infer<typeof Balance>;

export const Config = z
  .object({
    id: Id,
    name: z.string().meta({ description: "名称", examples: ["生产账号"] }),
    publicKey: z
      .string()
      .meta({ description: "公钥，只显示首尾各 4 个字符", examples: ["4eZB****cKey"] }),
    apiUrl: z.string().meta({ description: "云服务商 API 地址", examples: [DEFAULT_API_URL] }),
    defaultRegion: z.string().meta({ description: "默认地域，例如 cn-bj2", examples: ["cn-bj2"] }),
    projectIds: z
      .array(z.string())
      .meta({ description: "项目 ID；为空表示密钥可见的全部项目", examples: [["org-abc123"]] }),
    isDefault: z.boolean().describe("是否为默认配置，有且只有一个"),
    isActive: z.boolean().describe("是否启用"),
    remark: z.string().nullable().describe("备注"),
    createdAt: UnixSeconds.describe("创建时间"),
    hostCount: z
      .int()
      .meta({ description: "该配置现有的主机数，不含云服务商处已不存在的", examples: [128] }),
    lastSync: SyncRun.nullable().describe("最近一次同步，从未同步时为 null"),
    syncIntervalMinutes: SyncInterval.nullable().describe("自动同步的间隔（分钟），null 表示关闭"),
    nextSyncAt: UnixSeconds.nullable().describe("下一次自动同步的时间，关闭、停用或暂停时为 null"),
    lastSuccessAt: UnixSeconds.nullable().describe(
      "最近一次成功（已完成或部分完成）的同步的结束时间，没有时为 null",
    ),
    schedulePausedReason: z
      .string()
      .nullable()
      .describe("自动同步被暂停的原因和恢复的办法，未暂停时为 null"),
    balance: Balance.nullable().describe(
      "云账号余额，每次同步读取一次；读取失败时保留上次的，从未读到时为 null",
    ),
    balanceAlert: BalanceAlert.nullable().describe("余额预警（元），null 表示关闭"),
    isStale: z
      .boolean()
      .describe(
        "数据可能已过时：超过三个间隔，或一个间隔加 6 小时（取较短者；未开启自动同步时为 24 小时）没有成功的同步",
      ),
  })
  .meta({ id: "Config", description: "云服务商配置。公钥只显示首尾各 4 个字符，私钥从不返回" });
export type Config = z.infer<typeof Config>;

export const CreateConfigInput = z
  .strictObject({
    name: requiredText("配置名称", 100).meta({ description: "名称", examples: ["生产账号"] }),
    publicKey: requiredCode("公钥", MAX_KEY_LENGTH).meta({
      description: "公钥",
      examples: ["4eZBZ5qS1examplePublicKey"],
    }),
    privateKey: requiredCode("私钥", MAX_KEY_LENGTH).meta({
      description: "私钥，加密保存，从不返回",
      examples: ["7d1fexamplePrivateKey"],
    }),
    apiUrl: requiredCode("API 地址", 255)
      .refine((url) => /^https?:\/\//i.test(url), "API 地址必须以 http:// 或 https:// 开头")
      .meta({
        description: "云服务商 API 地址，以 http:// 或 https:// 开头，只能是公网地址",
        examples: [DEFAULT_API_URL],
        // JSON schema knows no flags, and is compared with the text before it is trimmed.
        pattern: "[hH][tT][tT][pP][sS]?:\\/\\/",
      }),
    defaultRegion: requiredCode("默认地域", 50).meta({
      description: "默认地域，例如 cn-bj2",
      examples: ["cn-bj2"],
    }),
    projectIds: z
      .array(requiredCode("项目 ID", 100), "项目 ID 必须是列表")
      .max(100, "项目 ID 最多 100 个")
      .overwrite((ids) => [...new Set(ids)])
      .meta({
        description: "项目 ID；为空表示密钥可见的全部项目，子账号必须填写",
        examples: [["org-abc123"]],
      })
      .optional(),
    isDefault: z.boolean("请选择是或否").optional().describe("是否为默认配置，有且只有一个"),
    isActive: z.boolean("请选择是或否").optional().describe("是否启用"),
    remark: limitedText("备注", 500).nullish().describe("备注"),
    balanceAlert: BalanceAlert.nullable()
      .optional()
      .describe(
        "余额预警（元），0 至 1,000,000,000，最多两位小数，null 表示关闭；修改时不填保持不变",
      ),
    syncIntervalMinutes: SyncInterval.nullable()
      .optional()
      .describe("自动同步的间隔（分钟），null 表示关闭；新增时不填为 60，修改时不填保持不变"),
  })
  .meta({ id: "CreateConfigInput" });
export type CreateConfigInput = z.infer<typeof CreateConfigInput>;

function newKey(label: string) {
  return limitedCode(label, MAX_KEY_LENGTH)
    .nullish()
    .describe(`${label}；不填、空字符串或 null 保持不变`);
}

/** Fields that are absent stay as they are. */
export const UpdateConfigInput = CreateConfigInput.partial()
  .extend({ id: Id.describe("标识"), publicKey: newKey("公钥"), privateKey: newKey("私钥") })
  .meta({ id: "UpdateConfigInput" });
export type UpdateConfigInput = z.infer<typeof UpdateConfigInput>;

/** In their order; the message of one that was not tried, for the step before it had failed. */
export const CONFIG_TEST_STEPS = {
  key: "密钥有效",
  projects: "项目可见",
  hosts: "云主机读权限",
} as const;
export const STEP_NOT_RUN = "未执行";

export const ConfigTestStep = z
  .object({
    name: z.string().meta({ description: "步骤名称", examples: ["密钥有效"] }),
    ok: z.boolean().describe("是否成功"),
    message: z
      .string()
      .meta({ description: "说明，可直接显示给用户", examples: ["密钥有效，可见 11 个地域"] }),
  })
  .meta({ id: "ConfigTestStep", description: "连接测试的一个步骤" });
export type ConfigTestStep = z.infer<typeof ConfigTestStep>;

export const ConfigTest = z
  .object({
    connected: z.boolean().describe("全部步骤是否通过"),
    steps: z.array(ConfigTestStep).describe("各步骤的结果"),
    regions: z.int().nullable().describe("密钥可见的地域数，未测到该步时为 null"),
    projects: z.int().nullable().describe("密钥可见的项目数，未测到该步时为 null"),
    hostCount: z.int().nullable().describe("默认地域的主机数，未测到该步、项目超过 20 个时为 null"),
    latencyMs: z.int().meta({ description: "密钥校验的耗时（毫秒）", examples: [180] }),
  })
  .meta({
    id: "ConfigTest",
    description: "连接测试的结果。云服务商的问题体现为 `connected: false`，不是 HTTP 错误",
  });
export type ConfigTest = z.infer<typeof ConfigTest>;
