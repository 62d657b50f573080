import { z } from "zod";
import { Id } from "./ids.ts";
import { NoticeType } from "./notices.ts";
import { labelledEnum, limitedCode, requiredCode, requiredText, wholeNumber } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const CHANNEL_TYPE_LABELS = {
  email: "邮件",
  wecom: "企业微信群机器人",
  dingtalk: "钉钉群机器人",
  feishu: "飞书群机器人",
  webhook: "Webhook",
} as const;
export const ChannelType = labelledEnum("ChannelType", "渠道类型", CHANNEL_TYPE_LABELS);
export type ChannelType = z.infer<typeof ChannelType>;

export const DELIVERY_STATUS_LABELS = {
  queued: "等待发送",
  sent: "已发送",
  failed: "失败",
  skipped: "未发送",
} as const;
/** Waiting for another try is `queued`; `skipped`: there was nobody or nothing to send. */
export const DeliveryStatus = labelledEnum("DeliveryStatus", "发送状态", DELIVERY_STATUS_LABELS);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const MAX_CHANNELS = 20;

export const MAIL_SECURITY_LABELS = {
  tls: "TLS",
  starttls: "STARTTLS",
  none: "不加密",
} as const;
const MailSecurity = labelledEnum(
  "MailSecurity",
  "加密方式",
  MAIL_SECURITY_LABELS,
  "加密方式只能是 tls、starttls 或 none",
);

const Url = requiredCode("地址", 1_000)
  .refine((url) => /^https?:\/\//i.test(url), "地址必须以 https:// 开头")
  .meta({
    description: "地址，以 https:// 开头；写入后只显示一部分",
    examples: ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=example"],
    pattern: "[hH][tT][tT][pP][sS]?:\\/\\/",
  });
const Secret = requiredCode("密钥", 500).meta({
  description: "签名密钥，加密保存，从不返回",
  examples: ["SECexample0123456789"],
});
/** Standard Webhooks: 24 to 64 random bytes. */
const WebhookSecret = requiredCode("密钥", 500)
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "密钥应为 whsec_ 加 Base64，24 至 64 字节")
  .meta({
    description: "签名密钥：whsec_ 加 24 至 64 字节的 Base64；加密保存，从不返回",
    examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  });

/** An address, or a name and the address in angle brackets. */
const SENDER = /^(?:[^\s@<>]+@[^\s@<>]+|[^<>"\r\n]+<[^\s@<>]+@[^\s@<>]+>)$/;

export const EmailConfig = z
  .strictObject({
    host: requiredCode("服务器地址", 255)
      .regex(/^[A-Za-z0-9.:-]+$/, "服务器地址格式不正确")
      .meta({ description: "SMTP 服务器", examples: ["smtp.example.com"] }),
    port: wholeNumber("端口", { min: 1, max: 65_535 }).meta({
      description: "端口",
      examples: [465],
    }),
    security: MailSecurity,
    user: limitedCode("用户名", 255).nullish().describe("用户名；不填表示不登录"),
    password: limitedCode("密码", 500).nullish().describe("密码或授权码，加密保存，从不返回"),
    sender: requiredCode("发件人", 255)
      .regex(SENDER, "发件人应为邮箱地址，可以写成“名称 <邮箱>”")
      .meta({ description: "发件人", examples: ["多主机管理系统 <notice@example.com>"] }),
  })
  .meta({ id: "EmailConfig", description: "发送邮件的服务器" });
export const WecomConfig = z
  .strictObject({ url: Url })
  .meta({ id: "WecomConfig", description: "企业微信群机器人" });
export const SignedRobotConfig = z
  .strictObject({ url: Url, secret: Secret })
  .meta({ id: "SignedRobotConfig", description: "钉钉或飞书群机器人，安全设置为加签" });
export const WebhookConfig = z
  .strictObject({ url: Url, secret: WebhookSecret })
  .meta({ id: "WebhookConfig", description: "接收 Standard Webhooks 的地址" });

/** What a channel of each type needs; all of it is sealed at rest. */
export const CHANNEL_CONFIGS = {
  email: EmailConfig,
  wecom: WecomConfig,
  dingtalk: SignedRobotConfig,
  feishu: SignedRobotConfig,
  webhook: WebhookConfig,
} as const satisfies Record<ChannelType, z.ZodType>;

const Types = z
  .array(NoticeType, "通知类型必须是列表")
  .overwrite((types) => [...new Set(types)])
  .describe("经此渠道发送的通知类型");
const ChannelFields = {
  name: requiredText("渠道名称", 100).meta({ description: "名称", examples: ["运维群"] }),
  isActive: z.boolean("请选择是或否").optional().describe("是否启用，新增时不填为启用"),
  types: Types,
};

/** The type that decides which configuration is read. */
function typeOf<Type extends ChannelType>(type: Type) {
  return z.literal(type).describe(`渠道类型：${CHANNEL_TYPE_LABELS[type]}`);
}

export const CreateChannelInput = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ ...ChannelFields, type: typeOf("email"), config: EmailConfig }),
      z.strictObject({ ...ChannelFields, type: typeOf("wecom"), config: WecomConfig }),
      z.strictObject({ ...ChannelFields, type: typeOf("dingtalk"), config: SignedRobotConfig }),
      z.strictObject({ ...ChannelFields, type: typeOf("feishu"), config: SignedRobotConfig }),
      z.strictObject({ ...ChannelFields, type: typeOf("webhook"), config: WebhookConfig }),
    ],
    "请选择渠道类型",
  )
  .meta({ id: "CreateChannelInput" });
