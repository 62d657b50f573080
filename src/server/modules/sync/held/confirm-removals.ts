import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { HeldHostsDecision, HeldHostsInput } from "../../../../shared/held-hosts.ts";
import { kyselyOf } from "../../../platform/database/kysely.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import type { ProviderFailure } from "../../../provider/failure.ts";
import { MAX_PAGE_SIZE, type Partition, partitionKey } from "../../../provider/uhost-api.ts";
import { countChanges } from "../../audit-records/field-changes.ts";
import { noteSubject } from "../../audit-records/note-subject.ts";
import { recordAudit } from "../../audit-records/record-audit.ts";
import { HostEntity } from "../../hosts/entity.ts";
import { findConfig } from "../../provider-configs/queries.ts";
import { groupByPartition, type PartitionHosts } from "../absence.ts";
import type { Crawl } from "../crawl.ts";
import type { SyncDeps } from "../deps.ts";
import { isUnavailable } from "../read-partition.ts";
import { findStoredHosts, forEachConfig, withConfig } from "../refresh/for-each-config.ts";
import {
  failed,
  type HostOutcome,
  type HostOutcomes,
  UNNAMED_PROJECT,
  UNREADABLE,
} from "../refresh/host-outcome.ts";
import type { HostReference, HostSearch } from "../refresh/host-search.ts";
import { recordRefresh } from "../refresh/record-refresh.ts";
import { startTimeLimit } from "../refresh/time-limit.ts";
import {
  lockRefreshedConfig,
  type WrittenFindings,
  writeFindings,
} from "../refresh/write-findings.ts";
import { DECIDED, NOT_HELD, ResultCollector, resultsOfNamed } from "./decision-results.ts";

/** Of all held hosts of a configuration, this many are read and confirmed at a time. */
const HOSTS_AT_A_TIME = 5_000;

const FOUND: HostOutcome = { kind: "done", message: "云服务商处仍有这台主机，已恢复为正常" };

/**
 * A person confirms that held hosts are gone. The provider is asked for each by id all the same:
 * those that it does not find are marked gone, the hold of the others ends. A failed call changes
 * nothing.
 */
export async function confirmRemovals(
  deps: SyncDeps,
  input: HeldHostsInput,
): Promise<HeldHostsDecision> {
  return input.all
    ? await confirmAll(deps, input.configId)
    : await confirmNamed(deps, input.hostIds);
}

async function confirmNamed(
  deps: SyncDeps,
  hostIds: readonly string[],
): Promise<HeldHostsDecision> {
  using limit = startTimeLimit();
  const known = await findStoredHosts(deps.em, hostIds);
  const held = known.filter(({ heldAt }) => heldAt !== null);
  const outcomes = await forEachConfig(deps, held, limit.signal, (search) =>
    confirmHostsOfConfig(deps, search, async (inside, { hosts, written }) => {
      const refresh = { action: "hosts.confirmRemovals", hosts, written } as const;
      await recordRefresh(inside, refresh, deps.clock.now());
    }),
  );
  return resultsOfNamed({ hostIds, known }, outcomes);
}

/**
 * An account may hold a hundred thousand hosts, so they are read, asked for and decided some at a
 * time, in the order of their provider's ids, and only counted when they are many. When the time is
 * up, or nothing succeeds any more, the others are not tried: each would wait for the provider in
 * vain.
 */
async function confirmAll(deps: SyncDeps, configId: string): Promise<HeldHostsDecision> {
  using limit = startTimeLimit();
  const config = await findConfig(deps.em, configId);
  const subject = { type: "config", id: configId, label: config.name } as const;
  noteSubject(deps, subject);
  const collector = new ResultCollector();
  let lastId = "";

  for (;;) {
    const hosts = await findHeldHosts(deps.em, configId, lastId);
    if (hosts.length === 0) return collector.decision();

    const outcomes = await withConfig(deps, { config, hosts, signal: limit.signal }, (search) =>
      confirmHostsOfConfig(deps, search, async (inside, { written }) => {
        const { updated, removed } = written;
        const changes = countChanges({ updatedHosts: updated.size, goneHosts: removed.size });
        if (changes.length === 0) return;
        const record = { action: "hosts.confirmRemovals", subject, changes } as const;
        await recordAudit(inside, record, deps.clock.now());
      }),
    );
    for (const [hostId, outcome] of outcomes) collector.add(hostId, outcome);
    lastId = hosts.at(-1)?.ucloudId ?? lastId;

    const isInVain = [...outcomes.values()].every(({ kind }) => kind === "failed");
    if (limit.signal.aborted || isInVain) {
      collector.addUnreached(await countHeldHosts(deps.em, configId, lastId));
      return collector.decision();
    }
  }
}

