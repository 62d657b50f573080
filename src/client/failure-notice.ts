import { type NotifyOptions, notify } from "@/lib/notify";
import { failureCode, failureText, isAborted } from "./failure";

/** Title and id of the toast for a list that could not be loaded. */
export const LOAD_FAILED = "加载失败";

/** Toasts a failed call: `notifyFailure("创建失败", error)`. Does nothing when the session ended, which has its own toast. */
export function notifyFailure(
  title: string,
  error: unknown,
  options: Pick<NotifyOptions, "id" | "action" | "message"> = {},
): void {
  if (failureCode(error) === "UNAUTHENTICATED" || isAborted(error)) return;
  notify.error(title, { message: failureText(error), ...options });
}
