import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { newId } from "../core/ids.ts";
import type { ProviderHost } from "../provider/uhost-api.ts";
import { arrayLiteral } from "./array-literal.ts";
import type { Place } from "./rules.ts";

/** A host as the provider described it, and where it was asked for. */
export interface SeenHost {
  readonly host: ProviderHost;
  readonly place: Place;
  /** Unix seconds: the description may be as old as that. */
  readonly askedAt: number;
}

/** Who writes: a configuration and the places it reads. */
export interface HostReader {
  readonly configId: string;
  readonly regions: readonly string[];
  readonly projectIds: readonly string[];
}

export interface WrittenHosts {
  /** Rows that are new or changed. */
  readonly ids: string[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Hosts that there is something to write of. */
export interface DifferingHosts {
  /** Without a row. */
  readonly fresh: readonly SeenHost[];
  /** Other than their row. */
  readonly changed: readonly SeenHost[];
}

/** Those that are new or differ from their row, so that what is unchanged costs one read and no lock. */
export async function findDiffering(
  em: SqlEntityManager,
  reader: HostReader,
  seen: readonly SeenHost[],
): Promise<DifferingHosts> {
  // The limit keeps the planner at one index look-up per host, where it would read the whole table for each chunk.
  const { rows } = await sql<{ ucloud_id: string; is_new: boolean }>`
    select n.ucloud_id, h.id is null as is_new from (${incoming(reader.configId, seen, [])}) n
    left join lateral (select * from hosts h where h.ucloud_id = n.ucloud_id limit 1) h on true
    where h.id is null or ${differs("h", "n", reader)}
  `.execute(em.getKysely());
  const differing = new Map(rows.map(({ ucloud_id, is_new }) => [ucloud_id, is_new]));
  return {
    fresh: seen.filter(({ host }) => differing.get(host.ucloudId) === true),
    changed: seen.filter(({ host }) => differing.get(host.ucloudId) === false),
  };
}

/**
 * Writes what was seen (each host once, at most 1,000) in one statement that touches only rows that differ. A host that was gone
 * is back as the same row. A host that is present through another configuration stays with that one while it reads the host's project;
 * within a configuration it stays in its place as long as that place is still read. What somebody has heard of
 * it later stays. `at`: the present, in Unix seconds.
 */
export async function upsertHosts(
  em: SqlEntityManager,
  reader: HostReader,
  seen: readonly SeenHost[],
  at: number,
): Promise<WrittenHosts> {
  const { rows } = await sql<{ id: string; created: boolean }>`
    ${insertion(reader, seen, seen.map(newId))}
    on conflict (ucloud_id) do update set
      config_id = case when ${isFree("hosts", "excluded")} then excluded.config_id else hosts.config_id end,
      project_id = case when ${staysInPlace("hosts", "excluded", reader)} then hosts.project_id
        else excluded.project_id end,
      region = case when ${staysInPlace("hosts", "excluded", reader)} then hosts.region else excluded.region end,
      zone = excluded.zone, name = excluded.name, cpu = excluded.cpu, memory = excluded.memory, disk = excluded.disk,
      os_name = excluded.os_name, os_type = excluded.os_type, status = excluded.status,
      provider_status = excluded.provider_status, charge_type = excluded.charge_type,
      create_time = excluded.create_time, expire_time = excluded.expire_time, ip_set = excluded.ip_set,
      changed_at = excluded.changed_at, gone_at = null
    where ${differs("hosts", "excluded", reader)} and not ${isOlder("hosts", "excluded", at)}
    returning id, (xmax = 0) as created
  `.execute(em.getKysely());
  const created = rows.filter((row) => row.created).length;
  return {
    ids: rows.map(({ id }) => id),
    created,
    updated: rows.length - created,
    unchanged: seen.length - rows.length,
  };
}

/** The same for hosts of which none has a row, a tenth cheaper. @throws the driver's unique violation when one has; see `isTaken`. */
export async function insertHosts(
  em: SqlEntityManager,
  reader: HostReader,
  seen: readonly SeenHost[],
): Promise<WrittenHosts> {
  const ids = seen.map(newId);
  await insertion(reader, seen, ids).execute(em.getKysely());
  return { ids, created: ids.length, updated: 0, unchanged: 0 };
}

/**
 * Notes of hosts that were asked for by themselves that they were there, changed or not: who has not met them must not mark them gone,
 * which a new version of their rows tells.
 */
export async function confirmHosts(
  em: SqlEntityManager,
  { configId, seen }: { readonly configId: string; readonly seen: readonly SeenHost[] },
): Promise<void> {
  await sql`
    with locked as (
      select h.id, t.asked_at from hosts h join unnest(
        ${seen.map(({ host }) => host.ucloudId)}::text[], ${seen.map(({ askedAt }) => askedAt)}::bigint[]
      ) as t (ucloud_id, asked_at) using (ucloud_id)
      where h.config_id = ${configId} order by h.ucloud_id collate "C" for update of h
    )
    update hosts set changed_at = greatest(changed_at, asked_at) from locked where hosts.id = locked.id
  `.execute(em.getKysely());
}

const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";

export function isTaken(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION);
}

/** The configuration that is written for was deleted meanwhile. */
export function isConfigMissing(error: unknown): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function insertion(reader: HostReader, seen: readonly SeenHost[], ids: readonly string[]): RawBuilder<unknown> {
  // The same order in every transaction, so that two runs never wait for each other in a circle.
  const ordered = seen.toSorted((a, b) => compare(a.host.ucloudId, b.host.ucloudId));
  return sql`
    insert into hosts (
      id, ucloud_id, config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type, status,
      provider_status, charge_type, create_time, expire_time, ip_set, changed_at, gone_at
    )
    select n.id, n.ucloud_id, n.config_id, n.project_id, n.region, n.zone, n.name, n.cpu, n.memory, n.disk, n.os_name,
      n.os_type, n.status, n.provider_status, n.charge_type, n.create_time, n.expire_time, n.ip_set, n.asked_at, null
    from (${incoming(reader.configId, ordered, ids)}) n`;
}

/** One array per column: far cheaper to send and to plan than a row of parameters per host. Without ids, for a look, what only a write needs is null. */
function incoming(configId: string, seen: readonly SeenHost[], ids: readonly string[]): RawBuilder<unknown> {
  const column = (read: (seen: SeenHost) => string | number | null) => sql`${arrayLiteral(seen.map(read))}`;
  return sql`
    select t.id, t.ucloud_id, ${configId}::uuid as config_id, t.project_id, t.region, t.zone, t.name, t.cpu, t.memory,
      t.disk, t.os_name, t.os_type, t.status, t.provider_status, t.charge_type, t.create_time, t.expire_time,
      t.ip_set::jsonb as ip_set, t.asked_at
    from unnest(
      ${arrayLiteral(ids)}::uuid[], ${column(({ host }) => host.ucloudId)}::text[],
      ${column(({ place }) => place.projectId)}::text[], ${column(({ place }) => place.region)}::text[],
      ${column(({ host }) => host.zone)}::text[], ${column(({ host }) => host.name)}::text[],
      ${column(({ host }) => host.cpu)}::integer[], ${column(({ host }) => host.memory)}::integer[],
      ${column(({ host }) => host.disk)}::integer[], ${column(({ host }) => host.osName)}::text[],
      ${column(({ host }) => host.osType)}::text[], ${column(({ host }) => host.status)}::text[],
      ${column(({ host }) => host.providerStatus)}::text[], ${column(({ host }) => host.chargeType)}::text[],
      ${column(({ host }) => host.createTime)}::bigint[], ${column(({ host }) => host.expireTime)}::bigint[],
      ${column(({ host }) => JSON.stringify(host.ipSet))}::text[],
      ${arrayLiteral(ids.length === 0 ? [] : seen.map(({ askedAt }) => askedAt))}::bigint[]
    ) as t (
      id, ucloud_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type, status, provider_status,
      charge_type, create_time, expire_time, ip_set, asked_at
    )`;
}

/** True when the row `h` must be written to be what `n` says. */
function differs(h: "h" | "hosts", n: "n" | "excluded", reader: HostReader): RawBuilder<SqlBool> {
  return sql`(
    ${isFree(h, n)}
    or (not ${staysInPlace(h, n, reader)} and (${columns(h, PLACE)}) is distinct from (${columns(n, PLACE)}))
    or (${columns(h, DESCRIPTION)}) is distinct from (${columns(n, DESCRIPTION)})
  )`;
}

/**
 * The row says what was heard after `n` was asked for: by who asked for this host alone, say, while a page was long in coming. A row from
 * the future is one from a clock that was wrong, and says nothing; who takes a host over, or finds one that was gone, has to write it.
 */
function isOlder(h: "hosts", n: "excluded", at: number): RawBuilder<SqlBool> {
  const heardAt = sql.ref(`${h}.changed_at`);
  return sql`(${heardAt} > ${sql.ref(`${n}.changed_at`)} and ${heardAt} <= ${at} and not ${isFree(h, n)})`;
}

/** Whoever sees it takes it over: what a configuration has that is switched off, or that names other projects by now, is looked after by nobody. */
function isFree(h: "h" | "hosts", n: "n" | "excluded"): RawBuilder<SqlBool> {
  const configId = sql.ref(`${h}.config_id`);
  // The comparison comes first: for a configuration's own hosts, which nearly all are, it is all that is asked.
  return sql`(
    ${sql.ref(`${h}.gone_at`)} is not null or ${configId} is null
    or (${configId} <> ${sql.ref(`${n}.config_id`)} and exists (
      select 1 from configs c where c.id = ${configId} and (
        not c.is_active
        or (c.project_ids <> '[]' and not c.project_ids @> to_jsonb(${sql.ref(`${h}.project_id`)}))
      )
    ))
  )`;
}

function staysInPlace(h: "h" | "hosts", n: "n" | "excluded", { regions, projectIds }: HostReader): RawBuilder<SqlBool> {
  return sql`(
    not ${isFree(h, n)} and (
      ${sql.ref(`${h}.config_id`)} <> ${sql.ref(`${n}.config_id`)}
      or (${sql.ref(`${h}.region`)} = any(${[...regions]}::text[])
        and ${sql.ref(`${h}.project_id`)} = any(${[...projectIds]}::text[]))
    )
  )`;
}

const PLACE = ["project_id", "region"] as const;
const DESCRIPTION = [
  "zone",
  "name",
  "cpu",
  "memory",
  "disk",
  "os_name",
  "os_type",
  "status",
  "provider_status",
  "charge_type",
  "create_time",
  "expire_time",
  "ip_set",
] as const;

function columns(table: string, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`${table}.${name}`)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
