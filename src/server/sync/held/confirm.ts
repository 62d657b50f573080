import type { BatchHosts } from "../../../shared/batch.ts";
import type { HeldHostsInput } from "../../../shared/held-hosts.ts";
import { connectProvider } from "../../configs/connect-provider.ts";
import { ConfigEntity } from "../../configs/entity.ts";
import { AppError } from "../../core/errors.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { findHosts, MAX_PAGE_SIZE, type Partition } from "../../provider/uhost-api.ts";
import { groupByPartition } from "../absence.ts";
import { UNREADABLE } from "../refresh/check-partition.ts";
import {
  CALL_LIMITS,
  CONFIG_DELETED,
  CONFIG_INACTIVE,
  type RefreshDeps,
  TOTAL_TIMEOUT_MS,
  writeRefreshed,
} from "../refresh/refresh-hosts.ts";
import type { SeenHost } from "../run/host-sink.ts";
import { isUnavailable } from "../run/read-partition.ts";
import { findNamedHosts, type NamedHost } from "./queries.ts";
import { resultsFor } from "./results.ts";

type Outcome = "gone" | "found" | AppError;

const FOUND = "云平台上仍有这台主机，已恢复为正常";
const TIME_IS_UP = new AppError("PROVIDER_TIMEOUT", "时间不足，本次没有处理到这台主机，请再次确认");

/** Marks held hosts gone that the provider does not find by id, and ends the hold of the others. A failed call changes nothing. */
export async function confirmRemovals(deps: RefreshDeps, input: HeldHostsInput): Promise<BatchHosts> {
  const signal = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
  const named = await findNamedHosts(deps.em, input);
  const outcomes = new Map<string, Outcome>();
  const held = named.filter(({ isHeld }) => isHeld);
  await Promise.all(
    [...Map.groupBy(held, ({ configId }) => configId)].map(async ([configId, hosts]) => {
      for (const [id, outcome] of await confirmThrough(deps, configId, hosts, signal)) outcomes.set(id, outcome);
    }),
  );
  return resultsFor(input, named, ({ id }) => {
    const outcome = outcomes.get(id) ?? null;
    if (outcome === "gone") return { ok: true };
    return outcome === "found" ? { ok: true, message: FOUND } : outcome;
  });
}

async function confirmThrough(
  deps: RefreshDeps,
  configId: string | null,
  hosts: readonly NamedHost[],
  signal: AbortSignal,
): Promise<Map<string, Outcome>> {
  const config = configId === null ? null : await deps.em.fork().findOne(ConfigEntity, { id: configId });
  const sameForAll = (error: AppError) => new Map(hosts.map(({ id }) => [id, error]));
  if (config === null) return sameForAll(new AppError("STATE_CONFLICT", CONFIG_DELETED));
  if (!config.isActive) return sameForAll(new AppError("STATE_CONFLICT", CONFIG_INACTIVE));
  const { id: ownerId } = config;
  const client = connectProvider(deps, config, { signal, limits: CALL_LIMITS });
  const outcomes = new Map<string, Outcome>();

  async function confirm(partition: Partition, chunk: readonly NamedHost[]): Promise<void> {
    const now = deps.clock.now();
    const seen = await lookUp(client, partition, chunk, signal);
    if (seen instanceof AppError) {
      for (const { id } of chunk) outcomes.set(id, seen);
      return;
    }
    const foundIds = new Set(seen.map(({ host }) => host.ucloudId));
    const gone = chunk.filter(({ ucloudId }) => !foundIds.has(ucloudId));
    const removed = await writeRefreshed(deps, ownerId, { seen, gone, held: [], now });
    for (const { id, ucloudId } of chunk) {
      if (foundIds.has(ucloudId)) outcomes.set(id, "found");
      else if (removed?.has(id)) outcomes.set(id, "gone");
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
async function lookUp(
  client: ProviderClient,
  partition: Partition,
  hosts: readonly NamedHost[],
  signal: AbortSignal,
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
