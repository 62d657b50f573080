import type { TestApp } from "./app.ts";

/** Tables that random actions write, in order of their foreign keys. Hosts and configurations stay. */
const WRITTEN = ["events", "renewals", "assignments", "sessions", "login_failures", "users"];

/** Remembers users and sessions; the returned function restores them and undoes everything else that random actions write. */
export async function snapshotUsers({ database }: Pick<TestApp, "database">): Promise<() => Promise<void>> {
  const users = await rowsOf(database, "users");
  const sessions = await rowsOf(database, "sessions");
  return async () => {
    for (const table of WRITTEN) await database.query(`delete from ${table}`);
    await database.query("update settings set show_network_info_to_client = false");
    for (const [table, rows] of [
      ["users", users],
      ["sessions", sessions],
    ]) {
      await database.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [rows]);
    }
  };
}

async function rowsOf(database: TestApp["database"], table: string): Promise<string> {
  const [found] = await database.query(`select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`);
  return String(found?.rows);
}
