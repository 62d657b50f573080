import { readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { startProgram } from "../../harness/programs.ts";
import { eventually, openStage, TEST_LIMIT, within } from "../../harness/stage.ts";
import { TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";
import { holdLock } from "../hold-lock.ts";
import { allRows } from "./backup-data.ts";
import { backup, startCommand } from "./commands.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** How long a stop by Ctrl+C may take. */
const INTERRUPT_LIMIT_MS = 5_000;
/** All of a backup but its end; then the input stalls. */
const RESTORE_FROM_OPEN_PIPE =
  'mkfifo "$0" && exec 3<>"$0" && head -c -20 "$1" >&3 && exec node scripts/admin.ts restore - --replace <&3 3>&-';

test.skipIf(TEST_SERVER_URL === null).each([
  ["a file", "interrupted.backup", "备份已中止，没有留下文件。"],
  ["standard output", "-", "备份已中止：请勿使用已写出的部分。"],
])(
  "a backup into %s that waits for the database ends when it is told to, with one line",
  async (_where, target, says) => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
    const { storage } = stage;
    await (await stage.start()).kill("SIGTERM");
    await using lock = await holdLock(storage, "lock table sync_runs in access exclusive mode");
    const file = target === "-" ? target : join(storage.directory, target);
    await using command = startCommand("backup", stage.settings, [file]);
    await lock.awaited();

    const started = performance.now();
    expect(await command.kill("SIGINT")).toEqual({ code: 1, signal: null });
    expect(performance.now() - started).toBeLessThan(within(INTERRUPT_LIMIT_MS));
    expect(command.stderr).toEqual([says]);
    expect(readdirSync(storage.directory).filter((name) => name.includes("backup"))).toEqual([]);
  },
);

test.skipIf(TEST_SERVER_URL === null)("a restore that is killed half-way leaves the database as it was", async () => {
  await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
  const { storage, settings } = stage;
  await (await stage.start()).kill("SIGTERM");
  const file = join(storage.directory, "whole.backup");
  expect(await backup(settings, file)).toMatchObject({ code: 0 });
  const rows = await allRows(storage);
  await using locks = await watchDropLock(storage);
  await using command = startProgram({
    file: "sh",
    args: ["-c", RESTORE_FROM_OPEN_PIPE, join(storage.directory, "pipe"), file],
    env: settings,
  });
  await eventually(async () => expect(await locks.count()).toBe(1));

  expect(await command.kill("SIGTERM")).toEqual({ code: null, signal: "SIGTERM" });
  await eventually(async () => expect(await locks.count()).toBe(0));
  expect(await allRows(storage)).toEqual(rows);
});

/** Counts the locks under which `users` is dropped. Connected to another database: a restore refuses while its own has clients. */
async function watchDropLock(storage: TestStorage) {
  const [users] = await storage.query(
    "select oid as database, 'users'::regclass::oid as relation from pg_database where datname = current_database()",
  );
  const client = new pg.Client({ connectionString: TEST_SERVER_URL ?? "" });
  await client.connect();
  return {
    async count() {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from pg_locks
         where database = $1 and relation = $2 and mode = 'AccessExclusiveLock' and granted`,
        [users?.database, users?.relation],
      );
      return rows[0]?.n;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
