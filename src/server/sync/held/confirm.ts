import type { BatchHosts } from "../../../shared/batch.ts";
import type { HeldHostsInput } from "../../../shared/held-hosts.ts";
import { AppError } from "../../core/errors.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { findHosts, MAX_PAGE_SIZE, type Partition } from "../../provider/uhost-api.ts";
import { groupByPartition } from "../absence.ts";
import { UNREADABLE, writeRefreshed } from "../refresh/refresh-hosts.ts";
import { type Connection, type RefreshDeps, throughConfigs } from "../refresh/through-configs.ts";
import type { SeenHost } from "../run/host-sink.ts";
import { isUnavailable } from "../run/read-partition.ts";
import { findNamedHosts, type NamedHost } from "./queries.ts";
import { resultsFor } from "./results.ts";

type Outcome = "gone" | "found" | AppError;

const FOUND = "云平台上仍有这台主机，已恢复为正常";
const TIME_IS_UP = new AppError("PROVIDER_TIMEOUT", "时间不足，本次没有处理到这台主机，请再次确认");

/** Marks held hosts gone that the provider does not find by id, and ends the hold of the others. A failed call changes nothing. */
export async function confirmRemovals(deps: RefreshDeps, input: HeldHostsInput): Promise<BatchHosts> {
  const named = await findNamedHosts(deps.em, input);
  const held = named.filter(({ isHeld }) => isHeld);
  const outcomes = await throughConfigs(deps, held, (connection, hosts) => confirmThrough(deps, connection, hosts));
  return resultsFor(input, named, ({ id }) => {
    const outcome = outcomes.get(id) ?? null;
    if (outcome === "gone") return { ok: true };
    return outcome === "found" ? { ok: true, message: FOUND } : outcome;
  });
}

async function confirmThrough(
  deps: RefreshDeps,
  connection: Connection,
  hosts: readonly NamedHost[],
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();

  async function confirm(partition: Partition, chunk: readonly NamedHost[]): Promise<void> {
    const now = deps.clock.now();
    const seen = await findByIds(connection, partition, chunk);
    if (seen instanceof AppError) {
      for (const { id } of chunk) outcomes.set(id, seen);
      return;
    }
    const foundIds = new Set(seen.map(({ host }) => host.ucloudId));
    const gone = chunk.filter(({ ucloudId }) => !foundIds.has(ucloudId));
    const removed = await writeRefreshed(deps, connection.configId, { seen, gone, held: [], now });
    for (const { id, ucloudId } of chunk) {
      if (foundIds.has(ucloudId)) outcomes.set(id, "found");
      else if (removed.has(id)) outcomes.set(id, "gone");
    }
  }

  await Promise.all(
    groupByPartition(hosts).map(async ({ hosts: wanted, ...partition }) => {
      for (let start = 0; start < wanted.length; start += MAX_PAGE_SIZE) {
        await confirm(partition, wanted.slice(start, start + MAX_PAGE_SIZE));
      }
    }),
  );
  return outcomes;
}

/** Those of the hosts that the provider finds, none in a closed region or an unknown project; an error when it gave no answer. */
async function findByIds(
  { client, signal }: Connection,
  partition: Partition,
  hosts: readonly NamedHost[],
): Promise<readonly SeenHost[] | AppError> {
  try {
    const ids = hosts.map(({ ucloudId }) => ucloudId);
    const page = await findHosts(client, { ...partition, ids }, signal);
    if (page.rejected.length > 0) return UNREADABLE;
    return page.hosts.map((host) => ({ host, partition, requestedAt: page.requestedAt }));
  } catch (error) {
    if (signal.aborted) return TIME_IS_UP;
    if (error instanceof ProviderFailure && isUnavailable(error)) return [];
    if (error instanceof AppError) return error;
    throw error;
  }
}
