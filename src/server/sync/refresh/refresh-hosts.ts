import { sql } from "kysely";
import type { HeldReason } from "../../../shared/held-hosts.ts";
import type { Host } from "../../../shared/hosts.ts";
import type { IdInput } from "../../../shared/ids.ts";
import { AppError } from "../../core/errors.ts";
import type { Caller } from "../../core/ports.ts";
import { kyselyOf } from "../../database/kysely.ts";
import { inTransaction } from "../../database/transaction.ts";
import { HostEntity } from "../../hosts/entity.ts";
import { getHost, hostNotFound } from "../../hosts/queries.ts";
import { partitionKey } from "../../provider/uhost-api.ts";
import {
  type AbsenceDecision,
  decideAbsences,
  EMPTY_CONFIRM_SECONDS,
  groupByPartition,
  type Lookup,
  type MissingHost,
  type PartitionHosts,
} from "../absence.ts";
import { Crawl } from "../crawl.ts";
import { publishRemovals, publishWrittenHosts } from "../held/publish.ts";
import { holdHosts, removeHosts, type SeenHost, writeHosts } from "../host-store.ts";
import { isUnavailable } from "../read-partition.ts";
import {
  type Connection,
  configDeleted,
  findStoredHosts,
  type RefreshDeps,
  type StoredHost,
  throughConfigs,
} from "./through-configs.ts";

/** An error when the provider gave no answer, or the host is held. */
export type RefreshOutcome = "present" | "gone" | AppError;

const INCOMPLETE = new AppError(
  "PROVIDER_ERROR",
  "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认",
);
export const UNREADABLE = new AppError("PROVIDER_ERROR", "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试");

export async function syncOneHost(deps: RefreshDeps, caller: Caller, { id }: IdInput): Promise<Host> {
  await getHost(deps, caller, { id });
  const outcome = (await refreshHosts(deps, [id])).get(id);
  if (outcome instanceof AppError) throw outcome;
  return await getHost(deps, caller, { id });
}

export async function refreshHosts(
  deps: RefreshDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RefreshOutcome>> {
  const hosts = await findStoredHosts(deps.em.fork(), sql`id = any(${[...ids]}::uuid[])`);
  const outcomes = await throughConfigs(deps, hosts, (connection, owned) => refreshThrough(deps, connection, owned));
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? hostNotFound()]));
}

async function refreshThrough(
  deps: RefreshDeps,
  { configId, client, signal }: Connection,
  hosts: readonly StoredHost[],
): Promise<Map<string, RefreshOutcome>> {
  const now = deps.clock.now();
  const wanted = new Set(hosts.map(({ ucloudId }) => ucloudId));
  const found = new Map<string, SeenHost>();
  const onHosts = async (seen: readonly SeenHost[]) => {
    for (const each of seen) if (wanted.has(each.host.ucloudId)) found.set(each.host.ucloudId, each);
  };
  const crawl = new Crawl({ client, signal, onHosts });
  const lookups = new Map<string, Lookup>();
  await Promise.all(
    groupByPartition(hosts).map(async (group) => lookups.set(partitionKey(group), await searchPartition(crawl, group))),
  );
  const missing = hosts.filter(({ ucloudId, goneAt }) => goneAt === null && !crawl.seen.has(ucloudId));
  const decision = await decideAbsences(missing.map(decidedAnew), {
    readings: crawl.partitions,
    verifyById: async (partition) => lookups.get(partitionKey(partition)) ?? "skipped",
    presentBefore: await deps.em.fork().count(HostEntity, { config: configId, goneAt: null }),
    now,
  });
  const removed = await writeRefreshed(deps, configId, { seen: [...found.values()], ...decision, now });
  const outcomeOf = (host: StoredHost): RefreshOutcome => {
    if (found.has(host.ucloudId)) return "present";
    if (crawl.seen.has(host.ucloudId)) return UNREADABLE;
    if (host.goneAt !== null || removed.has(host.id)) return "gone";
    const held = decision.held.find(({ id }) => id === host.id);
    if (held !== undefined) return heldError(held.reason, decision);
    return crawl.failures.get(partitionKey(host)) ?? INCOMPLETE;
  };
  return new Map(hosts.map((host) => [host.id, outcomeOf(host)]));
}

/** A person who refreshes a host that is held or was kept wants it decided anew. */
function decidedAnew({ dismissedAt, ...host }: StoredHost): MissingHost {
  return { ...host, heldSince: host.heldSince ?? dismissedAt, heldReason: null, isDismissed: false };
}

/** Requests hosts by id. When some are missing, reads the whole partition and requests them once more. */
async function searchPartition(crawl: Crawl, { hosts, ...partition }: PartitionHosts<StoredHost>): Promise<Lookup> {
  const ids = hosts.map(({ ucloudId }) => ucloudId);
  const missing = () => ids.filter((id) => !crawl.seen.has(id));
  const lookup = await crawl.verifyById(partition, ids);
  const failure = crawl.failures.get(partitionKey(partition));
  if (missing().length === 0 || (failure !== undefined && !isUnavailable(failure))) return lookup;
  await crawl.read([partition]);
  const second = await crawl.verifyById(partition, missing());
  const listed = crawl.partitions.get(partitionKey(partition))?.ids;
  const isLeftOut = ids.some((id) => crawl.seen.has(id) && listed?.has(id) === false);
  return isLeftOut ? "found" : second;
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
    const changes = await writeHosts(em, configId, seen);
    // A run that is under way must not take an unchanged host for gone.
    await sql`
      update hosts set changed_at = greatest(changed_at, ${at}::bigint) where id in (
        select id from hosts
        where config_id = ${configId} and ucloud_id = any(${seen.map(({ host }) => host.ucloudId)}::text[])
        order by ucloud_id for update)
    `.execute(em.getKysely());
    const removed = await removeHosts(em, { configId, hosts: gone, before: at, at, isByHand: true });
    const isNew = await holdHosts(em, { configId, hosts: held, before: at, at, runId: null });
    await publishWrittenHosts(em, { configId, hosts: [...changes, ...removed] }, at);
    if (isNew) await publishRemovals(em, [configId], at);
    return new Set(removed.map(({ id }) => id));
  });
}

function heldError(reason: HeldReason, { held }: AbsenceDecision): AppError {
  const count = held.filter((host) => host.reason === reason).length;
  const reasons = {
    "mass-removal": `本次有 ${count} 台主机未找到，超过主机总数的 30%，请核实后在“待确认消失”中处理`,
    empty: `云服务商对该地域返回了空列表，请在 ${EMPTY_CONFIRM_SECONDS / 60} 分钟后再次同步确认`,
    unavailable: "云服务商称该地域未开通或项目已不存在，请到云平台核实",
  };
  return new AppError("PROVIDER_ERROR", `主机未找到，暂缓移除、保持原状：${reasons[reason]}`);
}
