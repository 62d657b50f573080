import type { BatchHosts } from "../../../../shared/batch.ts";
import type { Host } from "../../../../shared/hosts.ts";
import type { IdInput } from "../../../../shared/ids.ts";
import { MASS_REMOVAL } from "../../../../shared/sync.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Caller } from "../../../platform/trpc/caller.ts";
import { partitionKey } from "../../../provider/uhost-api.ts";
import { noteSubject } from "../../audit-records/note-subject.ts";
import { getHost, hostNotFound } from "../../hosts/queries.ts";
import {
  type AbsenceDecision,
  type AbsenceJudgement,
  groupByPartition,
  type HeldHost,
  holdMassRemoval,
  isHeldByMassRemoval,
  judgeAbsences,
  type MissingHost,
  NOTHING_REMOVED,
  type PartitionHosts,
  type RemovalWindow,
} from "../absence.ts";
import type { Crawl } from "../crawl.ts";
import type { SyncDeps } from "../deps.ts";
import { isUnavailable } from "../read-partition.ts";
import { readRemovalWindow } from "../removal-window.ts";
import { HELD_HOST_MESSAGES, massRemoval } from "../run-errors.ts";
import { settleLater } from "../settling/settling.ts";
import { findStoredHosts, forEachConfig, type StoredHost } from "./for-each-config.ts";
import {
  failed,
  type HostOutcome,
  type HostOutcomes,
  presentOutcome,
  UNNAMED_PROJECT,
  UNREADABLE,
} from "./host-outcome.ts";
import type { HostSearch } from "./host-search.ts";
import { recordRefresh } from "./record-refresh.ts";
import { startTimeLimit } from "./time-limit.ts";
import { lockRefreshedConfig, type WrittenFindings, writeFindings } from "./write-findings.ts";

const PRESENT: HostOutcome = { kind: "done" };
const GONE: HostOutcome = { kind: "done", message: "主机在云服务商处已不存在" };
const INCOMPLETE = new AppError(
  "PROVIDER_ERROR",
  "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认",
);
const DECIDED_MEANWHILE = new AppError(
  "STATE_CONFLICT",
  "查询期间另一次同步已更新这台主机，本次没有写入；请刷新页面查看最新状态",
);

export async function syncOneHost(deps: SyncDeps, caller: Caller, { id }: IdInput): Promise<Host> {
  const { name } = await getHost(deps, caller, { id });
  noteSubject(deps, { type: "host", id, label: name });

  const outcome = (await refreshEach(deps, [id])).get(id);
  if (outcome?.kind === "failed") throw outcome.error;
  return await getHost(deps, caller, { id });
}

/** One result for each host: an error when the provider gave no answer, or the host is held. */
export async function refreshHosts(
  deps: SyncDeps,
  { hostIds }: { readonly hostIds: readonly string[] },
): Promise<BatchHosts> {
  const outcomes = await refreshEach(deps, hostIds);
  return { results: Array.from(outcomes, ([id, outcome]) => presentOutcome(id, outcome)) };
}

/** An outcome for each id, in their order. */
async function refreshEach(deps: SyncDeps, ids: readonly string[]): Promise<HostOutcomes> {
  using limit = startTimeLimit();
  const hosts = await findStoredHosts(deps.em.fork(), ids);
  const outcomes = await forEachConfig(deps, hosts, limit.signal, (search) =>
    refreshHostsOfConfig(deps, search),
  );
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? failed(hostNotFound())]));
}

/**
 * Asks for hosts by id; where some are missing, reads their whole partition; then decides about
 * those that were found by neither, by the rules of a run (absence.ts), and writes what it found.
 */
async function refreshHostsOfConfig(
  deps: SyncDeps,
  search: HostSearch<StoredHost>,
): Promise<HostOutcomes> {
  const startedAt = deps.clock.now();
  const partitions = groupByPartition(search.hosts);
  await Promise.all(partitions.map((partition) => searchPartition(search.crawl, partition)));

  const judgement = await judgeMissing(search, deps.clock.now());
  const written = await writeRefresh(deps, search, judgement, startedAt);
  return new Map(search.hosts.map((host) => [host.id, outcomeOf(host, search, written)]));
}

