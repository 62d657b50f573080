import { type SqlEntityManager, UnderscoreNamingStrategy } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import { v7 as newId } from "uuid";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import type { ProviderHost } from "../../provider/schemas.ts";
import type { Partition } from "../../provider/uhost-api.ts";
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
  /** A run leaves alone what a person chose to keep. Others act on hosts that a person named. */
  readonly cause: "run" | "refresh" | "confirmation";
}

interface Hold extends Absence {
  readonly hosts: readonly HeldHost[];
  readonly runId: string | null;
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
      select ucloud_id from hosts where config_id = ${configId} and gone_at is null
      except select unnest(${seen}::text[])
    )
    select h.id, h.ucloud_id as "ucloudId", h.region, h.project_id as "projectId", h.missing_since as "heldAt",
      h.held_reason as "heldReason", h.dismissed_at is not null as "isDismissed"
    from missing m join hosts h on h.ucloud_id = m.ucloud_id
  `.execute(em.getKysely());
  return rows;
}

/**
 * Writes at most 500 hosts, each once, in one statement, and returns the rows that changed. The
 * columns that are named here and in COLUMN_TYPES belong to sync; a host keeps all others.
 * `now` in Unix seconds.
 */
export async function writeHosts(
  em: SqlEntityManager,
  configId: string,
  hosts: readonly SeenHost[],
  now: number,
): Promise<HostChange[]> {
  const { rows } = await sql<HostChange>`
    with ${incoming(hosts)}, ${differing(configId, now)},
    updated as (
      update hosts h set
        (config_id, changed_at, gone_at, missing_since, held_reason, held_run_id, dismissed_at, removal_confirmed_at,
          present_since, ${NAMES}) =
        row(${configId}::uuid, d.requested_at, null, null, null, null, null, null,
          case when d.is_new then d.requested_at else h.present_since end, ${columns("d")})
      from differing d where h.id = d.host_id
      returning h.id, d.was_held
    ),
    created as (
      insert into hosts (id, ucloud_id, config_id, changed_at, present_since, ${NAMES})
      select ${newHostId()}, n.ucloud_id, ${configId}::uuid, n.requested_at, n.requested_at, ${columns("n")}
      from incoming n where not exists (select 1 from hosts h where h.ucloud_id = n.ucloud_id)
      order by n.ucloud_id
      on conflict (ucloud_id) do nothing
      returning id
    )
    select id, was_held as "wasHeld", 'updated' as kind from updated
    union all select id, false, 'created' from created
  `.execute(em.getKysely());
  return rows;
}

/**
 * Notes when these hosts were requested, while a run of their configuration is under way, and changes
 * nothing else. A run may have asked for a host before somebody refreshed it, and decide about it
 * afterwards: it leaves alone what was observed since it began. Without a run there is nobody to tell,
 * so nothing is written. A run that begins later asks later.
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
        and exists (
          select from sync_runs r
          where r.config_id = ${configId} and r.status = 'running' and r.started_at >= h.changed_at
        )
      order by h.ucloud_id
      for update of h
    )
    update hosts h set changed_at = o.requested_at
    from observed o
    where h.id = o.id
  `.execute(em.getKysely());
}

/** Marks hosts gone. Returns those that were present. */
export async function removeHosts(em: SqlEntityManager, removal: Absence): Promise<WrittenHost[]> {
  const confirmedAt = removal.cause === "confirmation" ? removal.at : null;
  const { rows } = await sql<WrittenHost>`
    update hosts h set gone_at = ${removal.at}, changed_at = ${removal.at}, removal_confirmed_at = ${confirmedAt},
      missing_since = null, held_reason = null, held_run_id = null, dismissed_at = null
    from (${stillMissing(removal)}) m where h.id = m.id returning h.id, m.was_held as "wasHeld"
  `.execute(em.getKysely());
  return rows;
}

