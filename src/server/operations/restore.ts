import type { Log } from "../core/log.ts";
import type { SecretBox } from "../core/secrets.ts";
import { type DatabaseOptions, holdingMigrationLock, openOrm } from "../database/open.ts";
import { type DatabasePlace, openForCommand } from "./command-database.ts";
import type { BackupHeader } from "./file-format.ts";
import { loadBackup } from "./load.ts";
import { newerBackup, readBackup } from "./read-backup.ts";
import { isKnownSchema } from "./schema.ts";
import { BACKUP_TABLES } from "./tables.ts";
import { verifyKeys } from "./verify-keys.ts";

export interface RestoreOptions extends Pick<DatabaseOptions, "entities" | "migrations"> {
  readonly place: DatabasePlace;
  readonly file: string;
  /** Whether data that are there may be replaced. */
  readonly replace: boolean;
  readonly secrets: SecretBox;
  readonly log: Log;
}

/** Makes the database what a backup says, or throws StartError and leaves it as it was. Answers the backup's header. */
export async function restore(options: RestoreOptions): Promise<BackupHeader> {
  const { place, file, replace, secrets, log, entities, migrations } = options;
  const knownSchema = migrations.map(({ name }) => name);
  // All of it before the database is even opened.
  const header = await readBackup(file);
  assertKnown(file, header, knownSchema);
  await verifyKeys(file, secrets);

  await using database = await openForCommand(place, log);
  const { connection } = database;
  await holdingMigrationLock(connection, async () => {
    const orm = await openOrm({ connection, entities, migrations, log, poolSize: 1, limits: "none" });
    try {
      await loadBackup({ orm, file, header, knownSchema, replace, isShared: connection.kind === "server" });
    } finally {
      await orm.close(true);
    }
  });
  return header;
}

function assertKnown(file: string, header: BackupHeader, knownSchema: readonly string[]): void {
  const hasUnknownTable = header.tables.some(({ name }) => BACKUP_TABLES.every((table) => table.name !== name));
  if (hasUnknownTable || !isKnownSchema(header.schema, knownSchema)) throw newerBackup(file);
}
