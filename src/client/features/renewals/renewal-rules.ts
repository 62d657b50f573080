import { isOpenRenewal, type Renewal } from "@shared/renewals.ts";
import { localWeekday } from "@shared/shanghai.ts";
import { extendedExpiry } from "@shared/time.ts";

/** Why a request cannot be completed. */
export const HOST_GONE = "主机在云服务商处已不存在，不能完成续费；请拒绝该申请并说明原因。";

const HOUR_SECONDS = 3600;

/** The client's expiry with the extension; null once the request is closed. */
export function expiryAfter(renewal: Renewal, now: number): number | null {
  return isOpenRenewal(renewal)
    ? extendedExpiry(renewal.assignedExpireTime, renewal.requestedDuration, now)
    : null;
}

/**
 * How long a request from `since` has waited at `now` (Unix seconds), judged by the promise:
 * `已等待不到 1 小时`, `已等待 3 小时`.
 */
export function waitingSince(
  since: number,
  now: number,
): { state: "fresh" | "due" | "overdue"; text: string } {
  const hours = workingHours(since, now);
  const waited = Math.floor((now - since) / HOUR_SECONDS);
  if (hours < 24) {
    return { state: "fresh", text: waited < 1 ? "已等待不到 1 小时" : `已等待 ${waited} 小时` };
  }
  return {
    state: hours < 48 ? "due" : "overdue",
    text: `已等待 ${Math.floor(hours / 24)} 个工作日`,
  };
}

/** The whole hours from Monday to Friday in Shanghai; public holidays are not known here. */
function workingHours(since: number, now: number): number {
  let hours = 0;
  for (let start = since; start + HOUR_SECONDS <= now; start += HOUR_SECONDS) {
    const weekday = localWeekday(start);
    if (weekday >= 1 && weekday <= 5) hours += 1;
  }
  return hours;
}