async function searchPartition(
  crawl: Crawl,
  { partition, ids }: PartitionHosts<StoredHost>,
): Promise<void> {
  await crawl.lookUp(partition, ids);
  if (ids.every((id) => crawl.seen.has(id))) return;

  // Where the lookup failed, the list would, too. A closed region is an answer, and its reading is
  // what holds the hosts.
  const failure = crawl.failures.get(partitionKey(partition));
  if (failure === undefined || isUnavailable(failure)) await crawl.read([partition]);
}

async function judgeMissing(
  { hosts, crawl, found }: HostSearch<StoredHost>,
  now: number,
): Promise<AbsenceJudgement> {
  const missing = hosts.filter(
    ({ ucloudId, goneAt }) => goneAt === null && !crawl.seen.has(ucloudId),
  );

  // A list that leaves out a host that was found by its id proves nothing.
  const isLeftOut = (host: StoredHost) =>
    crawl.partitions.get(partitionKey(host))?.ids.has(host.ucloudId) === false;
  const contradicted = new Set(
    hosts.filter((host) => found.has(host.ucloudId) && isLeftOut(host)).map(partitionKey),
  );

  return await judgeAbsences(missing.map(withoutDismissal), {
    readings: crawl.partitions,
    async isAbsent(partition, ids) {
      const lookup = await crawl.lookUp(partition, ids);
      return lookup === "none" && !contradicted.has(partitionKey(partition));
    },
    now,
  });
}

/**
 * A person who refreshes a host that was kept wants it decided anew. What a mass removal holds stays
 * held: a choice of a few hosts is no mass removal, and would pass the limit part by part.
 */
function withoutDismissal(host: StoredHost): MissingHost {
  const { id, ucloudId, region, projectId, presentSince, heldAt, heldReason, dismissedAt } = host;
  return {
    id,
    ucloudId,
    region,
    projectId,
    presentSince,
    heldAt: heldAt ?? dismissedAt ?? null,
    heldReason: heldReason ?? null,
    isDismissed: false,
  };
}

interface WrittenRefresh extends WrittenFindings {
  readonly window: RemovalWindow;
  readonly decision: AbsenceDecision;
}

async function writeRefresh(
  deps: SyncDeps,
  { configId, hosts, found }: HostSearch<StoredHost>,
  judgement: AbsenceJudgement,
  startedAt: number,
): Promise<WrittenRefresh> {
  return await inTransaction(deps, async (em) => {
    const config = await lockRefreshedConfig(em, configId);

    // Counted under the lock, so that refreshes at the same moment do not pass the limit together.
    const isAnyAbsent = judgement.absent.length > 0;
    const window = isAnyAbsent
      ? await readRemovalWindow(em, configId, deps.clock.now())
      : NOTHING_REMOVED;
    const decision = holdMassRemoval(judgement, window);

    const seen = [...found.values()];
    const { gone, held } = decision;
    const findings = { seen, gone, held, startedAt, cause: "refresh" } as const;
    const written = await writeFindings(deps, em, config, findings);
    const refresh = { action: "hosts.syncOne", hosts, written } as const;
    await recordRefresh({ ...deps, em }, refresh, deps.clock.now());
    await settleLater(deps, em, configId, seen);
    return { ...written, window, decision };
  });
}

function outcomeOf(
  host: StoredHost,
  { found, crawl }: HostSearch<StoredHost>,
  { removed, unnamed, window, decision }: WrittenRefresh,
): HostOutcome {
  if (unnamed.has(host.ucloudId)) return UNNAMED_PROJECT;
  if (found.has(host.ucloudId)) return PRESENT;
  if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
  if (removed.has(host.id)) return GONE;

  const failure = crawl.failures.get(partitionKey(host));
  if (host.goneAt !== null) {
    const isAnswered = failure === undefined || isUnavailable(failure);
    return isAnswered ? GONE : failed(failure);
  }

  const held = decision.held.find(({ id }) => id === host.id);
  if (held !== undefined) return failed(heldError(held, decision, window));
  if (decision.gone.some(({ id }) => id === host.id)) return failed(DECIDED_MEANWHILE);
  return failed(failure ?? INCOMPLETE);
}

function heldError(host: HeldHost, { held }: AbsenceDecision, window: RemovalWindow): AppError {
  const isNewMassRemoval = host.reason === MASS_REMOVAL && !isHeldByMassRemoval(host);
  const massRemoved = held.filter(({ reason }) => reason === MASS_REMOVAL);
  const message = isNewMassRemoval
    ? massRemoval(massRemoved, window).message
    : HELD_HOST_MESSAGES[host.reason];
  return new AppError("PROVIDER_ERROR", message);
}
