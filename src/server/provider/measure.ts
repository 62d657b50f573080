import type { Metrics } from "../core/metrics.ts";
import type { ObservedCall } from "./client.ts";
import { RET_CODES } from "./ret-codes.ts";

/** For a client's `onCall`. A RetCode that we do not know is the provider's own word and no label. */
export function measureCalls(metrics: Metrics): (call: ObservedCall) => void {
  return ({ action, outcome, retCode }) =>
    metrics.providerCalls.inc({ action, outcome, ret_code: retCodeLabel(retCode) });
}

function retCodeLabel(retCode: number | null): string {
  if (retCode === null) return "none";
  return retCode === 0 || RET_CODES.has(retCode) ? String(retCode) : "other";
}
