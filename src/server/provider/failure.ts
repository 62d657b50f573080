import { AppError } from "../platform/errors.ts";

/** Kinds of failure, with the message to the operator: what happened and what to do next. */
const MESSAGES = {
  unauthorized: "密钥未通过云服务商校验，请检查公钥和私钥",
  "ip-refused": "云服务商拒绝了本服务器的 IP，请在云服务商的 API 白名单中加入本服务器的公网 IP",
  "security-lock": "操作被云服务商的安全锁拦截，请在云服务商处关闭安全锁后重试",
  forbidden: "该密钥没有所需权限，请在云服务商处为其授予云主机只读权限",
  "not-opened": "该地域未开通或不可用，请在云服务商处开通后再同步",
  "project-missing": "项目不存在，请检查项目 ID",
  throttled: "请求过于频繁，被云服务商限流，请稍后重试",
  unavailable: "云服务商接口暂时不可用，请稍后重试",
  timeout: "云服务商接口响应超时，请稍后重试",
  network: "无法连接云服务商接口或连接中断，请检查网络和 API 地址后重试",
  dns: "无法解析 API 地址的域名，请检查 API 地址或服务器的 DNS 设置",
  tls: "API 地址的 HTTPS 证书校验失败，请检查 API 地址是否正确、证书是否有效",
  "address-refused": "API 地址指向内网、本机或保留地址，已拒绝访问，请改用公网地址",
  redirect: "API 地址返回了跳转，请直接填写最终的接口地址",
  "too-large": "云服务商返回的数据过大，已中止读取，请检查 API 地址是否正确",
  malformed: "云服务商返回的数据无法识别，请检查 API 地址是否正确，或稍后重试",
  unexpected: "云服务商返回了意外的结果，请稍后重试；若持续出现，请联系云服务商",
} as const;

export type ProviderFailureKind = keyof typeof MESSAGES;

export type CallOutcome = "ok" | "aborted" | "bug" | ProviderFailureKind;

/** `message` replaces that of the kind. It is never text from the provider. */
type FailureDetail = Partial<
  Pick<ProviderFailure, "message" | "retCode" | "requestId" | "retryAfterMs">
>;

export class ProviderFailure extends AppError {
  readonly kind: ProviderFailureKind;
  readonly retCode: number | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(kind: ProviderFailureKind, detail: FailureDetail = {}) {
    super(
      kind === "timeout" ? "PROVIDER_TIMEOUT" : "PROVIDER_ERROR",
      detail.message ?? MESSAGES[kind],
    );
    this.name = "ProviderFailure";
    this.kind = kind;
    this.retCode = detail.retCode ?? null;
    this.requestId = detail.requestId ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? null;
  }
}

interface CallResult {
  readonly outcome: CallOutcome;
  readonly retCode: number | null;
}

/** True when no answer came at all. A RetCode and an HTTP status are answers. */
export function isUnanswered({ outcome, retCode }: CallResult): boolean {
  return retCode === null && ["timeout", "network", "dns", "tls"].includes(outcome);
}

const RETRYABLE_RET_CODES: readonly number[] = [110, 130, 150, 153, 8857, 8881];
const RETRYABLE_KINDS: readonly ProviderFailureKind[] = [
  "throttled",
  "network",
  "dns",
  "timeout",
  "unavailable",
];

/** Whether the same call may succeed a moment later. A RetCode decides by itself. */
export function isRetryable({ kind, retCode }: ProviderFailure): boolean {
  return retCode === null ? RETRYABLE_KINDS.includes(kind) : RETRYABLE_RET_CODES.includes(retCode);
}

/** For `catch`: null when the key lacks the permission. Rethrows anything else. */
export function nullIfForbidden(error: unknown): null {
  if (error instanceof ProviderFailure && error.kind === "forbidden") return null;
  throw error;
}

export function retCodeFailure(retCode: number, detail: FailureDetail = {}): ProviderFailure {
  const unknown = `云服务商返回错误码 ${retCode}，请稍后重试；若持续出现，请凭该错误码联系云服务商`;
  const [kind, message] = RET_CODES.get(retCode) ?? (["unexpected", unknown] as const);
  return new ProviderFailure(kind, { ...detail, message, retCode });
}

