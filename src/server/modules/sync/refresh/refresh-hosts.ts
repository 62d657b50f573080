import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Host } from "../../../../shared/hosts.ts";
import type { IdInput } from "../../../../shared/ids.ts";
import { MASS_REMOVAL } from "../../../../shared/sync.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { BatchOutcome } from "../../../platform/run-batch.ts";
import type { Caller } from "../../../platform/trpc/caller.ts";
import { partitionKey } from "../../../provider/uhost-api.ts";
import { getHost, hostNotFound } from "../../hosts/queries.ts";
import {
  type AbsenceDecision,
  groupByPartition,
  holdMassRemoval,
  judgeAbsences,
  type MissingHost,
  NOTHING_REMOVED,
  type PartitionHosts,
} from "../absence.ts";
import type { Crawl } from "../crawl.ts";
import { publishChanges } from "../events.ts";
import {
  holdHosts,
  noteObservations,
  removeHosts,
  type SeenHost,
  writeHosts,
} from "../host-store.ts";
import { isUnavailable } from "../read-partition.ts";
import { readRemovalWindow } from "../removal-window.ts";
import { heldHosts } from "../run-errors.ts";
import {
  type ConfigHosts,
  configDeleted,
  configSwitchedOff,
  findStoredHosts,
  forEachConfig,
  type RefreshDeps,
  type StoredHost,
} from "./for-each-config.ts";

const PRESENT: BatchOutcome = { ok: true };
const GONE: BatchOutcome = { ok: true, message: "主机在云服务商处已不存在" };
const INCOMPLETE = new AppError(
  "PROVIDER_ERROR",
  "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认",
);
export const UNNAMED_PROJECT = new AppError(
  "STATE_CONFLICT",
  "主机所在的项目已不在配置的项目范围内，没有写入；如仍需要，请在配置中加回该项目后重新同步",
);
export const UNREADABLE = new AppError(
  "PROVIDER_ERROR",
  "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试",
);

export async function syncOneHost(
  deps: RefreshDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<Host> {
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
  const outcomes = await forEachConfig(deps, hosts, (owned) => refreshHostsOfConfig(deps, owned));
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? hostNotFound()]));
}

async function refreshHostsOfConfig(
  deps: RefreshDeps,
  { configId, hosts, crawl, found }: ConfigHosts,
): Promise<(host: StoredHost) => BatchOutcome> {
  const startedAt = deps.clock.now();
  await Promise.all(groupByPartition(hosts).map((group) => searchPartition(crawl, group)));

  /** A list that leaves out a host that was found by its id proves nothing. */
  const isLeftOut = (host: StoredHost) =>
    crawl.partitions.get(partitionKey(host))?.ids.has(host.ucloudId) === false;
  const contradicted = new Set(
    hosts.filter((host) => found.has(host.ucloudId) && isLeftOut(host)).map(partitionKey),
  );
  const missing = hosts.filter(
    ({ ucloudId, goneAt }) => goneAt === null && !crawl.seen.has(ucloudId),
  );
  const judgement = await judgeAbsences(missing.map(withoutEarlierDecision), {
    readings: crawl.partitions,
    isAbsent: async (partition, ids) =>
      (await crawl.isAbsent(partition, ids)) && !contradicted.has(partitionKey(partition)),
    now: deps.clock.now(),
  });

  const written = await inTransaction(deps, async (em) => {
    const target = await lockRefreshedConfig(em, configId);
    // Counted under the lock, so that refreshes at the same moment do not pass the limit together.
    const isAnyAbsent = judgement.absent.length > 0;
    const window = isAnyAbsent
      ? await readRemovalWindow(em, configId, deps.clock.now())
      : NOTHING_REMOVED;
    const { gone, held } = holdMassRemoval(judgement, window);
    const findings = {
      seen: [...found.values()],
      gone,
      held,
      startedAt,
      cause: "refresh",
    } as const;
    return { window, held, ...(await writeFindings(deps, em, target, findings)) };
  });

  return (host) => {
    if (written.unnamed.has(host.ucloudId)) return UNNAMED_PROJECT;
    if (found.has(host.ucloudId)) return PRESENT;
    if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
    if (host.goneAt !== null || written.removed.has(host.id)) return GONE;
    const reason = written.held.find(({ id }) => id === host.id)?.reason;
    if (reason === undefined) return crawl.failures.get(partitionKey(host)) ?? INCOMPLETE;
    const { length: count } = written.held.filter((other) => other.reason === reason);
    return new AppError(
      "PROVIDER_ERROR",
      heldHosts(reason, { count, window: written.window }).message,
    );
  };
}

