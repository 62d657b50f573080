import type { Host } from "../../../shared/hosts.ts";
import type { IdInput } from "../../../shared/ids.ts";
import { MASS_REMOVAL } from "../../../shared/sync.ts";
import { AppError } from "../../core/errors.ts";
import type { BatchOutcome } from "../../core/one-by-one.ts";
import type { Caller } from "../../core/ports.ts";
import { kyselyOf } from "../../database/kysely.ts";
import { inTransaction } from "../../database/transaction.ts";
import { HostEntity } from "../../hosts/entity.ts";
import { getHost, hostNotFound } from "../../hosts/queries.ts";
import { partitionKey } from "../../provider/uhost-api.ts";
import {
  type AbsenceDecision,
  decideAbsences,
  groupByPartition,
  type MissingHost,
  type PartitionHosts,
} from "../absence.ts";
import type { Crawl } from "../crawl.ts";
import { publishChanges } from "../events.ts";
import { holdHosts, removeHosts, type SeenHost, writeHosts } from "../host-store.ts";
import { isUnavailable } from "../read-partition.ts";
import { heldHosts } from "../run-errors.ts";
import {
  type ConfigHosts,
  configDeleted,
  findStoredHosts,
  type RefreshDeps,
  type StoredHost,
  throughConfigs,
} from "./through-configs.ts";

const PRESENT: BatchOutcome = { ok: true };
const GONE: BatchOutcome = { ok: true, message: "主机在云服务商处已不存在" };
const INCOMPLETE = new AppError(
  "PROVIDER_ERROR",
  "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认",
);
export const UNREADABLE = new AppError("PROVIDER_ERROR", "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试");

export async function syncOneHost(deps: RefreshDeps, caller: Caller, { id }: IdInput): Promise<Host> {
  const outcome = (await refreshHosts(deps, [id])).get(id);
  if (outcome instanceof AppError) throw outcome;
  return await getHost(deps, caller, { id });
}

/** An error when the provider gave no answer, or the host is held. */
export async function refreshHosts(
  deps: RefreshDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BatchOutcome>> {
  const hosts = await findStoredHosts(deps.em.fork(), { id: [...ids] });
  const outcomes = await throughConfigs(deps, hosts, (owned) => refreshThrough(deps, owned));
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? hostNotFound()]));
}

async function refreshThrough(
  deps: RefreshDeps,
  { configId, hosts, crawl, found }: ConfigHosts,
): Promise<(host: StoredHost) => BatchOutcome> {
  const now = deps.clock.now();
  const presentBefore = await deps.em.fork().count(HostEntity, { config: configId, goneAt: null });
  await Promise.all(groupByPartition(hosts).map((group) => searchPartition(crawl, group)));
  /** A list that leaves out a host that was found by its id proves nothing. */
  const isLeftOut = (host: StoredHost) => crawl.partitions.get(partitionKey(host))?.ids.has(host.ucloudId) === false;
  const contradicted = new Set(hosts.filter((host) => found.has(host.ucloudId) && isLeftOut(host)).map(partitionKey));
  const missing = hosts.filter(({ ucloudId, goneAt }) => goneAt === null && !crawl.seen.has(ucloudId));
  const decision = await decideAbsences(missing.map(decidedAnew), {
    readings: crawl.partitions,
    isAbsent: async (partition, ids) =>
      (await crawl.isAbsent(partition, ids)) && !contradicted.has(partitionKey(partition)),
    presentBefore,
    now,
  });
  const removed = await writeRefreshed(deps, configId, { seen: [...found.values()], ...decision, now });
  return (host) => {
    if (found.has(host.ucloudId)) return PRESENT;
    if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
    if (host.goneAt !== null || removed.has(host.id)) return GONE;
    const reason = decision.held.find(({ id }) => id === host.id)?.reason;
    if (reason === undefined) return crawl.failures.get(partitionKey(host)) ?? INCOMPLETE;
    const { length: count } = decision.held.filter((other) => other.reason === reason);
    return new AppError("PROVIDER_ERROR", heldHosts(reason, { count, presentBefore }).message);
  };
}

/** A person who refreshes a host that is held or was kept wants it decided anew. */
function decidedAnew({ id, ucloudId, region, projectId, heldAt, heldReason, dismissedAt }: StoredHost): MissingHost {
  const own = heldReason === MASS_REMOVAL ? null : (heldReason ?? null);
  const since = heldAt ?? dismissedAt ?? null;
  return { id, ucloudId, region, projectId, heldAt: since, heldReason: own, isDismissed: false };
}

/** Requests hosts by id. When some are missing, reads the whole partition. */
async function searchPartition(crawl: Crawl, { partition, ids }: PartitionHosts<StoredHost>): Promise<void> {
  await crawl.isAbsent(partition, ids);
  const failure = crawl.failures.get(partitionKey(partition));
  const isAnyMissing = ids.some((id) => !crawl.seen.has(id));
  if (isAnyMissing && (failure === undefined || isUnavailable(failure))) await crawl.read([partition]);
}

interface Findings extends Pick<AbsenceDecision, "held"> {
  readonly seen: readonly SeenHost[];
  readonly gone: readonly Pick<MissingHost, "id">[];
  readonly now: number;
}

/** Returns the ids of the hosts that are gone now. Throws when the configuration was deleted meanwhile. */
export async function writeRefreshed(
  deps: RefreshDeps,
  configId: string,
  { seen, gone, held, now: at }: Findings,
): Promise<ReadonlySet<string>> {
  return await inTransaction(deps, async (em) => {
    const config = kyselyOf(em).selectFrom("configs").select("id").where("id", "=", configId);
    if ((await config.forShare().executeTakeFirst()) === undefined) throw configDeleted();
    // A run that is under way must not take an unchanged host for gone.
    const changes = await writeHosts(em, configId, seen, { isUnchangedWritten: true });
    const removed = await removeHosts(em, { configId, hosts: gone, before: at, at, isByHand: true });
    const isAnyHeld = await holdHosts(em, { configId, hosts: held, before: at, at, runId: null });
    await publishChanges(em, { configId, hosts: [...changes, ...removed], isAnyHeld }, at);
    return new Set(removed.map(({ id }) => id));
  });
}