/** The failure for an HTTP status outside 200…299 whose body carries no RetCode. */
export function httpStatusFailure(status: number, detail: FailureDetail = {}): ProviderFailure {
  if (status === 429) return new ProviderFailure("throttled", detail);
  if (status >= 300 && status < 400) return new ProviderFailure("redirect", detail);
  if (status >= 500) {
    const message = `云服务商接口暂时不可用（HTTP ${status}），请稍后重试`;
    return new ProviderFailure("unavailable", { ...detail, message });
  }
  const message = `API 地址返回了 HTTP ${status}，请检查 API 地址是否为云服务商的接口地址`;
  return new ProviderFailure("unexpected", { ...detail, message });
}

/** For a call that does not wait for the rest of the pause that `cause` began. */
export function pausedFailure(
  { kind, requestId, retCode }: ProviderFailure,
  leftMs: number,
): ProviderFailure {
  const what = kind === "throttled" ? "请求过于频繁，被云服务商限流" : "云服务商接口暂时不可用";
  // In steps, so that all calls that fail in one pause have the same message.
  const message = `${what}，请在 ${Math.ceil(leftMs / 5_000) * 5} 秒后重试`;
  return new ProviderFailure(kind, { message, requestId, retCode });
}

/**
 * Only codes that reads can return. Sources: docs.ucloud.cn/api (summary/public,
 * uhost-api/error_code) and recorded answers.
 */
export const RET_CODES: ReadonlyMap<number, readonly [ProviderFailureKind, string]> = new Map([
  [110, ["timeout", "云服务商处理请求超时，请稍后重试"]],
  [130, ["unavailable", "云服务商的网关或认证服务故障，请稍后重试"]],
  [150, ["unavailable", "云服务商的服务暂时不可用，请稍后重试"]],
  [153, ["throttled", MESSAGES.throttled]],
  [160, ["unexpected", "云服务商未收到操作名，请检查 API 地址是否正确"]],
  [161, ["unexpected", "该 API 地址不支持此操作，请检查 API 地址是否正确"]],
  [170, ["unauthorized", "云服务商未收到签名，请检查 API 地址是否正确"]],
  [
    171,
    [
      "unauthorized",
      "签名校验失败，请检查私钥是否正确、前后有无空格，并确认密钥属于该 API 地址所在的站点",
    ],
  ],
  [172, ["unauthorized", "公钥对应的用户不存在，请检查公钥是否正确"]],
  [174, ["unauthorized", "访问令牌不存在，请确认密钥属于该 API 地址所在的站点或渠道"]],
  [210, ["unexpected", "云服务商认为请求缺少参数，请检查项目 ID 和默认地域是否已填写"]],
  [220, ["unexpected", "云服务商认为请求缺少参数，请检查项目 ID 和默认地域是否已填写"]],
  [230, ["not-opened", "地域不可用或未开通，请检查地域，或在云服务商处开通后重试"]],
  [240, ["unexpected", "云服务商认为参数超出范围，请检查配置后重试"]],
  [292, ["project-missing", "项目不存在，请重新选择该密钥可用的项目"]],
  [293, ["not-opened", "该地域或可用区未开通，请在云服务商处开通后重试"]],
  [294, ["ip-refused", MESSAGES["ip-refused"]]],
  [295, ["security-lock", "安全锁校验失败，请在云服务商处关闭安全锁，或到云服务商控制台操作"]],
  [299, ["forbidden", "该密钥没有访问权限，请在云服务商的访问控制中为其授权"]],
  [1000, ["unavailable", "云服务商内部错误，请稍后重试"]],
  [8039, ["unexpected", "云主机已被删除，请重新同步"]],
  [8300, ["forbidden", "该密钥没有此资源的权限，请在云服务商的访问控制中为其授权"]],
  [8857, ["timeout", "云服务商查询云主机超时，请稍后重试"]],
  [8858, ["unavailable", "云服务商查询云主机失败，请稍后重试"]],
  [8880, ["unavailable", "云服务商查询 IP 信息失败，请稍后重试"]],
  [8881, ["unavailable", "云服务商查询 IP 信息失败，请稍后重试"]],
  [8884, ["unavailable", "云服务商查询 IP 信息失败，请稍后重试"]],
]);
