import { sql } from "kysely";
import type { BatchHostResult, BatchHosts, BatchHostsInput } from "../../shared/batch.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";
import type { Caller } from "../core/ports.ts";
import { assertPeriod, assignHost, unassignHost } from "../hosts/assignments.ts";
import { getHost } from "../hosts/queries.ts";
import { type RefreshDeps, refreshHosts } from "./refresh/refresh-hosts.ts";

/** The same operation on many hosts, each on its own: what fails for one leaves the others alone. */
export async function batchHosts(deps: RefreshDeps, caller: Caller, input: BatchHostsInput): Promise<BatchHosts> {
  switch (input.operation) {
    case "sync":
      return { results: await syncEach(deps, input.hostIds) };
    case "assign": {
      const { operation: _, hostIds, ...assignment } = input;
      // The same for all of them: nothing to tell of each.
      assertPeriod(assignment, deps.clock.now());
      const results = await oneByOne(deps, hostIds, (hostId) => assignHost(deps, caller, { hostId, ...assignment }));
      return { results };
    }
    case "unassign": {
      const { hostIds, userId } = input;
      return { results: await oneByOne(deps, hostIds, (hostId) => unassign(deps, caller, { hostId, userId })) };
    }
  }
}

async function syncEach(deps: RefreshDeps, hostIds: readonly string[]): Promise<BatchHostResult[]> {
  const outcomes = await refreshHosts(deps, hostIds);
  return hostIds.map((hostId) => {
    const outcome = outcomes.get(hostId);
    if (outcome instanceof AppError) return failed(hostId, outcome);
    if (outcome === "gone") return { hostId, ok: true, message: "主机在云服务商处已不存在" };
    return { hostId, ok: true };
  });
}

/** While the database is away the others would fail too, each after its own wait: they are told so untried. */
async function oneByOne(
  { log }: Pick<Deps, "log">,
  hostIds: readonly string[],
  act: (hostId: string) => Promise<unknown>,
): Promise<BatchHostResult[]> {
  const results: BatchHostResult[] = [];
  let outage: AppError | undefined;
  for (const hostId of hostIds) {
    if (outage !== undefined) {
      results.push(failed(hostId, outage));
      continue;
    }
    try {
      await act(hostId);
      results.push({ hostId, ok: true });
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === "UNAVAILABLE") outage = failure;
      if (failure.code === "INTERNAL") log.error({ err: error, hostId }, "unhandled error in a batch");
      results.push(failed(hostId, failure));
    }
  }
  return results;
}

function failed(hostId: string, { code, message }: AppError): BatchHostResult {
  return { hostId, ok: false, code, message };
}

/** From one client, or from all who have it. */
async function unassign(
  deps: RefreshDeps,
  caller: Caller,
  { hostId, userId }: { readonly hostId: string; readonly userId: string | undefined },
): Promise<void> {
  if (userId !== undefined) {
    await unassignHost(deps, caller, { hostId, userId });
    return;
  }
  const userIds = await assignedUsers(deps, caller, hostId);
  if (userIds.length === 0) throw new AppError("NOT_FOUND", "该主机没有分配给任何用户");
  for (const each of userIds) await unassignHost(deps, caller, { hostId, userId: each }).catch(unlessLost);
}

/** A client who has lost the host since it was looked up is where all of them should be. */
function unlessLost(error: unknown): void {
  if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error;
}

async function assignedUsers(deps: RefreshDeps, caller: Caller, hostId: string): Promise<string[]> {
  await getHost(deps, caller, { id: hostId });
  const { rows } = await sql<{ user_id: string }>`
    select user_id from assignments where host_id = ${hostId} and ended_at is null order by id
  `.execute(deps.em.getKysely());
  return rows.map(({ user_id }) => user_id);
}
