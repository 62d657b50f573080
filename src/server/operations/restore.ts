import type { Readable } from "node:stream";
import type { MikroORM } from "@mikro-orm/postgresql";
import { type QueryExecutorProvider, sql } from "kysely";
import { z } from "zod";
import type { AuditDeps } from "../modules/audit-records/deps.ts";
import { fieldChanges } from "../modules/audit-records/field-changes.ts";
import { recordAudit } from "../modules/audit-records/record-audit.ts";
import { systemClock } from "../platform/clock.ts";
import { runAfterCommit } from "../platform/database/after-commit.ts";
import { isDatabaseUnavailable } from "../platform/database/errors.ts";
import { readSchema } from "../platform/database/migrate.ts";
import type { DatabaseTarget } from "../platform/database/open-connection.ts";
import { ADVISORY_LOCKS } from "../platform/database/sql.ts";
import type { Deps } from "../platform/deps.ts";
import { reasonOf, StartError } from "../platform/errors.ts";
import type { SecretBox } from "../platform/secrets.ts";
import { openCommandDatabase } from "./command-database.ts";
import { type BackupHeader, openBackup, type RowBatch } from "./read-backup.ts";
import { assertReplaceable, backupTables, readEventPosition } from "./schema.ts";
import { nameOf, secretsOfRow, tryOpen } from "./sealed-secrets.ts";

/** Moves event ids past those given out since the backup, so that clients refetch. */
const EVENT_ID_JUMP = 1_000_000_000;

const BackupRow = z.record(z.string(), z.unknown());

interface RestoreOptions extends Pick<Deps, "secrets" | "log"> {
  readonly target: DatabaseTarget;
  readonly input: Readable;
  readonly name: string;
  readonly replace: boolean;
}

/**
 * Replaces the content of the database in one transaction. `replace`: whether there may be data
 * already. Throws StartError.
 */
export async function restore({
  target,
  input,
  name,
  replace,
  secrets,
  log,
}: RestoreOptions): Promise<BackupHeader> {
  using resources = new DisposableStack();
  resources.defer(() => input.destroy());
  const backup = await openBackup(input, name);

  await using database = await openCommandDatabase(target, {
    name: "restore",
    access: "create",
    log,
  });
  const { orm, deps } = database;
  const db = orm.em.fork().getKysely();
  await assertReplaceable(db, backupTables(orm), replace);

  // Creates the table of migrations, which the migrator does on a connection of its own.
  await orm.migrator.getExecuted();
  // The migrator needs savepoints, which only a controlled transaction has.
  const transaction = await db.startTransaction().execute();
  try {
    await replaceContent(orm, transaction, backup, secrets);

    const em = orm.em.fork();
    em.setTransactionContext(transaction);
    await recordRestore({ ...deps, em }, backup.header);
    await transaction.commit().execute();
    runAfterCommit(transaction);
  } catch (error) {
    await transaction.rollback().execute();
    throw error;
  }
  return backup.header;
}

type Backup = Awaited<ReturnType<typeof openBackup>>;

/**
 * Makes the tables as they were at the backup, fills them, and then runs the migrations that are
 * newer: each of them finds the rows that it was written for.
 */
