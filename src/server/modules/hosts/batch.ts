import type { BatchHosts, BatchHostsInput } from "../../../shared/batch.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { runBatch } from "../../platform/run-batch.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import type { RefreshDeps } from "../sync/refresh/host-search.ts";
import { refreshHosts } from "../sync/refresh/refresh-hosts.ts";
import { findPeriodProblem, type StoredPeriod } from "./assigned-period.ts";
import { assignHost, unassignHost } from "./assignments.ts";
import { transferHost } from "./transfer.ts";

type BatchAssignInput = Extract<BatchHostsInput, { operation: "assign" }>;

export async function batchHosts(
  deps: RefreshDeps,
  caller: Caller,
  input: BatchHostsInput,
): Promise<BatchHosts> {
  if (input.operation === "sync") return await refreshHosts(deps, input);
  if (input.operation === "assign") await assertPeriodFitsSome(deps, input);
  const outcomes = await runBatch(deps, input.hostIds, actionOf(deps, caller, input));
  return { results: outcomes.map(({ id: hostId, result }) => ({ hostId, ...result })) };
}

function actionOf(
  deps: RefreshDeps,
  caller: Caller,
  input: Exclude<BatchHostsInput, { operation: "sync" }>,
): (hostId: string) => Promise<unknown> {
  switch (input.operation) {
    case "unassign": {
      const { userId } = input;
      return (hostId) => unassignHost(deps, caller, { hostId, userId });
    }
    case "transfer": {
      const { operation: _, hostIds: __, ...transfer } = input;
      return (hostId) => transferHost(deps, caller, { hostId, ...transfer });
    }
    case "assign": {
      const { operation: _, hostIds: __, allowShorter = false, ...assignment } = input;
      const refusesShorter = !allowShorter;
      return (hostId) => assignHost(deps, caller, { hostId, ...assignment, refusesShorter });
    }
  }
}

/**
 * A period that no host could take is a mistake in the input, and the whole batch is refused. One that only some
 * could take, because of the start or the end that is stored for them, is decided for each host on its own.
 */
async function assertPeriodFitsSome(deps: RefreshDeps, input: BatchAssignInput): Promise<void> {
  const now = deps.clock.now();
  const present = await findStoredPeriods(deps, input);
  const periods: (StoredPeriod | null)[] = [...present];
  if (present.length < input.hostIds.length) periods.push(null);

  const problems = periods.map((stored) => findPeriodProblem(input, stored, now));
  const [first] = problems;
  if (first && !problems.includes(null)) throw first;
}

async function findStoredPeriods(
  { em }: RefreshDeps,
  { hostIds, userId }: BatchAssignInput,
): Promise<StoredPeriod[]> {
  return await kyselyOf(em)
    .selectFrom("assignments")
    .select(["assignedAt", "assignedExpireTime"])
    .where("host", "in", hostIds)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .execute();
}
