import { sql } from "kysely";
import type { HeldReason } from "../../../shared/held-hosts.ts";
import type { Host } from "../../../shared/hosts.ts";
import type { IdInput } from "../../../shared/ids.ts";
import type { Deps } from "../../core/deps.ts";
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
  type MissingHost,
} from "../absence.ts";
import { publishRemovals, publishWrittenHosts } from "../held/publish.ts";
import { applySink, type SeenHost } from "../run/host-sink.ts";
import { checkPartition, type PartitionCheck } from "./check-partition.ts";
import { type Connection, configDeleted, type RefreshDeps, throughConfigs } from "./through-configs.ts";

/** An error when the provider gave no answer, or the host is held. */
export type RefreshOutcome = "present" | "gone" | AppError;

export async function syncOneHost(deps: RefreshDeps, caller: Caller, { id }: IdInput): Promise<Host> {
  await getHost(deps, caller, { id });
  const outcome = (await refreshHosts(deps, [id])).get(id);
  if (outcome instanceof AppError) throw outcome;
  return await getHost(deps, caller, { id });
}

/** Reads these hosts from the provider, each through its configuration. One outcome for each id. */
export async function refreshHosts(
  deps: RefreshDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RefreshOutcome>> {
  const outcomes = await throughConfigs(deps, await readHosts(deps, ids), (connection, hosts) =>
    refreshThrough(deps, connection, hosts),
  );
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? hostNotFound()]));
}

async function refreshThrough(
  deps: RefreshDeps,
  { configId, client, signal }: Connection,
  hosts: readonly StoredHost[],
): Promise<Map<string, RefreshOutcome>> {
  const now = deps.clock.now();
  const checks = new Map<string, PartitionCheck>();
  await Promise.all(
    groupByPartition(hosts).map(async ({ hosts: wanted, ...partition }) => {
      const ucloudIds = wanted.map(({ ucloudId }) => ucloudId);
      checks.set(partitionKey(partition), await checkPartition({ client, partition, ucloudIds, signal }));
    }),
  );
  const seen = [...checks.values()].flatMap((check) => check.seen);
  const seenIds = new Set(seen.map(({ host }) => host.ucloudId));
  const missing = hosts.filter(({ ucloudId, isGone }) => !isGone && !seenIds.has(ucloudId));
  const decision = await decideAbsences(missing, {
    readings: checks,
    verifyById: async (partition) => checks.get(partitionKey(partition))?.lookup ?? "skipped",
    presentBefore: await deps.em.fork().count(HostEntity, { config: configId, goneAt: null }),
    now,
  });
  const removed = await writeRefreshed(deps, configId, { seen, ...decision, now });
  const outcomeOf = (host: StoredHost): RefreshOutcome => {
    if (seenIds.has(host.ucloudId)) return "present";
    if (host.isGone || removed.has(host.id)) return "gone";
    const held = decision.held.find(({ id }) => id === host.id);
    if (held !== undefined) return heldError(held.reason, decision);
    return checks.get(partitionKey(host))?.failure ?? "present";
  };
  return new Map(hosts.map((host) => [host.id, outcomeOf(host)]));
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
    const changes = await applySink.write(em, configId, seen);
    // A run that is under way must not take an unchanged host for gone.
    await sql`
      update hosts set changed_at = greatest(changed_at, ${at}::bigint) where id in (
        select id from hosts where config_id = ${configId} and ucloud_id = any(${seen.map(({ host }) => host.ucloudId)}::text[])
        order by ucloud_id for update)
    `.execute(em.getKysely());
    const removed = await applySink.remove(em, { configId, hosts: gone, before: at, at, isByHand: true });
    const isNew = await applySink.hold(em, { configId, hosts: held, before: at, at, runId: null });
    await publishWrittenHosts(em, { configId, hosts: [...changes, ...removed] }, at);
    if (isNew) await publishRemovals(em, [configId], at);
    return new Set(removed.map(({ id }) => id));
  });
}

function heldError(reason: HeldReason, { held }: AbsenceDecision): AppError {
  const count = held.filter((host) => host.reason === reason).length;
  const sentences = {
    "mass-removal": `本次有 ${count} 台主机未找到，超过主机总数的 30%，请核实后在“待确认消失”中处理`,
    empty: `云服务商对该地域返回了空列表，请在 ${EMPTY_CONFIRM_SECONDS / 60} 分钟后再次同步确认`,
    unavailable: "云服务商称该地域未开通或项目已不存在，请到云平台核实",
  };
  return new AppError("PROVIDER_ERROR", `主机未找到，暂缓移除、保持原状：${sentences[reason]}`);
}

interface StoredHost extends MissingHost {
  readonly configId: string | null;
  readonly isGone: boolean;
}

async function readHosts({ em }: Pick<Deps, "em">, ids: readonly string[]): Promise<StoredHost[]> {
  const rows = await em.fork().find(HostEntity, { id: { $in: [...ids] } });
  return rows.map(({ id, ucloudId, region, projectId, missingSince, dismissedAt, config, goneAt }) => {
    // A person who refreshes a host that was kept wants it decided anew.
    const hold = { missingSince: missingSince ?? dismissedAt ?? null, isDismissed: false };
    return { id, ucloudId, region, projectId, ...hold, configId: config?.id ?? null, isGone: goneAt !== null };
  });
}
