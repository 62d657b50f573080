import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, figure } from "./figure.ts";
import type { Installation } from "./installation.ts";

type Database = Pick<Installation["database"], "query">;

const BAR_MS = 1_000;
const LIMIT_MS = 300_000;
const LONGEST_TRANSACTION = `
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0) * 1000 as ms
  from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'
    and state <> 'idle' and pid <> pg_backend_pid()`;

/**
 * Sends the job that removes old rows. How long it takes, the longest transaction meanwhile, and how
 * long somebody waits who writes the oldest row of the table, which is the next to be removed.
 */
export async function measureCleanUp(
  database: Database,
  table: "host_changes" | "sync_runs",
): Promise<Figure[]> {
  const before = await countRows(database, table);
  const [job] = await database.query(
    "insert into pgboss.job (name, data) values ('clean-up', '{}') returning id",
  );
  const startedAt = performance.now();
  const longest = { wait: 0, transaction: 0 };

  for (;;) {
    const askedAt = performance.now();
    await database.query(
      `update ${table} set id = id where id = (select id from ${table} order by id limit 1)`,
    );
    longest.wait = Math.max(longest.wait, performance.now() - askedAt);

    const [transaction] = await database.query(LONGEST_TRANSACTION);
    longest.transaction = Math.max(longest.transaction, Number(transaction?.ms));

    const [state] = await database.query(
      `select state::text, extract(epoch from completed_on - started_on) as seconds
       from pgboss.job where id = $1`,
      [job?.id],
    );
    if (state?.state === "completed") {
      const removed = before - (await countRows(database, table));
      const what = `removing ${removed.toLocaleString("en")} old rows of ${table}`;
      return [
        figure(what, Number(state.seconds), "s"),
        figure(`longest transaction while ${what}`, longest.transaction, "ms", { bar: BAR_MS }),
        figure(`longest wait for a row while ${what}`, longest.wait, "ms", { bar: BAR_MS }),
      ];
    }
    if (performance.now() - startedAt > LIMIT_MS) throw new Error("the clean-up did not end");
    await sleep(5);
  }
}

async function countRows(database: Database, table: string): Promise<number> {
  const [row] = await database.query(`select count(*)::int as count from ${table}`);
  return Number(row?.count);
}
