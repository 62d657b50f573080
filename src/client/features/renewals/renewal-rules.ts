import { isOpenRenewal, OPEN_RENEWAL_STATUSES } from "@shared/renewal-status.ts";
import type { ProcessRenewalInput, Renewal } from "@shared/renewals.ts";
import { extendedExpiry } from "@shared/time.ts";

/** The name of the list of requests, as a table and as cards. */
export const RENEWAL_LIST = "续费申请列表";

/** Why a request cannot be completed. */
export const HOST_GONE = "主机在云服务商处已不存在，不能完成续费；请拒绝该申请并说明原因。";

/** The client's expiry with the extension; null once the request is closed. */
export function expiryAfter(renewal: Renewal, now: number): number | null {
  return isOpenRenewal(renewal)
    ? extendedExpiry(renewal.assignedExpireTime, renewal.requestedDuration, now)
    : null;
}

/** What the person saw, so that a decision of somebody else is not overruled unseen. */
export function expectedOf({ status }: Renewal): Pick<ProcessRenewalInput, "expectedStatus"> {
  const expectedStatus = OPEN_RENEWAL_STATUSES.find((open) => open === status);
  return expectedStatus === undefined ? {} : { expectedStatus };
}
