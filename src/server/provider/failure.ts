import { AppError } from "../core/errors.ts";
import { RET_CODES } from "./ret-codes.ts";

export type ProviderFailureKind =
  | "unauthorized"
  | "ip-refused"
  | "security-lock"
  | "forbidden"
  | "not-opened"
  | "project-missing"
  | "throttled"
  | "unavailable"
  | "timeout"
  | "network"
  | "dns"
  | "tls"
  | "address-refused"
  | "redirect"
  | "too-large"
  | "malformed"
  | "unexpected";

interface FailureDetail {
  /** Replaces the kind's own sentence. Never text that came from the provider. */
  readonly message?: string;
  readonly retCode?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
}

/** A call to the provider that failed. `message` is a Chinese sentence: what happened and what to do next. */
export class ProviderFailure extends AppError {
  readonly kind: ProviderFailureKind;
  /** The provider's own number; null when the failure is not one of its answers. */
  readonly retCode: number | null;
  /** The provider's request id, for a support ticket. */
  readonly requestId: string | null;
  /** How long the provider asked to be left alone; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(kind: ProviderFailureKind, detail: FailureDetail = {}) {
    super(kind === "timeout" ? "PROVIDER_TIMEOUT" : "PROVIDER_ERROR", detail.message ?? SENTENCES[kind]);
    this.name = "ProviderFailure";
    this.kind = kind;
    this.retCode = detail.retCode ?? null;
    this.requestId = detail.requestId ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? null;
  }
}

/** The failure for a RetCode other than 0. A number we do not know is named in the sentence. */
export function retCodeFailure(
  retCode: number,
  requestId: string | null,
  retryAfterMs: number | null = null,
): ProviderFailure {
  const known = RET_CODES.get(retCode);
  return new ProviderFailure(known?.kind ?? "unexpected", {
    message: known?.sentence ?? `云服务商返回错误码 ${retCode}，请稍后重试；若持续出现，请凭该错误码联系云服务商`,
    retCode,
    requestId,
    retryAfterMs,
  });
}

/** For a call that does not wait as long as the provider asked to be left alone with `failure`. */
export function turnedAway({ kind, requestId, retCode }: ProviderFailure, waitMs: number): ProviderFailure {
  const what = kind === "throttled" ? "请求过于频繁，被云服务商限流" : "云服务商接口暂时不可用";
  const message = `${what}，请在${waitPhrase(waitMs)}后重试`;
  return new ProviderFailure(kind, { message, requestId, retCode });
}

/** In steps, so that the same trouble at many places keeps the same words. */
function waitPhrase(ms: number): string {
  if (ms > 120_000) return ` ${Math.ceil(ms / 60_000)} 分钟`;
  const step = ms > 10_000 ? 5 : 1;
  return ` ${Math.max(1, Math.ceil(ms / 1000 / step) * step)} 秒`;
}

/** The failure for an HTTP status outside 200…299 whose body carries no RetCode. */
export function httpStatusFailure(
  status: number,
  requestId: string | null,
  retryAfterMs: number | null = null,
): ProviderFailure {
  if (status === 429) return new ProviderFailure("throttled", { requestId, retryAfterMs });
  if (status >= 300 && status < 400) return new ProviderFailure("redirect", { requestId });
  if (status >= 500) {
    const message = `云服务商接口暂时不可用（HTTP ${status}），请稍后重试`;
    return new ProviderFailure("unavailable", { message, requestId, retryAfterMs });
  }
  const message = `API地址返回了 HTTP ${status}，请检查API地址是否为云服务商的接口地址`;
  return new ProviderFailure("unexpected", { message, requestId });
}

const SENTENCES: Readonly<Record<ProviderFailureKind, string>> = {
  unauthorized: "密钥未通过云服务商校验，请检查公钥和私钥",
  "ip-refused": "云服务商拒绝了本服务器的IP，请在云平台的API白名单中加入本服务器的公网IP",
  "security-lock": "操作被云平台的安全锁拦截，请在云平台关闭安全锁后重试",
  forbidden: "该密钥没有所需权限，请在云平台为其授予云主机只读权限",
  "not-opened": "该地域未开通或不可用，请在云平台开通后再同步",
  "project-missing": "项目不存在，请检查项目ID",
  throttled: "请求过于频繁，被云服务商限流，请稍后重试",
  unavailable: "云服务商接口暂时不可用，请稍后重试",
  timeout: "云服务商接口响应超时，请稍后重试",
  network: "无法连接云服务商接口或连接中断，请检查网络和API地址后重试",
  dns: "无法解析API地址的域名，请检查API地址或服务器的DNS设置",
  tls: "API地址的HTTPS证书校验失败，请检查API地址是否正确、证书是否有效",
  "address-refused": "API地址指向内网、本机或保留地址，已拒绝访问，请改用公网地址",
  redirect: "API地址返回了跳转，请直接填写最终的接口地址",
  "too-large": "云服务商返回的数据过大，已中止读取，请检查API地址是否正确",
  malformed: "云服务商返回的数据无法识别，请检查API地址是否正确，或稍后重试",
  unexpected: "云服务商返回了意外的结果，请稍后重试；若持续出现，请联系云服务商",
};
