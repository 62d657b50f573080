import type { BatchHostResult, BatchHosts, BatchHostsInput } from "../../shared/batch.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { failedResult, oneByOne } from "../core/one-by-one.ts";
import type { Caller } from "../core/ports.ts";
import { refreshHosts } from "../sync/refresh/refresh-hosts.ts";
import type { RefreshDeps } from "../sync/refresh/through-configs.ts";
import { assertPeriod, assignHost, unassignHost } from "./assignments.ts";

/** The same operation on many hosts, each on its own: what fails for one leaves the others alone. */
export async function batchHosts(deps: RefreshDeps, caller: Caller, input: BatchHostsInput): Promise<BatchHosts> {
  switch (input.operation) {
    case "sync":
      return { results: await syncEach(deps, input.hostIds) };
    case "assign": {
      const { operation: _, hostIds, ...assignment } = input;
      assertPeriod(assignment, deps.clock.now());
      const results = await actOnEach(deps, hostIds, (hostId) => assignHost(deps, caller, { hostId, ...assignment }));
      return { results };
    }
    case "unassign": {
      const { hostIds, userId } = input;
      const results = await actOnEach(deps, hostIds, (hostId) => unassignHost(deps, caller, { hostId, userId }));
      return { results };
    }
  }
}

async function syncEach(deps: RefreshDeps, hostIds: readonly string[]): Promise<BatchHostResult[]> {
  const outcomes = await refreshHosts(deps, hostIds);
  return hostIds.map((hostId) => {
    const outcome = outcomes.get(hostId);
    if (outcome instanceof AppError) return { hostId, ...failedResult(outcome) };
    if (outcome === "gone") return { hostId, ok: true, message: "主机在云服务商处已不存在" };
    return { hostId, ok: true };
  });
}

async function actOnEach(
  deps: Pick<Deps, "log">,
  hostIds: readonly string[],
  act: (hostId: string) => Promise<unknown>,
): Promise<BatchHostResult[]> {
  const outcomes = await oneByOne(deps, hostIds, act);
  return outcomes.map(({ id: hostId, result }) => ({ hostId, ...result }));
}
