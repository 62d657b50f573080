import { ERROR_CODES, ERROR_KINDS } from "../../../../shared/error-kinds.ts";
import { MAX_KEYS } from "../../trpc/limit-keys.ts";
import { MAX_BODY_BYTES } from "../read-body.ts";

/**
 * Sections of the document, by the first word of a procedure's name unless its meta says another.
 */
export const TAGS: Readonly<
  Record<string, { readonly name: string; readonly description: string }>
> = {
  auth: { name: "登录", description: "登录、退出、更换令牌、修改自己的密码，以及自己的 API 令牌" },
  users: { name: "用户", description: "管理员与C端用户。管理员只看到自己负责的C端用户" },
  hosts: { name: "主机", description: "查询主机，分配给C端用户" },
  assignments: { name: "主机分配", description: "从文件分配主机给C端用户，仅超级管理员可用" },
  sync: { name: "同步", description: "从云服务商读取主机。同一配置同时只有一次同步在进行" },
  configs: { name: "云服务商配置", description: "云服务商的密钥与接口地址，仅超级管理员可用" },
  renewals: { name: "续费", description: "C端用户申请续费，超级管理员处理" },
  notices: { name: "通知", description: "自己的收件箱，每个用户只看到自己的" },
  reminders: {
    name: "到期提醒",
    description: "按到期前的天数自动提醒，以及已发出的提醒，仅超级管理员可用",
  },
  noticeChannels: {
    name: "通知渠道",
    description: "经邮件、群机器人与 Webhook 发送通知，仅超级管理员可用",
  },
  securitySettings: { name: "安全设置", description: "登录必须满足的要求，仅超级管理员可用" },
  settings: { name: "系统配置", description: "对所有人生效的开关" },
  audit: { name: "审计", description: "谁做了什么，仅超级管理员可用" },
};

export const INFO = {
  title: "多主机管理系统 API",
  version: "1.0.0",
  description: `管理云服务商主机的同步、分配与续费。

**认证**：先调用 \`POST /api/auth/login\` 取得令牌（开启了两步验证的账号再调用 \`POST /api/auth/second-factor\`），之后的请求都带上 \`Authorization: Bearer <token>\`；令牌不能放在网址里。程序使用 \`POST /api/auth/tokens\` 建立的 API 令牌（以 \`hct_\` 开头），用法相同：它代表其用户，权限 \`read\` 只能查询，\`full\` 也能修改；密码、令牌与登录方面的接口只能在登录后使用，否则 403（\`TOKEN_SCOPE\`）。

**成功**：\`{"data": …}\`；只有系统配置接口直接返回内容。

**失败**：\`{"message", "code", "requestId", "errors"?}\`，\`message\` 可直接显示给用户，\`errors\` 只在参数校验失败时出现。401 只表示没有登录、登录或 API 令牌已失效、API 令牌不能从这个地址使用，或登录失败。

**检查顺序**：登录（401）→ 角色（403）→ API 令牌的权限（403）→ 参数（400、413、415）→ 是否可见（404）→ 状态与唯一性（409）→ 执行。看不到的内容与不存在的内容回答相同的 404。

**约定**：时间都是整数 Unix 秒（UTC）；标识是 UUID；网址参数中的整数只能是十进制数字，重复的参数、未知的参数与请求内容中的未知字段一律 400；请求内容最大 ${MAX_BODY_BYTES / 1024} KiB，一个对象最多 ${MAX_KEYS} 个字段；支持 GET 的路径同样支持 HEAD；路径存在但方法不支持时回答 405（\`METHOD_NOT_ALLOWED\`）并在 \`Allow\` 中列出可用的方法。

**错误码**：

| 错误码 | 状态 | 含义 |
|---|---|---|
${ERROR_CODES.map((code) => `| \`${code}\` | ${ERROR_KINDS[code].status} | ${ERROR_KINDS[code].message} |`).join("\n")}

变更的实时推送走 WebSocket（tRPC 的 \`events.stream\`），不在本文档中。`,
  license: { name: "专有软件，保留所有权利", identifier: "LicenseRef-Proprietary" },
};

export const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "登录后得到的令牌，或 API 令牌（以 hct_ 开头）",
  },
};

export const HEADERS = {
  "X-Request-Id": {
    description: "请求编号，便于查日志",
    required: true,
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "多少秒后可以重试",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
};
