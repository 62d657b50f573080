import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { HostFieldChange } from "../../../shared/host-history.ts";
import { isFromFuture } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { columnOf } from "../../platform/database/postgres-names.ts";
import { anyOfTexts } from "../../platform/database/sql.ts";
import { createIdGenerator } from "../../platform/id-generator.ts";
import type { Partition } from "../../provider/uhost-api.ts";
import { type HostChangeEntry, recordHostChanges } from "../history-records/record-changes.ts";
import { fingerprintOf } from "../hosts/fingerprint.ts";
import { PROVIDER_FIELD_NAMES } from "../hosts/provider-fields.ts";
import { REMOVAL_WINDOW_SECONDS } from "./absence.ts";
import type { HostChange, SeenHost } from "./host-store.ts";
import {
  type ComparedHost,
  compareHosts,
  judgeObservation,
  kindOfChange,
  projectOf,
} from "./judge-observation.ts";

interface Batch {
  readonly configId: string;
  /** The run that saw the hosts, null for a refresh. */
  readonly runId: string | null;
  /** Each once. */
  readonly hosts: readonly SeenHost[];
  /** In Unix seconds. */
  readonly now: number;
}

/** A batch that was compared with what is stored. Of its other hosts nothing is to be written. */
export interface JudgedBatch extends Batch {
  /** Are not stored. */
  readonly created: readonly SeenHost[];
  /** Differ from what is stored. */
  readonly changed: readonly SeenHost[];
}

/** A row of hosts as sync writes it. The columns that it does not name are kept. */
interface WrittenRow extends ComparedHost {
  readonly id: string;
  readonly ucloudId: string;
  readonly changedAt: number;
  readonly presentSince: number;
  /** Of a new host. The database dates a status that changes (`hosts/entity.ts`). */
  readonly statusSince?: number;
}

const UPDATED = [
  ...PROVIDER_FIELD_NAMES,
  ...(["projectId", "region", "configId", "changedAt", "presentSince"] as const),
];
const INSERTED = [...(["id", "ucloudId", "statusSince"] as const), ...UPDATED];
const COLUMNS = INSERTED.map((property) => ({ property, column: columnOf(property) }));

interface Update {
  readonly row: WrittenRow;
  readonly changes: readonly HostFieldChange[];
  readonly wasGone: boolean;
  readonly wasHeld: boolean;
  /** Nothing has happened to the host that a person would call a change. */
  readonly isSilent: boolean;
}

/**
 * Writes hosts with their history, and returns those to which something happened. Statements read,
 * TypeScript decides (`judgeObservation`), plain statements write:
 *
 * 1. Read the marks and fingerprints of the batch, without locks (`judgeBatch`). Most hosts are
 *    unchanged; of these nothing more is read and nothing is written.
 * 2. Insert the new ones. Where somebody else was faster, the other row stays as it is.
 * 3. Lock the changed ones in the order of the provider's ids, as everybody does who locks hosts,
 *    read their fields and judge them once more: they may have been written meanwhile. So what is
 *    written was compared with what it replaces.
 * 4. Add to the history what happened. A host that is written although nothing happened to it
 *    (`compareHosts`) is left out, and counts as unchanged.
 */
export async function writeHosts(em: SqlEntityManager, batch: Batch): Promise<HostChange[]> {
  return await writeJudged(em, await judgeBatch(em, batch));
}

/**
 * The first step, which needs no transaction. What it found may be old by the time it is written:
 * then a new host is left as somebody else has inserted it, and a changed one is judged once more.
 */
export async function judgeBatch(em: SqlEntityManager, batch: Batch): Promise<JudgedBatch> {
  const { configId, hosts, now } = batch;
  const ids = hosts.map(({ host }) => host.ucloudId);
  const rows = await markedHosts(em).where("h.ucloudId", "=", anyOfTexts(ids)).execute();
  const stored = new Map(rows.map((row) => [row.ucloudId, row]));

  const judged = Map.groupBy(hosts, (seen) => {
    const marks = stored.get(seen.host.ucloudId);
    const isSame = marks !== undefined && hasFingerprintOf(marks, seen);
    return judgeObservation({ configId, requestedAt: seen.requestedAt, isSame, now }, marks);
  });
  return { ...batch, created: judged.get("new") ?? [], changed: judged.get("changed") ?? [] };
}

/**
 * The other steps, in one transaction. That of a run has locked the row of the run, so that nothing
 * is written after its end.
 */
export async function writeJudged(em: SqlEntityManager, batch: JudgedBatch): Promise<HostChange[]> {
  const { runId, now } = batch;
  const created = await insertHosts(em, { ...batch, hosts: batch.created });
  const updates = await lockChanged(em, { ...batch, hosts: batch.changed });
  await updateHosts(em, updates);

  const entries: HostChangeEntry[] = created.map((hostId) => ({ hostId, kind: "created" }));
  for (const { row, changes, wasGone } of updates) {
    const kind = kindOfChange(wasGone, changes);
    if (kind !== null) entries.push({ hostId: row.id, kind, changes });
  }
  await recordHostChanges(em, entries, { at: now, runId });

  const told = updates.filter(({ isSilent }) => !isSilent);
  return [
    ...told.map(({ row, wasHeld }) => ({ id: row.id, wasHeld, kind: "updated" as const })),
    ...created.map((id) => ({ id, wasHeld: false, kind: "created" as const })),
  ];
}

