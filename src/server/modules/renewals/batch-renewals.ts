import type {
  BatchCreateRenewals,
  BatchCreateRenewalsInput,
  BatchProcessRenewals,
  BatchProcessRenewalsInput,
} from "../../../shared/batch.ts";
import { runBatch } from "../../platform/run-batch.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSeveral } from "../audit-records/note-subject.ts";
import { withSharedNotices } from "../notice-records/shared-notices.ts";
import { createRenewal } from "./create-renewal.ts";
import type { RenewalsDeps } from "./deps.ts";
import { processRenewal } from "./process-renewal.ts";

export async function createRenewals(
  deps: RenewalsDeps,
  caller: Caller,
  { hostIds, ...renewal }: BatchCreateRenewalsInput,
): Promise<BatchCreateRenewals> {
  noteSeveral(deps);
  const outcomes = await withSharedNotices(deps, (own) =>
    runBatch(own, hostIds, (hostId) => createRenewal(own, caller, { hostId, ...renewal })),
  );
  return {
    results: outcomes.map(({ id: hostId, value, result }) => ({
      hostId,
      id: value?.id,
      ...result,
    })),
  };
}

export async function processRenewals(
  deps: RenewalsDeps,
  caller: Caller,
  { ids, ...decision }: BatchProcessRenewalsInput,
): Promise<BatchProcessRenewals> {
  noteSeveral(deps);
  const outcomes = await withSharedNotices(deps, (own) =>
    runBatch(own, ids, (id) => processRenewal(own, caller, { id, ...decision })),
  );
  return { results: outcomes.map(({ id, result }) => ({ id, ...result })) };
}
