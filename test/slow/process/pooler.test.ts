import { describe, expect, test } from "vitest";
import { createInactiveConfig } from "../../harness/calls.ts";
import {
  isPgBouncerInstalled,
  type PoolerOptions,
  startPgBouncer,
} from "../../harness/pgbouncer.ts";
import { outcomeOf, startServerProcess } from "../../harness/programs.ts";
import { openServerFixture, signIn } from "../../harness/server-fixture.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";

const CALLERS = 60;

describe.skipIf(TEST_SERVER_URL === null || !isPgBouncerInstalled())("behind PgBouncer", () => {
  test.each<PoolerOptions>([
    { mode: "session", poolSize: 40 },
    { mode: "transaction", poolSize: 20 },
  ])(
    "$mode pooling, $poolSize connections: two replicas start and answer many",
    async (options) => {
      await using stack = new AsyncDisposableStack();
      const { start } = await openBehind(stack, options);

      const replicas = [await start(), await start()] as const;
      const first = await signIn(replicas[0].url);
      const second = await signIn(replicas[1].url);
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, (_, n) => {
          const root = n % 2 === 0 ? first : second;
          return n % 3 === 0 ? createInactiveConfig(root, `配置 ${n}`) : root.get("/api/hosts");
        }),
      );

      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].sort()).toEqual([200, 201]);
      for (const { output } of replicas)
        expect(output.join("\n")).not.toContain("fewer connections");
    },
  );

  test("a replica that does not get all of its connections says so at its start", async () => {
    await using stack = new AsyncDisposableStack();
    const { start } = await openBehind(stack, { mode: "session", poolSize: 20 });
    const first = await start();

    const second = await start();

    const line = await second.line(/^.*gives this process fewer connections than it uses.*$/);
    expect(JSON.parse(line)).toMatchObject({ used: 11 });
    expect(first.output.join("\n")).not.toContain("fewer connections");
  });

  test("that refuses our time limits, a start ends with what to set", async () => {
    await using stack = new AsyncDisposableStack();
    const { settings } = await openBehind(stack, { mode: "session", ignored: "options" });

    const { code, stderr } = await outcomeOf(startServerProcess(settings));

    expect(code).toBe(1);
    expect(stderr).toEqual([
      expect.stringMatching(/^DATABASE_URL: .*ignore_startup_parameters = statement_timeout, lock/),
    ]);
  });
});

/** An empty database, and servers that reach it through the pooler. */
async function openBehind(stack: AsyncDisposableStack, options: PoolerOptions) {
  const fixture = stack.use(await openServerFixture({ server: TEST_SERVER_URL, hosts: 0 }));
  const { DATABASE_URL = "" } = fixture.storage.env;
  const settings = {
    ...fixture.settings,
    DATABASE_URL: await startPgBouncer(stack, DATABASE_URL, options),
  };
  return { settings, start: () => fixture.start(settings) };
}
