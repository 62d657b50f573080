import { describe, expect, test } from "vitest";
import { createInactiveConfig } from "../../harness/calls.ts";
import {
  isPgBouncerInstalled,
  knowsNamedStatements,
  type PoolerOptions,
  startPgBouncer,
} from "../../harness/pgbouncer.ts";
import { outcomeOf, startServerProcess } from "../../harness/programs.ts";
import { openServerFixture, signIn } from "../../harness/server-fixture.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";

const CALLERS = 60;
const REFUSED_NAME = "the database refuses a statement by its name";

describe.skipIf(TEST_SERVER_URL === null || !isPgBouncerInstalled())("behind PgBouncer", () => {
  test.each<PoolerOptions>([
    { mode: "session", poolSize: 40 },
    { mode: "transaction", poolSize: 20 },
  ])(
    "$mode pooling, $poolSize connections: two replicas start and answer many",
    async (options) => {
      await using stack = new AsyncDisposableStack();
      const { start } = await openBehind(stack, options);

      const { outputs, statuses } = await callTwoReplicas(start);

      expect(statuses).toEqual([200, 201]);
      for (const output of outputs) expect(output).not.toContain("fewer connections");
    },
  );

  test("transaction pooling that carries no names: each replica says once that it sends none", async () => {
    await using stack = new AsyncDisposableStack();
    const { start } = await openBehind(stack, { mode: "transaction", maxPreparedStatements: 0 });

    const { outputs, statuses } = await callTwoReplicas(start);

    expect(statuses).toEqual([200, 201]);
    for (const output of outputs) expect(output.split(REFUSED_NAME)).toHaveLength(2);
  });

  test.skipIf(!knowsNamedStatements())(
    "transaction pooling that carries names: no statement is refused",
    async () => {
      await using stack = new AsyncDisposableStack();
      const options = { mode: "transaction", maxPreparedStatements: 200 } as const;
      const { start } = await openBehind(stack, options);

      const { outputs, statuses } = await callTwoReplicas(start);

      expect(statuses).toEqual([200, 201]);
      for (const output of outputs) expect(output).not.toContain(REFUSED_NAME);
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

type Start = Awaited<ReturnType<typeof openBehind>>["start"];

/** Many calls of two replicas at once: the different statuses, and what each replica logs. */
async function callTwoReplicas(start: Start) {
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
  return {
    statuses: [...statuses].sort(),
    outputs: replicas.map(({ output }) => output.join("\n")),
  };
}

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
