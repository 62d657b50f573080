import type { BatchHosts, BatchHostsInput } from "../../shared/batch.ts";
import { oneByOne, resultOf } from "../core/one-by-one.ts";
import type { Caller } from "../core/ports.ts";
import { refreshHosts } from "../sync/refresh/refresh-hosts.ts";
import type { RefreshDeps } from "../sync/refresh/through-configs.ts";
import { assertPeriod, assignHost, unassignHost } from "./assignments.ts";

export async function batchHosts(deps: RefreshDeps, caller: Caller, input: BatchHostsInput): Promise<BatchHosts> {
  if (input.operation === "sync") {
    const refreshed = await refreshHosts(deps, input.hostIds);
    return { results: Array.from(refreshed, ([hostId, outcome]) => ({ hostId, ...resultOf(outcome) })) };
  }
  const outcomes = await oneByOne(deps, input.hostIds, actionOf(deps, caller, input));
  return { results: outcomes.map(({ id: hostId, result }) => ({ hostId, ...result })) };
}

function actionOf(deps: RefreshDeps, caller: Caller, input: Exclude<BatchHostsInput, { operation: "sync" }>) {
  const { userId } = input;
  if (input.operation === "unassign") return (hostId: string) => unassignHost(deps, caller, { hostId, userId });
  const { operation: _, hostIds: __, ...assignment } = input;
  assertPeriod(assignment, deps.clock.now());
  return (hostId: string) => assignHost(deps, caller, { hostId, ...assignment });
}
