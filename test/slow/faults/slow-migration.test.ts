import { Migration } from "@mikro-orm/migrations";
import { expect, test } from "vitest";
import { createLog } from "../../../src/server/core/log.ts";
import { MIGRATIONS } from "../../../src/server/database/entities.ts";
import { migrate } from "../../../src/server/database/migrate.ts";
import { openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";

/** Longer than any limit that calls are held to. */
class Slow extends Migration {
  override up(): void {
    this.addSql("select pg_sleep(21)");
  }
}

test.skipIf(TEST_SERVER_URL === null)("a migration that takes its time is not cut", { timeout: 90_000 }, async () => {
  await using storage = await openTestStorage({ server: TEST_SERVER_URL });
  const url = storage.env.DATABASE_URL ?? "";
  const migrations = [...MIGRATIONS, { name: "Slow", class: Slow }];
  const log = createLog({ level: "silent", pretty: false });
  await migrate({ connection: { kind: "server", url }, migrations, log });
  const rows = await storage.query("select name from schema_migrations order by id");
  expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
});
