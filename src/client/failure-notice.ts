import { type NotifyOptions, notify } from "@/lib/notify";
import { failureCode, failureText } from "./failure";

/** Of the toast that a list has not come; one for all of them. */
export const LOAD_FAILED = "load-failed";

/** The toast of a failed call: `notifyFailure("创建失败", error)`. Silent for a dead session, which has its own notice. */
export function notifyFailure(
  title: string,
  error: unknown,
  options: Pick<NotifyOptions, "id" | "action" | "message"> = {},
): void {
  if (failureCode(error) === "UNAUTHENTICATED") return;
  notify.error(title, { message: failureText(error), ...options });
}
