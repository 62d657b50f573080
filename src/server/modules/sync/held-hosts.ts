import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type Expression, type SqlBool, sql } from "kysely";
import {
  type HeldHost,
  type HeldHostList,
  type HeldHostsDecision,
  type HeldHostsInput,
  type ListHeldHostsInput,
  MAX_NAMED_RESULTS,
} from "../../../shared/held-hosts.ts";
import { paginate } from "../../../shared/page.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError } from "../../platform/errors.ts";
import { type BatchOutcome, resultOf } from "../../platform/run-batch.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { MAX_PAGE_SIZE, type Partition, partitionKey } from "../../provider/uhost-api.ts";
import { viewerOf } from "../hosts/access.ts";
import { HostEntity } from "../hosts/entity.ts";
import { hostFilter } from "../hosts/filters.ts";
import { type FoundHost, presentHost } from "../hosts/present.ts";
import { hostColumns, hostNotFound } from "../hosts/queries.ts";
import { ConfigEntity, type ConfigRow } from "../provider-configs/entity.ts";
import { configNotFound } from "../provider-configs/queries.ts";
import { groupByPartition, type PartitionHosts } from "./absence.ts";
import { publishRemovals } from "./events.ts";
import { isUnavailable } from "./read-partition.ts";
import {
  type ConfigHosts,
  findStoredHosts,
  forEachConfig,
  type HostReference,
  type RefreshDeps,
  type StoredHost,
  startTimeLimit,
  throughConfig,
} from "./refresh/for-each-config.ts";
import {
  lockRefreshedConfig,
  UNNAMED_PROJECT,
  UNREADABLE,
  writeFindings,
} from "./refresh/refresh-hosts.ts";

type DismissDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Of all held hosts of a configuration, so many are read and confirmed, or dismissed, together. */
const HOSTS_AT_A_TIME = 5_000;
const HOSTS_PER_DISMISSAL = 5_000;

type HeldRow = FoundHost & { readonly held: Omit<HeldHost, "host"> };

const DONE: BatchOutcome = { ok: true };
const FOUND: BatchOutcome = { ok: true, message: "云平台上仍有这台主机，已恢复为正常" };
const NOT_HELD = new AppError("STATE_CONFLICT", "该主机不在待确认之列，可能已处理或已重新出现");

export async function listHeldHosts(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListHeldHostsInput,
): Promise<HeldHostList> {
  const viewer = viewerOf({ clock }, caller);
  const { configId, search, reason, limit, page } = input;
  const conditions = [
    sql<SqlBool>`h.missing_since is not null`,
    hostFilter(viewer, { configId, search }),
  ];
  if (reason !== undefined) conditions.push(sql`h.held_reason = ${reason}`);
  const wanted = sql.join(conditions, sql` and `);
  const order = sql`h.missing_since desc, h.sort_name, h.id`;
  // The page is found by ids alone: the details of all hosts before it would be read as well.
  const { rows } = await sql<{ readonly total: number; readonly hosts: HeldRow[] }>`
    select (select count(*)::int from hosts h where ${wanted}) as total, coalesce(json_agg(page), '[]') as hosts
    from (
      select ${hostColumns(viewer)}, json_build_object('configId', h.config_id, 'runId', h.held_run_id,
        'heldAt', h.missing_since, 'reason', h.held_reason) as held
      from hosts h
      where h.id in (
        select h.id from hosts h where ${wanted} order by ${order} limit ${limit} offset ${(page - 1) * limit}
      )
      order by ${order}
    ) page
  `.execute(em.getKysely());
  const [{ total, hosts } = { total: 0, hosts: [] }] = rows;
  return {
    hosts: hosts.map(({ held, ...host }) => ({ host: presentHost(host, viewer), ...held })),
    pagination: paginate(input, total),
  };
}

/** Marks held hosts gone that the provider does not find by id, and ends the hold of the others. A failed call changes nothing. */
export async function confirmRemovals(
  deps: RefreshDeps,
  input: HeldHostsInput,
): Promise<HeldHostsDecision> {
  if (input.all) return await confirmAll(deps, input.configId);

  const named = await findStoredHosts(deps.em, { id: input.hostIds });
  const held = named.filter(({ heldAt }) => heldAt !== null);
  const outcomes = await forEachConfig(deps, held, (owned) => confirmHostsOfConfig(deps, owned));
  return resultsOfNamed(input.hostIds, named, outcomes);
}

/**
 * An account may hold a hundred thousand hosts, so they are read, asked for and decided some at a time,
 * and only counted when they are many. When the time is up, or nothing succeeds any more, the others
 * are not tried: each would wait for the provider in vain.
 */
