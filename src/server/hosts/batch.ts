import type { BatchHostResult, BatchHosts, BatchHostsInput } from "../../shared/batch.ts";
import { AppError } from "../core/errors.ts";
import { failedResult, oneByOne } from "../core/one-by-one.ts";
import type { Caller } from "../core/ports.ts";
import { refreshHosts } from "../sync/refresh/refresh-hosts.ts";
import type { RefreshDeps } from "../sync/refresh/through-configs.ts";
import { assertPeriod, assignHost, unassignHost } from "./assignments.ts";

export async function batchHosts(deps: RefreshDeps, caller: Caller, input: BatchHostsInput): Promise<BatchHosts> {
  if (input.operation === "sync") return { results: await syncEach(deps, input.hostIds) };
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

async function syncEach(deps: RefreshDeps, hostIds: readonly string[]): Promise<BatchHostResult[]> {
  const outcomes = await refreshHosts(deps, hostIds);
  return hostIds.map((hostId) => {
    const outcome = outcomes.get(hostId);
    if (outcome instanceof AppError) return { hostId, ...failedResult(outcome) };
    if (outcome === "gone") return { hostId, ok: true, message: "主机在云服务商处已不存在" };
    return { hostId, ok: true };
  });
}