function markedHosts(em: SqlEntityManager) {
  return kyselyOf(em)
    .selectFrom("hosts as h")
    .leftJoin("configs as c", "c.id", "h.config")
    .select((eb) => eb.fn.coalesce("c.isActive", eb.lit(false)).as("isConfigActive"))
    .select(["h.id", "h.ucloudId", "h.config as configId", "h.region", "h.projectId"])
    .select(["h.fingerprint", "h.changedAt", "h.goneAt", "h.heldAt", "h.dismissedAt"]);
}

function hasFingerprintOf(
  stored: Partition & { readonly fingerprint: string },
  { host, partition }: SeenHost,
): boolean {
  return (
    stored.region === partition.region &&
    stored.projectId === projectOf(partition, stored) &&
    stored.fingerprint === fingerprintOf(host)
  );
}

/** Returns the ids of those that were not there. */
async function insertHosts(
  em: SqlEntityManager,
  { configId, hosts, now }: Batch,
): Promise<string[]> {
  if (hosts.length === 0) return [];

  const newId = createIdGenerator(hosts.length, now);
  const rows = hosts.map(({ host, partition, requestedAt }): WrittenRow => {
    const since = {
      changedAt: requestedAt,
      presentSince: requestedAt,
      statusSince: requestedAt,
    };
    return { id: newId(), ...host, ...partition, configId, ...since };
  });
  const columns = sql.join(COLUMNS.map(({ column }) => sql.ref(column)));
  const created = await sql<{ id: string }>`
    insert into hosts (${columns})
    select ${columns}
    from json_populate_recordset(null::hosts, ${documentOf(rows)}::json)
    order by ucloud_id
    on conflict (ucloud_id) do nothing
    returning id
  `.execute(em.getKysely());
  return created.rows.map(({ id }) => id);
}

/** Locks these hosts, and compares them with what is stored now. */
async function lockChanged(
  em: SqlEntityManager,
  { configId, hosts, now }: Batch,
): Promise<Update[]> {
  if (hosts.length === 0) return [];

  const seen = new Map(hosts.map((each) => [each.host.ucloudId, each]));
  const stored = await markedHosts(em)
    .select(PROVIDER_FIELD_NAMES.map((field) => `h.${field}` as const))
    .select("h.presentSince")
    .where("h.ucloudId", "=", anyOfTexts([...seen.keys()]))
    .orderBy("h.ucloudId")
    .forUpdate("h")
    .execute();

  const updates: Update[] = [];
  for (const before of stored) {
    const { id, ucloudId, goneAt, heldAt, dismissedAt, presentSince } = before;
    const found = seen.get(ucloudId);
    if (found === undefined) continue;

    const { requestedAt, partition } = found;
    const fields = {
      ...found.host,
      ...partition,
      projectId: projectOf(partition, before),
      configId,
    };
    const { isSame, changes } = compareHosts(before, fields);
    const judgement = judgeObservation({ configId, requestedAt, isSame, now }, before);
    if (judgement !== "changed") continue;

    const wasGone = goneAt !== null;
    const isNewHere = wasGoneForLong(goneAt, now) || before.configId !== configId;
    const since = isNewHere ? requestedAt : presentSince;
    const row = { ...fields, id, changedAt: requestedAt, presentSince: since };
    const wasMissing = wasGone || heldAt !== null || dismissedAt !== null;
    const isSilent = changes.length === 0 && !wasMissing;
    updates.push({ row, changes, wasGone, wasHeld: heldAt !== null, isSilent });
  }
  return updates;
}

/**
 * A host that comes back within a day keeps its age. It would else be too young to count for a mass
 * removal (absence.ts), and a provider that hides hosts now and then could remove them all.
 */
function wasGoneForLong(goneAt: number | null, now: number): boolean {
  if (goneAt === null || isFromFuture(goneAt, now)) return false;
  return now - goneAt >= REMOVAL_WINDOW_SECONDS;
}

/** Whoever is seen is neither gone nor held, whatever a person decided about the absence. */
async function updateHosts(em: SqlEntityManager, updates: readonly Update[]): Promise<void> {
  if (updates.length === 0) return;

  const written = sql.join(
    UPDATED.map(columnOf).map((column) => sql`${sql.ref(column)} = ${sql.ref(`n.${column}`)}`),
  );
  await sql`
    update hosts h
    set
      ${written},
      gone_at = null, removal_confirmed_at = null,
      missing_since = null, held_reason = null, held_run_id = null, dismissed_at = null
    from json_populate_recordset(
      null::hosts, ${documentOf(updates.map(({ row }) => row))}::json
    ) n
    where h.id = n.id
  `.execute(em.getKysely());
}

/**
 * Rows by the names of their columns, as one document: a parameter for each value would be slow.
 */
function documentOf(rows: readonly WrittenRow[]): string {
  return JSON.stringify(rows.map(recordOf));
}

/** A loop, because thousands of rows are written one after the other. */
function recordOf(row: WrittenRow): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const { property, column } of COLUMNS) record[column] = row[property];
  return record;
}
