import { onTestFinished } from "vitest";
import type { DatabaseConnection } from "../../../src/server/platform/database/open.ts";
import { openEmbeddedTestDatabase } from "../../harness/database.ts";
import { openTestStorage } from "../../harness/storage.ts";

/** A migrated, empty database of the test: embedded, or on a server. */
export async function openDatabase(server: string | null): Promise<DatabaseConnection> {
  if (server === null) {
    const database = await openEmbeddedTestDatabase();
    onTestFinished(() => database[Symbol.asyncDispose]());
    return { kind: "embedded", ...database.connection };
  }
  const storage = await openTestStorage({ server });
  onTestFinished(() => storage[Symbol.asyncDispose]());
  return storage.connection;
}