async function confirmAll(deps: RefreshDeps, configId: string): Promise<HeldHostsDecision> {
  const config = await findConfig(deps.em, configId);
  using limit = startTimeLimit();
  const collector = new ResultCollector();
  let last = "";

  for (;;) {
    const hosts = await findHeldHosts(deps.em, configId, last);
    if (hosts.length === 0) return collector.decision();

    const toFind = { config, hosts, signal: limit.signal };
    const outcomeOf = await throughConfig(deps, toFind, (owned) =>
      confirmHostsOfConfig(deps, owned),
    );
    const outcomes = hosts.map((host) => ({ id: host.id, outcome: outcomeOf(host) }));
    for (const { id, outcome } of outcomes) collector.add(id, outcome);

    last = hosts.at(-1)?.ucloudId ?? last;
    const isInVain = outcomes.every(({ outcome }) => outcome instanceof AppError);
    if (limit.signal.aborted || isInVain) {
      const left = { config: configId, heldAt: { $ne: null }, ucloudId: { $gt: last } };
      collector.addUnreached(await deps.em.count(HostEntity, left));
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

/** Page by page: what was answered before a failure, or before the time is up, is written. */
async function confirmHostsOfConfig<Host extends HostReference>(
  deps: RefreshDeps,
  { configId, hosts, crawl, found }: ConfigHosts<Host>,
): Promise<(host: Host) => BatchOutcome> {
  const removed = new Set<string>();
  const unnamed = new Set<string>();
  /** A closed region and an unknown project are answers. */
  const failureOf = (partition: Partition) => {
    const failure = crawl.failures.get(partitionKey(partition));
    return failure === undefined || isUnavailable(failure) ? undefined : failure;
  };
  const confirmIn = async ({ partition, hosts: wanted }: PartitionHosts<Host>) => {
    for (let start = 0; start < wanted.length; start += MAX_PAGE_SIZE) {
      const startedAt = deps.clock.now();
      const page = wanted.slice(start, start + MAX_PAGE_SIZE);
      const ids = page.map(({ ucloudId }) => ucloudId);
      await crawl.isAbsent(partition, ids);
      if (failureOf(partition) !== undefined) return;
      const seen = ids.flatMap((id) => found.get(id) ?? []);
      const gone = page.filter(({ ucloudId }) => !crawl.seen.has(ucloudId));
      const findings = { seen, gone, held: [], startedAt, cause: "confirmation" } as const;
      const written = await inTransaction(deps, async (em) => {
        return await writeFindings(deps, em, await lockRefreshedConfig(em, configId), findings);
      });
      for (const id of written.removed) removed.add(id);
      for (const ucloudId of written.unnamed) unnamed.add(ucloudId);
    }
  };
  await Promise.all(groupByPartition(hosts).map(confirmIn));
  return (host) => {
    if (unnamed.has(host.ucloudId)) return UNNAMED_PROJECT;
    if (found.has(host.ucloudId)) return FOUND;
    if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
    return removed.has(host.id) ? DONE : (failureOf(host) ?? NOT_HELD);
  };
}

/** Keeps held hosts as present. Until they were seen, runs neither hold them again nor mark them gone. */
export async function dismissRemovals(
  deps: DismissDeps,
  input: HeldHostsInput,
): Promise<HeldHostsDecision> {
  if (input.all) return await dismissAll(deps, input.configId);

  const named = await findStoredHosts(deps.em, { id: input.hostIds });
  const dismissed = await dismissSome(deps, sql`id = any(${input.hostIds}::uuid[])`);
  return resultsOfNamed(input.hostIds, named, new Map(dismissed.map((id) => [id, DONE])));
}

/** In transactions that are short enough for others who wait for the hosts, or for the only connection. */
async function dismissAll(deps: DismissDeps, configId: string): Promise<HeldHostsDecision> {
  await findConfig(deps.em, configId);
  const collector = new ResultCollector();
  for (;;) {
    const dismissed = await dismissSome(deps, sql`config_id = ${configId}`);
    for (const id of dismissed) collector.add(id, DONE);
    if (dismissed.length < HOSTS_PER_DISMISSAL) return collector.decision();
  }
}

/** `where`: which of the held hosts, in SQL column names. Returns the ids of those that were dismissed. */
async function dismissSome(deps: DismissDeps, where: Expression<SqlBool>): Promise<string[]> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const { rows } = await sql<{ id: string; configId: string }>`
      update hosts set dismissed_at = ${at}, missing_since = null, held_reason = null, held_run_id = null
      where id = any(array(
        select id from hosts where ${where} and missing_since is not null
        order by ucloud_id limit ${HOSTS_PER_DISMISSAL} for update
      )) returning id, config_id as "configId"
    `.execute(em.getKysely());
    await publishRemovals(em, new Set(rows.map(({ configId }) => configId)), at);
    return rows.map(({ id }) => id);
  });
}

async function findConfig(em: SqlEntityManager, id: string): Promise<ConfigRow> {
  return await em.findOneOrFail(ConfigEntity, { id }, { failHandler: configNotFound });
}

/** One result for each named host. A host without an outcome is not held, or not any more. */
function resultsOfNamed(
  hostIds: readonly string[],
  named: readonly StoredHost[],
  outcomes: ReadonlyMap<string, BatchOutcome>,
): HeldHostsDecision {
  const known = new Set(named.map(({ id }) => id));
  const results = hostIds.map((hostId) => {
    return {
      hostId,
      ...resultOf(known.has(hostId) ? (outcomes.get(hostId) ?? NOT_HELD) : hostNotFound()),
    };
  });
  return { results };
}

/** The results of all held hosts of a configuration: of each one, or when they are too many only counts. */
class ResultCollector {
  readonly #results: HeldHostsDecision["results"] = [];
  #succeeded = 0;
  #failed = 0;

  add(hostId: string, outcome: BatchOutcome): void {
    if (outcome instanceof AppError) this.#failed += 1;
    else this.#succeeded += 1;
    if (!this.#areTooMany()) this.#results.push({ hostId, ...resultOf(outcome) });
  }

  addUnreached(hosts: number): void {
    this.#failed += hosts;
  }

  decision(): HeldHostsDecision {
    if (!this.#areTooMany()) return { results: this.#results };
    return { results: [], counts: { succeeded: this.#succeeded, failed: this.#failed } };
  }

  #areTooMany(): boolean {
    return this.#succeeded + this.#failed > MAX_NAMED_RESULTS;
  }
}