/** A person who refreshes a host that is held or was kept wants it decided anew. */
function withoutEarlierDecision({
  id,
  ucloudId,
  region,
  projectId,
  heldAt,
  heldReason,
  dismissedAt,
}: StoredHost): MissingHost {
  const own = heldReason === MASS_REMOVAL ? null : (heldReason ?? null);
  const since = heldAt ?? dismissedAt ?? null;
  return { id, ucloudId, region, projectId, heldAt: since, heldReason: own, isDismissed: false };
}

/** Requests hosts by id. When some are missing, reads the whole partition. */
async function searchPartition(
  crawl: Crawl,
  { partition, ids }: PartitionHosts<StoredHost>,
): Promise<void> {
  await crawl.isAbsent(partition, ids);
  const failure = crawl.failures.get(partitionKey(partition));
  const isAnyMissing = ids.some((id) => !crawl.seen.has(id));
  if (isAnyMissing && (failure === undefined || isUnavailable(failure)))
    await crawl.read([partition]);
}

/** What is written only as long as the configuration stays as it is. */
interface RefreshedConfig {
  readonly id: string;
  readonly projectIds: readonly string[];
}

/**
 * Locks the configuration and reads it again: it may have been changed while the provider was asked.
 * Throws when it was deleted or switched off meanwhile.
 */
export async function lockRefreshedConfig(
  em: SqlEntityManager,
  id: string,
): Promise<RefreshedConfig> {
  const config = await kyselyOf(em)
    .selectFrom("configs")
    .select(["id", "isActive", "projectIds"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (config === undefined) throw configDeleted();
  if (!config.isActive) throw configSwitchedOff();
  return config;
}

interface Findings extends Pick<AbsenceDecision, "held"> {
  readonly seen: readonly SeenHost[];
  readonly gone: readonly Pick<MissingHost, "id">[];
  /** Before the provider was asked, in Unix seconds. */
  readonly startedAt: number;
  readonly cause: "refresh" | "confirmation";
}

interface WrittenFindings {
  /** Ids of the hosts that are gone now. */
  readonly removed: ReadonlySet<string>;
  /** Provider's ids of hosts that were found in projects that the configuration names no longer. */
  readonly unnamed: ReadonlySet<string>;
}

/** Writes what a refresh found in a configuration that `lockRefreshedConfig` has locked. */
export async function writeFindings(
  { clock }: Pick<RefreshDeps, "clock">,
  em: SqlEntityManager,
  { id: configId, projectIds }: RefreshedConfig,
  { seen, gone, held, startedAt: before, cause }: Findings,
): Promise<WrittenFindings> {
  const at = clock.now();
  // The hosts of unnamed projects are released; to write them would bring them back.
  const isNamed = ({ partition: { projectId } }: SeenHost) =>
    projectIds.length === 0 || projectId === "" || projectIds.includes(projectId);
  const { named = [], unnamed = [] } = Object.groupBy(seen, (host) =>
    isNamed(host) ? "named" : "unnamed",
  );

  const changes = await writeHosts(em, configId, named, at);
  await noteObservations(em, configId, named);
  const removed = await removeHosts(em, { configId, hosts: gone, before, at, cause });
  const isAnyHeld = await holdHosts(em, { configId, hosts: held, before, at, cause, runId: null });
  await publishChanges(em, { configId, hosts: [...changes, ...removed], isAnyHeld }, at);

  return {
    removed: new Set(removed.map(({ id }) => id)),
    unnamed: new Set(unnamed.map(({ host }) => host.ucloudId)),
  };
}
