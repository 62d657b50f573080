import type {
  BatchCreateRenewals,
  BatchCreateRenewalsInput,
  BatchProcessRenewals,
  BatchProcessRenewalsInput,
} from "../../../shared/batch.ts";
import type { Deps } from "../../platform/deps.ts";
import { runBatch } from "../../platform/run-batch.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { createRenewal } from "./create-renewal.ts";
import { processRenewal } from "./process-renewal.ts";

type BatchDeps = Pick<Deps, "actor" | "em" | "bus" | "clock" | "log">;

export async function createRenewals(
  deps: BatchDeps,
  caller: Caller,
  { hostIds, ...request }: BatchCreateRenewalsInput,
): Promise<BatchCreateRenewals> {
  const outcomes = await runBatch(deps, hostIds, (hostId) =>
    createRenewal(deps, caller, { hostId, ...request }),
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
  deps: BatchDeps,
  caller: Caller,
  { ids, ...decision }: BatchProcessRenewalsInput,
): Promise<BatchProcessRenewals> {
  const outcomes = await runBatch(deps, ids, (id) =>
    processRenewal(deps, caller, { id, ...decision }),
  );
  return { results: outcomes.map(({ id, result }) => ({ id, ...result })) };
}
