import type { BatchHosts, BatchHostsInput } from "../../../shared/batch.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { runBatch } from "../../platform/run-batch.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSeveral } from "../audit-records/note-subject.ts";
import { findPeriodProblem, type StoredPeriod } from "../hosts/assigned-period.ts";
import { tagHost } from "../hosts/tag-host.ts";
import { withSharedNotices } from "../notice-records/shared-notices.ts";
import { refreshHosts } from "../sync/refresh/refresh-hosts.ts";
import { assignHost } from "./assign-host.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { transferHost } from "./transfer-host.ts";
import { unassignHost } from "./unassign-host.ts";

type BatchAssignInput = Extract<BatchHostsInput, { operation: "assign" }>;

export async function batchHosts(
  deps: AssignmentsDeps,
  caller: Caller,
  input: BatchHostsInput,
): Promise<BatchHosts> {
  noteSeveral(deps);
  // Together, not one after the other: hosts of one partition are asked for in one call.
  if (input.operation === "sync") return await refreshHosts(deps, input);
  if (input.operation === "assign") await assertPeriodFitsSome(deps, input);

  const outcomes = await withSharedNotices(deps, (own) =>
    runBatch(own, input.hostIds, actionOf(own, caller, input)),
  );
  return { results: outcomes.map(({ id: hostId, result }) => ({ hostId, ...result })) };
}

/** What is done with each host. */
function actionOf(
  deps: AssignmentsDeps,
  caller: Caller,
  input: Exclude<BatchHostsInput, { operation: "sync" }>,
): (hostId: string) => Promise<unknown> {
  switch (input.operation) {
    case "unassign": {
      const { userId } = input;
      return (hostId) => unassignHost(deps, caller, { hostId, userId });
    }
    case "transfer": {
      const { operation: _operation, hostIds: _hostIds, ...transfer } = input;
      return (hostId) => transferHost(deps, caller, { hostId, ...transfer });
    }
    case "tag": {
      const { add, remove } = input;
      return (hostId) => tagHost(deps, { hostId, add, remove });
    }
    case "assign": {
      const {
        operation: _operation,
        hostIds: _hostIds,
        allowShorter = false,
        ...assignment
      } = input;
      const refusesShorter = !allowShorter;
      return (hostId) => assignHost(deps, caller, { hostId, ...assignment, refusesShorter });
    }
  }
}

/**
 * A period that no host could take is a mistake in the input, and the whole batch is refused. One
 * that only some could take, because of the start or the end that is stored for them, is decided
 * for each host on its own.
 */
async function assertPeriodFitsSome(deps: AssignmentsDeps, input: BatchAssignInput): Promise<void> {
  const now = deps.clock.now();
  const present = await findStoredPeriods(deps, input);
  const periods: (StoredPeriod | null)[] = [...present];
  const isAnyNew = present.length < input.hostIds.length;
  if (isAnyNew) periods.push(null);

  const problems = periods.map((stored) => findPeriodProblem(input, stored, now));
  const [problem] = problems;
  if (problem !== undefined && problem !== null && !problems.includes(null)) throw problem;
}

async function findStoredPeriods(
  { em }: AssignmentsDeps,
  { hostIds, userId }: BatchAssignInput,
): Promise<StoredPeriod[]> {
  return await kyselyOf(em)
    .selectFrom("assignments as a")
    .select(["a.assignedAt", "a.assignedExpireTime"])
    .where("a.host", "=", anyOf(hostIds))
    .where("a.userId", "=", userId)
    .where("a.endedAt", "is", null)
    .execute();
}