/** The next held hosts of a configuration after this id of the provider. */
async function findHeldHosts(
  em: SqlEntityManager,
  configId: string,
  after: string,
): Promise<HostReference[]> {
  return await kyselyOf(em)
    .selectFrom("hosts")
    .select(["id", "ucloudId", "region", "projectId"])
    .where("config", "=", configId)
    .where("heldAt", "is not", null)
    .where("ucloudId", ">", after)
    .orderBy("ucloudId")
    .limit(HOSTS_AT_A_TIME)
    .execute();
}

async function countHeldHosts(
  em: SqlEntityManager,
  configId: string,
  after: string,
): Promise<number> {
  return await em.count(HostEntity, {
    config: configId,
    heldAt: { $ne: null },
    ucloudId: { $gt: after },
  });
}

interface ConfirmedPage<Host extends HostReference> {
  readonly hosts: readonly Host[];
  readonly written: WrittenFindings;
}

/** Adds to the audit log, in the transaction that writes a page. */
type RecordPage<Host extends HostReference> = (
  deps: SyncDeps,
  page: ConfirmedPage<Host>,
) => Promise<void>;

async function confirmHostsOfConfig<Host extends HostReference>(
  deps: SyncDeps,
  search: HostSearch<Host>,
  record: RecordPage<Host>,
): Promise<HostOutcomes> {
  const written = await Promise.all(
    groupByPartition(search.hosts).map((group) => confirmInPartition(deps, search, group, record)),
  );
  const pages = written.flat();
  const all: WrittenFindings = {
    updated: new Set(pages.flatMap(({ updated }) => [...updated])),
    removed: new Set(pages.flatMap(({ removed }) => [...removed])),
    unnamed: new Set(pages.flatMap(({ unnamed }) => [...unnamed])),
  };
  return new Map(search.hosts.map((host) => [host.id, outcomeOf(host, search, all)]));
}

/**
 * Page by page: what was answered before a failure, or before the time is up, is written. Returns
 * what was written.
 */
async function confirmInPartition<Host extends HostReference>(
  deps: SyncDeps,
  { configId, crawl, found }: HostSearch<Host>,
  { partition, hosts }: PartitionHosts<Host>,
  record: RecordPage<Host>,
): Promise<WrittenFindings[]> {
  const pages: WrittenFindings[] = [];
  for (let start = 0; start < hosts.length; start += MAX_PAGE_SIZE) {
    const page = hosts.slice(start, start + MAX_PAGE_SIZE);
    const ids = page.map(({ ucloudId }) => ucloudId);
    const startedAt = deps.clock.now();
    await crawl.lookUp(partition, ids);
    if (failureOf(crawl, partition) !== null) return pages;

    const seen = ids.flatMap((id) => found.get(id) ?? []);
    // A record that cannot be read is no proof that the host is gone.
    const gone = page.filter(({ ucloudId }) => !crawl.seen.has(ucloudId));
    const cause = "confirmation" as const;
    const findings = { seen, gone, held: [], startedAt, cause, decidedBy: deps.actor };
    const written = await inTransaction(deps, async (em) => {
      const config = await lockRefreshedConfig(em, configId);
      const written = await writeFindings(deps, em, config, findings);
      await record({ ...deps, em }, { hosts: page, written });
      return written;
    });
    pages.push(written);
  }
  return pages;
}

/** A closed region and an unknown project are answers, so they are no failure here. */
function failureOf(crawl: Crawl, partition: Partition): ProviderFailure | null {
  const failure = crawl.failures.get(partitionKey(partition));
  return failure === undefined || isUnavailable(failure) ? null : failure;
}

function outcomeOf<Host extends HostReference>(
  host: Host,
  { crawl, found }: HostSearch<Host>,
  { removed, unnamed }: WrittenFindings,
): HostOutcome {
  if (unnamed.has(host.ucloudId)) return UNNAMED_PROJECT;
  if (found.has(host.ucloudId)) return FOUND;
  if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
  if (removed.has(host.id)) return DECIDED;

  const failure = failureOf(crawl, host);
  return failure === null ? NOT_HELD : failed(failure);
}