/** Keeps hosts that may be gone, and notes since when and why. Returns whether a hold began or has another reason. */
export async function holdHosts(em: SqlEntityManager, hold: Hold): Promise<boolean> {
  const ids = hold.hosts.map(({ id }) => id);
  const reasons = hold.hosts.map(({ reason }) => reason);
  const latest = hold.at + MAX_CLOCK_SKEW_SECONDS;
  const { numAffectedRows = 0n } = await sql`
    update hosts h set held_reason = r.reason, held_run_id = ${hold.runId},
      missing_since = case
        when h.held_reason = 'unavailable' or h.missing_since > ${latest} then ${hold.at}
        else coalesce(h.missing_since, ${hold.at})
      end
    from (${stillMissing(hold)}) m, unnest(${ids}::uuid[], ${reasons}::text[]) as r (id, reason)
    where h.id = m.id and r.id = m.id
      and (h.missing_since is null or h.missing_since > ${latest} or h.held_reason is distinct from r.reason)
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

const COLUMN_TYPES: Readonly<
  Record<Exclude<keyof ProviderHost, "ucloudId"> | keyof Partition, string>
> = {
  region: "text",
  projectId: "text",
  zone: "text",
  name: "text",
  cpu: "integer",
  memory: "integer",
  disk: "integer",
  osName: "text",
  osType: "text",
  status: "text",
  providerStatus: "text",
  chargeType: "text",
  createTime: "bigint",
  expireTime: "bigint",
  ipSet: "jsonb",
};
const naming = new UnderscoreNamingStrategy();
const FIELDS = Object.entries(COLUMN_TYPES).map(([name, type]) => {
  return { name, type, column: naming.propertyToColumnName(name) };
});
const NAMES = sql.join(FIELDS.map(({ column }) => sql.ref(column)));

/** A reading of the default project does not say its id, which an earlier one may have said. */
const KNOWN_PROJECT = sql`coalesce(nullif(t."projectId", ''),
  (select h.project_id from hosts h where h.ucloud_id = t."ucloudId" and h.region = t.region), '')`;

function incoming(hosts: readonly SeenHost[]): RawBuilder<unknown> {
  const records = hosts.map(({ host, partition, requestedAt }) => ({
    requestedAt,
    ...partition,
    ...host,
  }));
  const types = FIELDS.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  const values = FIELDS.map(({ name }) =>
    name === "projectId" ? KNOWN_PROJECT : sql.ref(`t.${name}`),
  );
  const fields = FIELDS.map(({ column }, index) => sql`${values[index]} as ${sql.ref(column)}`);
  return sql`incoming as materialized (
    select t."ucloudId" as ucloud_id, t."requestedAt" as requested_at, ${sql.join(fields)}
    from json_to_recordset(${JSON.stringify(records)}::json)
      as t ("ucloudId" text, "requestedAt" bigint, ${sql.join(types)})
  )`;
}

/** A UUIDv7, made by the database for new hosts only: the time of this batch, then random bits. */
function newHostId(): RawBuilder<unknown> {
  const timeAndVersion = newId().slice(0, 15);
  return sql`overlay(gen_random_uuid()::text placing ${timeAndVersion} from 1)::uuid`;
}

/**
 * Rows that this configuration may write and that differ, locked in one order. The later request
 * wins: a description that was requested before the row was written, or before the host was marked
 * gone, is older than what is known. A stored time in the future was written by a wrong clock; such a
 * row is written in any case, so that it has a true time again.
 */
function differing(configId: string, now: number): RawBuilder<unknown> {
  const latest = now + MAX_CLOCK_SKEW_SECONDS;
  return sql`differing as (
    select n.*, h.id as host_id, h.missing_since is not null as was_held,
      (h.gone_at is not null or h.config_id is distinct from ${configId}::uuid) as is_new
    from incoming n join hosts h on h.ucloud_id = n.ucloud_id
    where (h.config_id = ${configId} or h.config_id is null or h.gone_at is not null
        or not exists (select 1 from configs c where c.id = h.config_id and c.is_active))
      and (h.changed_at <= n.requested_at or h.changed_at > ${latest})
      and (h.changed_at > ${latest} or h.gone_at is not null or h.missing_since is not null or h.dismissed_at is not null
        or h.config_id is distinct from ${configId}::uuid or (${columns("h")}) is distinct from (${columns("n")}))
    order by h.ucloud_id for update of h
  )`;
}

function stillMissing({ configId, hosts, before, at, cause }: Absence): RawBuilder<unknown> {
  return sql`
    select id, missing_since is not null as was_held from hosts
    where id = any(${hosts.map(({ id }) => id)}::uuid[]) and config_id = ${configId} and gone_at is null
      and (changed_at <= ${before} or changed_at > ${at + MAX_CLOCK_SKEW_SECONDS})
      and (dismissed_at is null or ${cause !== "run"})
    order by ucloud_id for update`;
}

function columns(table: "h" | "n" | "d"): RawBuilder<unknown> {
  return sql.join(FIELDS.map(({ column }) => sql.ref(`${table}.${column}`)));
}
