import type { TestApp } from "./app.ts";

/** What stories write, referring tables before those that they refer to. Hosts and configurations stay. */
const WRITTEN = ["events", "renewals", "assignments", "sessions", "login_failures", "users"];

/** Users who are signed in now, to be brought back by the answered function, with everything else that stories write undone. */
export async function rememberStart({ database }: Pick<TestApp, "database">): Promise<() => Promise<void>> {
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
