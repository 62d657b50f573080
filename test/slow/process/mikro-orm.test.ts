import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf, startProgram, startServer } from "../../harness/programs.ts";
import { scratchDirectory } from "../../harness/scratch.ts";
import { openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";

const COMMANDS = [
  { command: "debug", says: "database connection successful" },
  { command: "migration:pending", says: "No pending migrations" },
];
const ON_SERVER = [...COMMANDS, { command: "schema:update --dump", says: "Schema is up-to-date" }];
/** Its searches have no index. */
const ON_EMBEDDED = [
  ...COMMANDS,
  { command: "schema:update --dump", says: "create index hosts_search on hosts" },
];
const scratch = scratchDirectory();

test.each(ON_EMBEDDED)(
  "npx mikro-orm $command works beside a running embedded server",
  async ({ command, says }) => {
    await using storage = await openTestStorage({ server: null });
    await using _server = await startServer(storage.env);

    const { code, stdout } = await mikroOrm(command, storage.env);

    expect(stdout.join("\n")).toContain(says);
    expect(code).toBe(0);
  },
);

test.skipIf(TEST_SERVER_URL === null).each(ON_SERVER)(
  "npx mikro-orm $command works on the server of DATABASE_URL alone",
  async ({ command, says }) => {
    await using storage = await openTestStorage();
    await using _server = await startServer(storage.env);

    const { code, stdout } = await mikroOrm(command, {
      DATABASE_URL: storage.env.DATABASE_URL ?? "",
    });

    expect(stdout.join("\n")).toContain(says);
    expect(code).toBe(0);
  },
);

test("npx mikro-orm works before the first start, which then succeeds", async () => {
  const env = { DATA_DIR: join(scratch, "new") };

  const { code, stdout } = await mikroOrm("migration:pending", env);
  await using server = await startServer(env);

  expect(stdout.join("\n")).toContain("Initial");
  expect(code).toBe(0);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

function mikroOrm(command: string, env: Readonly<Record<string, string>>) {
  return outcomeOf(
    startProgram({ file: "npx", args: ["--no-install", "mikro-orm", ...command.split(" ")], env }),
  );
}
