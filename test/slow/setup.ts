import { isPostgreSqlInstalled, startPostgreSql } from "../harness/postgresql.ts";

/** One PostgreSQL server for the slow tests. */
export default async function setup(): Promise<() => Promise<void>> {
  await using resources = new AsyncDisposableStack();
  if (isPostgreSqlInstalled()) process.env.SLOW_DATABASE_URL ??= await startPostgreSql(resources);
  else console.log("PostgreSQL is not installed: the embedded database only");
  const opened = resources.move();
  return () => opened.disposeAsync();
}