async function replaceContent(
  orm: MikroORM,
  transaction: QueryExecutorProvider,
  { header, batches }: Backup,
  secrets: SecretBox,
): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(transaction);
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`.execute(transaction);
  const position = await dropAll(orm, transaction);

  await orm.migrator.up({ to: header.schema.at(-1) ?? "", transaction });
  for (const table of header.tables) {
    await sql`delete from ${sql.table(table.name)}`.execute(transaction);
  }
  for await (const batch of batches) await insertRows(transaction, batch, secrets);

  // Their jobs are not in the backup, and a live run keeps its configuration from being synced.
  await sql`
    update sync_runs
    set status = 'interrupted', finished_at = extract(epoch from now())::bigint
    where status in ('queued', 'running')
  `.execute(transaction);
  const next = Math.max(position, header.eventPosition) + EVENT_ID_JUMP;
  await sql`select setval('events_id_seq', ${next})`.execute(transaction);

  await orm.migrator.up({ transaction });
  await continueSequences(transaction);
  const tables = backupTables(orm).map((table) => sql.table(table));
  await sql`analyze ${sql.join(tables)}`.execute(transaction);
}

/** Stands behind the entries of the backup. */
async function recordRestore(deps: AuditDeps, header: BackupHeader): Promise<void> {
  const restoredRows = header.tables.reduce((sum, { rows }) => sum + rows, 0);
  const changes = fieldChanges(null, { backupTime: header.takenAt, restoredRows });
  await recordAudit(deps, { action: "command.restore", changes }, systemClock.now());
}

/** What happens from now on stands behind the entries of the backup. */
async function continueSequences(transaction: QueryExecutorProvider): Promise<void> {
  await sql`
    select setval('audit_entries_seq_seq', greatest((select max(seq) from audit_entries), 1))
  `.execute(transaction);
  await sql`
    select setval('host_history_seq', greatest(
      (select max(seq) from host_acts),
      (select max(seq) from host_changes),
      1
    ))
  `.execute(transaction);
}

/** Returns the last event id of what it drops, 0 when there was nothing. */
async function dropAll(orm: MikroORM, transaction: QueryExecutorProvider): Promise<number> {
  await sql`drop schema if exists pgboss cascade`.execute(transaction);
  if ((await readSchema(transaction)).length === 0) return 0;

  const position = await readEventPosition(transaction);
  // All tables of the entities are there then.
  await orm.migrator.up({ transaction });
  const tables = [...orm.getMetadata().getAll().values()].map(({ tableName }) =>
    sql.table(tableName),
  );
  await sql`drop table ${sql.join(tables)}`.execute(transaction);

  // The migrations that follow make them again, and fail where one is there already.
  const collations = await sql<{ name: string }>`
    select collname as name
    from pg_collation
    where collnamespace = current_schema()::regnamespace
  `.execute(transaction);
  for (const { name } of collations.rows) {
    await sql`drop collation ${sql.id(name)}`.execute(transaction);
  }
  for (const { name } of (await findOwnFunctions(transaction)).rows) {
    await sql`drop function ${sql.id(name)}`.execute(transaction);
  }
  await sql`delete from schema_migrations`.execute(transaction);
  return position;
}

/** Of triggers; those of extensions belong to the database. */
function findOwnFunctions(transaction: QueryExecutorProvider) {
  return sql<{ name: string }>`
    select p.proname as name
    from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
  `.execute(transaction);
}

async function insertRows(
  db: QueryExecutorProvider,
  { table, rows }: RowBatch,
  secrets: SecretBox,
): Promise<void> {
  try {
    assertSecretsOpen(table, rows, secrets);
    const columns = sql.join(
      Object.keys(JSON.parse(rows[0] ?? "")).map((column) => sql.ref(column)),
    );
    const json = `[${rows.join(",")}]`;
    await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)
    `.execute(db);
  } catch (error) {
    if (error instanceof StartError || isDatabaseUnavailable(error)) throw error;
    throw new StartError(
      `备份中 ${table} 的数据无法写入（${reasonOf(error)}），数据库未作任何改动。`,
      {
        cause: error,
      },
    );
  }
}

function assertSecretsOpen(table: string, rows: readonly string[], secrets: SecretBox): void {
  for (const row of rows) {
    const closed = secretsOfRow(table, BackupRow.parse(JSON.parse(row))).find(
      (each) => tryOpen(secrets, each) === null,
    );
    if (closed === undefined) continue;
    throw new StartError(
      `备份中 ${nameOf(closed)} 的加密内容无法用当前密钥打开，数据库未作任何改动：请把备份时使用的密钥设为 ENCRYPTION_KEY` +
        "（或列入 ENCRYPTION_KEYS_OLD；内置数据库也可把原来的 encryption.key 放进 DATA_DIR），再还原。",
    );
  }
}
