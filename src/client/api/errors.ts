import type { FieldError } from "@shared/errors.ts";
import { TRPCClientError } from "@trpc/client";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { type NotifyOptions, notify } from "@/lib/notify";
import { errorCode } from "../../sdk/error-code.ts";
import type { AppRouter } from "../../server/app-router.ts";

export { errorCode };

/** Title of the toast for an act of which no answer says whether it was done. */
const OUTCOME_UNKNOWN = "操作结果未知";
/** What a proxy says that passed a call on and got no answer to it; the last two are Cloudflare's. */
const SERVER_LOST = [500, 502, 504, 520, 524];
/** Why a proxy refuses a call, and what helps, where it only answers a page. */
const REFUSED_BY_PROXY: Readonly<Record<number, string>> = {
  403: "请求被代理服务器或防火墙拒绝，请联系管理员",
  408: "发送超时，请检查网络后重试",
  413: "文件或内容超过代理服务器允许的大小，请分成几份，或联系管理员调高代理的请求体上限",
  414: "条件过长，被代理服务器拒绝，请减少筛选条件",
  429: "请求过于频繁，被代理服务器拒绝，请稍后重试",
};

/** Title and id of the toast for a list that could not be loaded. */
export const LOAD_FAILED = "加载失败";

/**
 * Toasts a failed call: `toastError("创建失败", error)`. Does nothing when the session ended or needs
 * a second factor first: both have a screen of their own.
 */
export function toastError(
  title: string,
  error: unknown,
  options: Pick<NotifyOptions, "id" | "action" | "message"> = {},
): void {
  if (isSessionOver(error) || errorCode(error) === "SECOND_FACTOR_REQUIRED") return;
  notify.error(title, { message: errorMessage(error), ...options });
}

/**
 * Toasts an act that failed. While its outcome is unknown it may have been done all the same, so
 * nobody is told that it failed.
 */
export function toastActError(
  title: string,
  error: unknown,
  options: Pick<NotifyOptions, "id" | "action" | "message"> = {},
): void {
  if (!isOutcomeUnknown(error)) {
    toastError(title, error, options);
    return;
  }

  const unknown = describeActError(title, error);
  toastError(unknown.title, error, { ...options, message: unknown.message });
}

/** The same for a dialog in which it stands. */
export function describeActError(
  title: string,
  error: unknown,
): { readonly title: string; readonly message: string } {
  if (!isOutcomeUnknown(error)) return { title, message: errorMessage(error) };

  const act = title.replace(/失败$/, "");
  const message = `没有得到“${act}”的结果，操作可能已经完成。请刷新核对后，再决定是否重试。`;
  return { title: OUTCOME_UNKNOWN, message };
}

/**
 * True when an act was sent and no answer says what became of it: the connection broke, the time
 * limit passed, or a proxy lost the server. The server's own UNAVAILABLE is one of these, because
 * it may have lost the database during a commit. Its other answers are refusals, and so is a
 * proxy's 503, which has no server to ask.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!isApiError(error) || isSessionOver(error)) return false;

  const code = errorCode(error);
  if (code !== null && !isForeign(error)) return code === "UNAVAILABLE";

  const { response } = error.meta ?? {};
  if (!(response instanceof Response)) return true;
  // An answer that broke off was a success until then.
  return response.ok || SERVER_LOST.includes(response.status);
}

/**
 * The Chinese message for a failed call, also from an answer that is not the server's own, such as
 * a proxy's.
 */
export function errorMessage(error: unknown): string {
  if (!isApiError(error)) return "未知错误";
  if (errorCode(error) !== null && !isForeign(error)) return error.message;
  if (isCausedBy(error, "TimeoutError")) return "请求超时，请稍后重试";

  const { response, responseJSON } = error.meta ?? {};
  if (!(response instanceof Response)) return unreachableText();

  const { status } = response;
  return (
    messageIn(responseJSON) ??
    REFUSED_BY_PROXY[status] ??
    (status >= 500 ? "服务器暂时不可用，请稍后重试" : "请求失败")
  );
}

/** The browser knows when its own network is gone; otherwise it may be the server that is. */
function unreachableText(): string {
  const text = "网络连接失败，请检查网络";
  return navigator.onLine ? `${text}（也可能是服务器没有响应）` : text;
}

/** The fields that the server refused; `field` is a dotted path. */
export function fieldErrors(error: unknown): readonly FieldError[] {
  return (isApiError(error) ? error.data?.errors : undefined) ?? [];
}

/** False when the server understood the call and refused it, or its session is over. */
export function isWorthRetrying(error: unknown): boolean {
  if (!isApiError(error) || isSessionOver(error)) return false;
  return (error.data?.httpStatus ?? 500) >= 500;
}

/**
 * True when the server refused the session of a call, or the call was aborted because the session
 * changed.
 */
export function isSessionOver(error: unknown): boolean {
  return (
    isApiError(error) && (errorCode(error) === "UNAUTHENTICATED" || isCausedBy(error, "AbortError"))
  );
}

/**
 * Puts each refused field's message under its input and focuses the first. True when every message
 * found its input.
 */
export function showFieldErrors<Values extends FieldValues, Output>(
  error: unknown,
  form: UseFormReturn<Values, unknown, Output>,
): boolean {
  const failed = fieldErrors(error);
  const names = Object.keys(form.getValues());
  const isField = (path: string): path is FieldPath<Values> =>
    names.includes(path.split(".")[0] ?? "");
  let shouldFocus = true;
  for (const { field, message } of failed) {
    if (!isField(field)) continue;
    form.setError(field, { type: "server", message }, { shouldFocus });
    shouldFocus = false;
  }
  return failed.length > 0 && failed.every(({ field }) => isField(field));
}

function isApiError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}

/** Whether another program has answered, such as a proxy, of which the SDK speaks in English. */
function isForeign({ data }: TRPCClientError<AppRouter>): boolean {
  return data?.requestId === "";
}

function isCausedBy({ cause }: TRPCClientError<AppRouter>, name: string): boolean {
  return cause instanceof DOMException && cause.name === name;
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const texts = new Map<string, unknown>(Object.entries(body));
  return ["message", "error", "msg", "detail"].map((key) => texts.get(key)).find(isFilledText);
}

function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
