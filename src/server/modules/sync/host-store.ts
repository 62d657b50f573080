import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import { MASS_REMOVAL } from "../../../shared/sync.ts";
import type { Actor } from "../../platform/actor.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf, anyOfTexts } from "../../platform/database/sql.ts";
import type { ProviderHost } from "../../provider/schemas.ts";
import type { Partition } from "../../provider/uhost-api.ts";
import { recordHostChanges } from "../history-records/record-changes.ts";
import { SHORTEST_STALE_LIMIT } from "../hosts/staleness.ts";
import type { HeldHost, MissingHost } from "./absence.ts";

export interface SeenHost {
  readonly host: ProviderHost;
  readonly partition: Partition;
  /** When it was requested, in Unix seconds: the description may be as old as that. */
  readonly requestedAt: number;
}

export interface WrittenHost {
  readonly id: string;
  readonly wasHeld: boolean;
}

export interface HostChange extends WrittenHost {
  readonly kind: "created" | "updated";
}

interface Absence {
  readonly configId: string;
  readonly hosts: readonly Pick<MissingHost, "id">[];
  /** A host that was observed later than this, in Unix seconds, is left alone. */
  readonly before: number;
  /** The present. An observation later than that says nothing, as the clock was wrong. */
  readonly at: number;
  /** The run that missed them; null for a refresh and for what a person confirmed. */
  readonly runId: string | null;
  /** A run leaves alone what a person chose to keep. Others act on hosts that a person named. */
  readonly cause: "run" | "refresh" | "confirmation";
  /** Who confirmed. */
  readonly decidedBy?: Actor | undefined;
}

export interface Hold extends Absence {
  readonly hosts: readonly HeldHost[];
}

/** Present hosts of a configuration that are not among these ids of the provider. */
export async function findMissingHosts(
  em: SqlEntityManager,
  configId: string,
  seen: readonly string[],
): Promise<MissingHost[]> {
  // `except` stays fast for any number of ids; an anti-join may compare every pair.
  const { rows } = await sql<MissingHost>`
    with missing as materialized (
      select ucloud_id
      from hosts
      where config_id = ${configId} and gone_at is null
      except
      select unnest(${seen}::text[])
    )
    select h.id, h.ucloud_id as "ucloudId", h.region, h.project_id as "projectId",
      h.present_since as "presentSince",
      h.missing_since as "heldAt", h.held_reason as "heldReason",
      h.dismissed_at is not null as "isDismissed"
    from missing m
    join hosts h on h.ucloud_id = m.ucloud_id
  `.execute(em.getKysely());
  return rows;
}

/**
 * Locks hosts, in the order of their provider's ids, as everybody does who locks hosts. For a
 * transaction that writes them with several statements: each of them keeps that order by itself, but
 * all of them together would not.
 */
export async function lockHosts(
  em: SqlEntityManager,
  { ucloudIds, ids }: { readonly ucloudIds: readonly string[]; readonly ids: readonly string[] },
): Promise<void> {
  await kyselyOf(em)
    .selectFrom("hosts")
    .select("id")
    .where((eb) => eb.or([eb("ucloudId", "=", anyOfTexts(ucloudIds)), eb("id", "=", anyOf(ids))]))
    .orderBy("ucloudId")
    .forUpdate()
    .execute();
}

/**
 * Notes when these hosts were requested, where that matters to somebody, and changes nothing else.
 *
 * - A run of their configuration is under way. It may have asked for a host before somebody
 *   refreshed it, and decide about it afterwards: it leaves alone what was observed since it began.
 *   A run that begins later asks later.
 * - What was known of a host is so old that it may be stale (`isStale`). Whoever refreshes it then
 *   wants to know that it is as it was.
 *
 * Otherwise nobody would learn anything from it, so nothing is written.
 */
export async function noteObservations(
  em: SqlEntityManager,
  configId: string,
  hosts: readonly SeenHost[],
): Promise<void> {
  const ids = hosts.map(({ host }) => host.ucloudId);
  const times = hosts.map(({ requestedAt }) => requestedAt);
  await sql`
    with observed as (
      select h.id, o.requested_at
      from unnest(${ids}::text[], ${times}::bigint[]) as o (ucloud_id, requested_at)
      join hosts h on h.ucloud_id = o.ucloud_id
      where h.config_id = ${configId} and h.gone_at is null and h.changed_at < o.requested_at
        and (
          exists (
            select from sync_runs r
            where r.config_id = ${configId}
              and r.status = 'running'
              and r.started_at >= h.changed_at
          )
          or greatest(h.changed_at, (
            select p.read_at from sync_partitions p
            where p.config_id = h.config_id
              and p.project_id = h.project_id
              and p.region = h.region
          )) < o.requested_at - ${SHORTEST_STALE_LIMIT}::bigint
        )
      order by h.ucloud_id
      for update of h
    )
    update hosts h set changed_at = o.requested_at
    from observed o
    where h.id = o.id
  `.execute(em.getKysely());
}