export type CreateChannelInput = z.infer<typeof CreateChannelInput>;

/** Every field that a configuration may have; those that its type does not have are refused. */
const ChangedConfig = z.strictObject({
  ...EmailConfig.partial().shape,
  url: limitedCode("地址", 1_000).nullish().describe("地址；不填或为空保持不变"),
  secret: limitedCode("密钥", 500).nullish().describe("密钥；不填或为空保持不变"),
});

/** Fields that are absent stay as they are, and so do empty secrets. The type never changes. */
export const UpdateChannelInput = z
  .strictObject({
    id: Id.describe("标识"),
    name: ChannelFields.name.optional(),
    isActive: ChannelFields.isActive,
    types: Types.optional(),
    config: ChangedConfig.optional().describe("设置，只填写要更改的字段"),
  })
  .meta({ id: "UpdateChannelInput" });
export type UpdateChannelInput = z.infer<typeof UpdateChannelInput>;

/** As it is shown: addresses in part, secrets as `••••`. Fields of other types are absent. */
const ShownConfig = z.object({
  host: z.string().optional().describe("SMTP 服务器"),
  port: z.int().optional().describe("端口"),
  security: MailSecurity.optional(),
  user: z.string().nullish().describe("用户名；null 表示不登录"),
  password: z.string().nullish().describe("已设置时为 ••••"),
  sender: z.string().optional().describe("发件人"),
  url: z.string().optional().describe("只显示一部分"),
  secret: z.string().optional().describe("已设置时为 ••••"),
});

export const NoticeChannel = z
  .object({
    id: Id,
    name: z.string().meta({ description: "名称", examples: ["运维群"] }),
    type: ChannelType,
    isActive: z.boolean().describe("是否启用"),
    config: ShownConfig.describe("设置，密钥不返回"),
    types: z.array(NoticeType).describe("经此渠道发送的通知类型"),
    lastDelivery: z
      .object({
        status: DeliveryStatus,
        at: UnixSeconds.describe("最近一次尝试的时间"),
        error: z.string().nullable().describe("失败的原因，可直接显示给用户"),
      })
      .nullable()
      .describe("最近一次发送，从未发送时为 null"),
    pausedUntil: UnixSeconds.nullable().describe(
      "对方拒绝后或要求时暂停到此时，期间消息都在等待；修改设置会立即恢复。没有暂停时为 null",
    ),
  })
  .meta({ id: "NoticeChannel", description: "通知渠道" });
export type NoticeChannel = z.infer<typeof NoticeChannel>;

export const ChannelTest = z
  .object({
    ok: z.boolean().describe("对方是否接受了测试消息"),
    message: z.string().describe("对方的答复或失败的原因，可直接显示给用户"),
    latencyMs: z.int().meta({ description: "耗时（毫秒）", examples: [320] }),
  })
  .meta({ id: "ChannelTest", description: "渠道测试的结果；对方的问题体现为 `ok: false`" });
export type ChannelTest = z.infer<typeof ChannelTest>;
