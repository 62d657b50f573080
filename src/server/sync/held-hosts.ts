import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type SqlBool, sql } from "kysely";
import type { BatchHosts } from "../../shared/batch.ts";
import type { HeldHost, HeldHostList, HeldHostsInput, ListHeldHostsInput } from "../../shared/held-hosts.ts";
import { paginate } from "../../shared/page.ts";
import { ConfigEntity } from "../configs/entity.ts";
import { configNotFound } from "../configs/queries.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { type BatchOutcome, resultOf } from "../core/one-by-one.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { wantedHosts } from "../hosts/filters.ts";
import { type FoundHost, presentHost } from "../hosts/present.ts";
import { hostColumns, hostNotFound } from "../hosts/queries.ts";
import { viewerOf } from "../hosts/scope.ts";
import { MAX_PAGE_SIZE, type Partition, partitionKey } from "../provider/uhost-api.ts";
import { groupByPartition, type PartitionHosts } from "./absence.ts";
import { publishRemovals } from "./events.ts";
import { isUnavailable } from "./read-partition.ts";
import { UNREADABLE, writeRefreshed } from "./refresh/refresh-hosts.ts";
import {
  type ConfigHosts,
  findStoredHosts,
  type RefreshDeps,
  type StoredHost,
  throughConfigs,
} from "./refresh/through-configs.ts";

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
  const conditions = [sql<SqlBool>`h.missing_since is not null`, wantedHosts(viewer, { configId, search })];
  if (reason !== undefined) conditions.push(sql`h.held_reason = ${reason}`);
  const wanted = sql.join(conditions, sql` and `);
  const order = sql`h.missing_since desc, h.sort_name, h.id`;
  const { rows } = await sql<{ readonly total: number; readonly hosts: HeldRow[] }>`
    select (select count(*)::int from hosts h where ${wanted}) as total, coalesce(json_agg(page), '[]') as hosts
    from (
      select ${hostColumns(viewer)}, json_build_object('configId', h.config_id, 'runId', h.held_run_id,
        'heldAt', h.missing_since, 'reason', h.held_reason) as held
      from hosts h where ${wanted} order by ${order} limit ${limit} offset ${(page - 1) * limit}
    ) page
  `.execute(em.getKysely());
  const [{ total, hosts } = { total: 0, hosts: [] }] = rows;
  return {
    hosts: hosts.map(({ held, ...host }) => ({ host: presentHost(host, viewer), ...held })),
    pagination: paginate(input, total),
  };
}

/** Marks held hosts gone that the provider does not find by id, and ends the hold of the others. A failed call changes nothing. */
export async function confirmRemovals(deps: RefreshDeps, input: HeldHostsInput): Promise<BatchHosts> {
  const named = await findNamedHosts(deps.em, input);
  const held = named.filter(({ heldAt }) => heldAt !== null);
  return resultsOf(input, named, await throughConfigs(deps, held, (owned) => confirmThrough(deps, owned)));
}

/** Page by page: what was answered before a failure, or before the time is up, is written. */
async function confirmThrough(
  deps: RefreshDeps,
  { configId, hosts, crawl, found }: ConfigHosts,
): Promise<(host: StoredHost) => BatchOutcome> {
  const removed = new Set<string>();
  /** A closed region and an unknown project are answers. */
  const failureOf = (partition: Partition) => {
    const failure = crawl.failures.get(partitionKey(partition));
    return failure === undefined || isUnavailable(failure) ? undefined : failure;
  };
  const confirmIn = async ({ partition, hosts: wanted }: PartitionHosts<StoredHost>) => {
    for (let start = 0; start < wanted.length; start += MAX_PAGE_SIZE) {
      const now = deps.clock.now();
      const page = wanted.slice(start, start + MAX_PAGE_SIZE);
      const ids = page.map(({ ucloudId }) => ucloudId);
      await crawl.isAbsent(partition, ids);
      if (failureOf(partition) !== undefined) return;
      const seen = ids.flatMap((id) => found.get(id) ?? []);
      const gone = page.filter(({ ucloudId }) => !crawl.seen.has(ucloudId));
      for (const id of await writeRefreshed(deps, configId, { seen, gone, held: [], now })) removed.add(id);
    }
  };
  await Promise.all(groupByPartition(hosts).map(confirmIn));
  return (host) => {
    if (found.has(host.ucloudId)) return FOUND;
    if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
    return removed.has(host.id) ? DONE : (failureOf(host) ?? NOT_HELD);
  };
}

/** Keeps held hosts as present. Until they were seen, runs neither hold them again nor mark them gone. */
export async function dismissRemovals(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  input: HeldHostsInput,
): Promise<BatchHosts> {
  const at = deps.clock.now();
  const named = await findNamedHosts(deps.em, input);
  const dismissed = await inTransaction(deps, async (em) => {
    const { rows } = await sql<{ id: string; configId: string }>`
      update hosts set dismissed_at = ${at}, missing_since = null, held_reason = null, held_run_id = null
      where id in (
        select id from hosts where id = any(${named.map(({ id }) => id)}::uuid[]) and missing_since is not null
        order by ucloud_id for update
      ) returning id, config_id as "configId"
    `.execute(em.getKysely());
    await publishRemovals(em, new Set(rows.map(({ configId }) => configId)), at);
    return rows;
  });
  return resultsOf(input, named, new Map(dismissed.map(({ id }) => [id, DONE])));
}

async function findNamedHosts(em: SqlEntityManager, input: HeldHostsInput): Promise<StoredHost[]> {
  if (!input.all) return await findStoredHosts(em, { id: input.hostIds });
  await em.findOneOrFail(ConfigEntity, { id: input.configId }, { failHandler: configNotFound });
  return await findStoredHosts(em, { config: input.configId, heldAt: { $ne: null } });
}

/** One result for each named host. A host without an outcome is not held, or not any more. */
function resultsOf(
  input: HeldHostsInput,
  named: readonly StoredHost[],
  outcomes: ReadonlyMap<string, BatchOutcome>,
): BatchHosts {
  const known = new Set(named.map(({ id }) => id));
  const results = (input.all ? [...known] : input.hostIds).map((hostId) => {
    return { hostId, ...resultOf(known.has(hostId) ? (outcomes.get(hostId) ?? NOT_HELD) : hostNotFound()) };
  });
  return { results };
}