/**
 * Marks hosts gone, with their history. Returns those that were present. What a mass removal holds
 * is gone only when a person confirms it: a run and a refresh may decide at the same moment, and one
 * of them hold what the other one took for a single absence.
 */
export async function removeHosts(em: SqlEntityManager, removal: Absence): Promise<WrittenHost[]> {
  const confirmedAt = removal.cause === "confirmation" ? removal.at : null;
  const { rows } = await sql<WrittenHost>`
    update hosts h
    set gone_at = ${removal.at}, changed_at = ${removal.at},
      removal_confirmed_at = ${confirmedAt},
      missing_since = null, held_reason = null, held_run_id = null, dismissed_at = null
    from (${lockStillMissing(removal)}) m
    where h.id = m.id
      and (m.held_reason is distinct from ${MASS_REMOVAL} or ${removal.cause === "confirmation"})
    returning h.id, m.was_held as "wasHeld"
  `.execute(em.getKysely());

  const entries = rows.map(({ id }) => ({ hostId: id, kind: "gone" }) as const);
  await recordHostChanges(em, entries, removal);
  return rows;
}

/**
 * Keeps hosts that may be gone, and notes why and since when. A hold that goes on keeps its
 * beginning, which the rule for empty partitions measures from (absence.ts); it begins anew when
 * the partition was unavailable before, or when a wrong clock has dated it. What a mass removal
 * holds gets no other reason.
 *
 * `changed_at` becomes when the host was last read with its partition, since later readings of the
 * partition say nothing of it. Returns whether a hold began or has another reason.
 */
export async function holdHosts(em: SqlEntityManager, hold: Hold): Promise<boolean> {
  const ids = hold.hosts.map(({ id }) => id);
  const reasons = hold.hosts.map(({ reason }) => reason);
  const latest = hold.at + MAX_CLOCK_SKEW_SECONDS;
  const { numAffectedRows = 0n } = await sql`
    update hosts h
    set held_reason = r.reason, held_run_id = ${hold.runId},
      missing_since = case
        when h.held_reason = 'unavailable' or h.missing_since > ${latest} then ${hold.at}
        else coalesce(h.missing_since, ${hold.at})
      end,
      changed_at = case
        when h.missing_since is null and h.dismissed_at is null then greatest(h.changed_at, (
          select p.read_at
          from sync_partitions p
          where p.config_id = h.config_id
            and p.project_id = h.project_id
            and p.region = h.region
            and p.read_at <= ${hold.before}
        ))
        else h.changed_at
      end
    from (${lockStillMissing(hold)}) m,
      unnest(${ids}::uuid[], ${reasons}::text[]) as r (id, reason)
    where h.id = m.id
      and r.id = m.id
      and (
        h.missing_since is null
        or h.missing_since > ${latest}
        or h.held_reason is distinct from r.reason
      )
      and (m.held_reason is distinct from ${MASS_REMOVAL} or r.reason = ${MASS_REMOVAL})
  `.execute(em.getKysely());
  return numAffectedRows > 0n;
}

/** Unchanged hosts of these partitions count as synced at `readAt`, in Unix seconds. */
export async function confirmPartitions(
  em: SqlEntityManager,
  { configId, readAt }: { readonly configId: string; readonly readAt: number },
  partitions: readonly Partition[],
): Promise<void> {
  const projectIds = partitions.map(({ projectId }) => projectId);
  const regions = partitions.map(({ region }) => region);
  // Arrays: there may be more partitions than a statement may have parameters.
  await sql`
    insert into sync_partitions (config_id, project_id, region, read_at)
    select ${configId}::uuid, p.project_id, p.region, ${readAt}
    from unnest(${projectIds}::text[], ${regions}::text[]) as p (project_id, region)
    on conflict (config_id, project_id, region) do update set read_at = excluded.read_at
  `.execute(em.getKysely());
}

/**
 * Locks those of the hosts that may still be decided about, in the order of their provider's ids,
 * as everybody does who locks hosts. Others have another configuration meanwhile, are gone, were
 * seen since, or are kept by a person.
 */
function lockStillMissing({ configId, hosts, before, at, cause }: Absence): RawBuilder<unknown> {
  return sql`
    select id, held_reason, missing_since is not null as was_held
    from hosts
    where id = any(${hosts.map(({ id }) => id)}::uuid[])
      and config_id = ${configId}
      and gone_at is null
      and (changed_at <= ${before} or changed_at > ${at + MAX_CLOCK_SKEW_SECONDS})
      and (dismissed_at is null or ${cause !== "run"})
    order by ucloud_id
    for update`;
}
