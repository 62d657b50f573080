import type {
  BatchCreateRenewals,
  BatchCreateRenewalsInput,
  BatchProcessRenewals,
  BatchProcessRenewalsInput,
} from "../../shared/renewal-batch.ts";
import { RENEWAL_DAYS } from "../../shared/renewals.ts";
import { daysUntil } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { oneByOne } from "../core/one-by-one.ts";
import type { Caller } from "../core/ports.ts";
import { requestRenewal } from "./create.ts";
import { processRenewal } from "./process.ts";

type BatchDeps = Pick<Deps, "em" | "bus" | "clock" | "log">;

export async function createRenewals(
  deps: BatchDeps,
  caller: Caller,
  { hostIds, requestedDuration, untilDate, remark }: BatchCreateRenewalsInput,
): Promise<BatchCreateRenewals> {
  const now = deps.clock.now();
  const daysFor = (expiry: number) => requestedDuration ?? permitted(daysUntil(expiry, untilDate ?? 0, now));
  const outcomes = await oneByOne(deps, hostIds, (hostId) => requestRenewal(deps, caller, { hostId, remark, daysFor }));
  return { results: outcomes.map(({ id: hostId, value, result }) => ({ hostId, id: value?.id, ...result })) };
}

function permitted(days: number): number {
  if (days < RENEWAL_DAYS.min) throw new AppError("INVALID_INPUT", "该主机的到期时间已不早于所选日期");
  if (days > RENEWAL_DAYS.max) {
    throw new AppError("INVALID_INPUT", `续到所选日期超过${RENEWAL_DAYS.max}天，请选择更早的日期`);
  }
  return days;
}

export async function processRenewals(
  deps: BatchDeps,
  caller: Caller,
  { ids, ...decision }: BatchProcessRenewalsInput,
): Promise<BatchProcessRenewals> {
  const outcomes = await oneByOne(deps, ids, (id) => processRenewal(deps, caller, { id, ...decision }));
  return { results: outcomes.map(({ id, result }) => ({ id, ...result })) };
}
