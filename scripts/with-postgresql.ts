import { spawn } from "node:child_process";
import { once } from "node:events";
import { startPostgreSql } from "../test/harness/postgresql.ts";

/**
 * Runs a command with TEST_DATABASE_URL naming a private PostgreSQL server, made in a temporary
 * directory and removed afterwards: `node scripts/with-postgresql.ts -- npm test`
 */
const [command, ...args] = process.argv.slice(process.argv.indexOf("--") + 1);
if (command === undefined)
  throw new Error("usage: node scripts/with-postgresql.ts -- COMMAND [ARG …]");

await using resources = new AsyncDisposableStack();
const url = await startPostgreSql(resources);
const child = spawn(command, args, {
  stdio: "inherit",
  env: { ...process.env, TEST_DATABASE_URL: url },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const [code] = await once(child, "exit");
process.exitCode = typeof code === "number" ? code : 1;
