import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { hostTotal, providerTotal, runOf, syncHalfWay } from "../../harness/calls.ts";
import { query } from "../../harness/database.ts";
import type { ServerProgram } from "../../harness/programs.ts";
import { follow } from "../../harness/raw-client.ts";
import { assertOk, type RestAnswer, type RestClient } from "../../harness/rest.ts";
import { ROOT_USER } from "../../harness/root-user.ts";
import { rounds } from "../../harness/rounds.ts";
import {
  configure,
  openServerFixture,
  type ServerFixture,
  signIn,
  syncAll,
} from "../../harness/server-fixture.ts";
import { DATABASE_PASSWORD, TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";
import { proxyUrl } from "../../harness/tcp-proxy.ts";
import { STOP_LIMIT, within } from "../../harness/time-limits.ts";

/** How long the database is away, in ms. */
const OUTAGE = rounds(30_000, 2_000);
const RECOVERY_LIMIT = 10_000;

const CLIENT = {
  username: "zhang_kehu",
  name: "张客户",
  password: "Correct1Horse",
  role: "client",
};

const CALLS: readonly ((root: RestClient) => Promise<RestAnswer>)[] = [
  (root) => root.get("/api/auth/me"),
  (root) => root.get("/api/hosts"),
  (root) => root.get("/api/users"),
  (root) => root.get("/api/system-config"),
  (root) => root.put("/api/system-config", { show_network_info_to_client: true }),
  (root) => root.post("/api/hosts/sync?wait=0"),
  (root) => root.post("/api/auth/login", ROOT_USER),
  (root) => root.get("/trpc/users.list?input=%7B%7D"),
];

/** Each story leaves the server well, and the next one goes on with it. */
describe.skipIf(TEST_SERVER_URL === null)("when the database", () => {
  let fixture: ServerFixture;
  let proxy: Awaited<ReturnType<typeof proxyUrl>>;
  let server: ServerProgram;
  let root: RestClient;

  beforeAll(async () => {
    fixture = await openServerFixture({ server: TEST_SERVER_URL });
    proxy = await proxyUrl(fixture.storage.env.DATABASE_URL ?? "");
    server = await fixture.start({ DATABASE_URL: proxy.url, METRICS_TOKEN: "token" });
    await configure(await signInAnew(), fixture.provider);
  });
  afterEach(() => {
    expect(
      server.output.filter((line) => /uncaught exception|unhandled (rejection|error)/.test(line)),
    ).toEqual([]);
    expect(server.output.join("\n")).not.toContain(DATABASE_PASSWORD);
  });
  afterAll(async () => {
    await fixture?.[Symbol.asyncDispose]();
    await proxy?.[Symbol.asyncDispose]();
  });

  test("refuses connections: calls answer 503, all is well again within 10 s", async () => {
    const runId = await syncHalfWay(await signInAnew(), fixture.provider);
    await using socket = await follow(server.url, root.token);

    await proxy.refuse();
    await duringOutage(async () => {
      for (const answer of await Promise.all(CALLS.map((call) => call(root))))
        expectUnavailable(answer);
    });
    await proxy.mend();

    await expectWell();
    await expectSyncsToTheEnd(runId);
    if (socket.socket.readyState === socket.socket.OPEN) {
      await root.put("/api/system-config", { show_network_info_to_client: false });
      await socket.until(
        ({ events }) => events.some(({ event }) => event.type === "settings.changed"),
        within(5_000),
      );
    } else expect([1012, 1013]).toContain((await socket.closed).code);
  });

  test("does not answer: calls wait or answer 503, all is well again within 10 s", async () => {
    const runId = await syncHalfWay(await signInAnew(), fixture.provider);
    proxy.stall();
    const stalled = CALLS.flatMap((call) => [call(root), call(root)]);
    await expectUnready();
    await sleep(OUTAGE);
    await proxy.mend();
    for (const answer of await Promise.all(stalled))
      if (answer.status !== 200) expectUnavailable(answer);
    await expectWell();
    await expectSyncsToTheEnd(runId);
  });

  test("is read-only, changes answer 503, reads go on, all is well again within 10 s", async () => {
    const runId = await syncHalfWay(await signInAnew(), fixture.provider);
    await makeReadOnly(fixture.storage, true);
    await expect.poll(() => statusOf("/readyz")).toBe(503);
    await expect.poll(async () => (await root.get("/api/users")).status).toBe(200);
    await duringOutage(async () => {
      expect((await root.get("/api/hosts")).status).toBe(200);
      expectUnavailable(
        await root.put("/api/system-config", { show_network_info_to_client: true }),
      );
      expectUnavailable(await root.post("/api/auth/login", ROOT_USER));
    });
    // Open connections stay read-only, as those to a former primary.
    await makeReadOnly(fixture.storage, false);
    await expectWell();
    await expectSyncsToTheEnd(runId);
  });

  test("goes away in the middle of a batch, the rest of it is not tried, and says why", async () => {
    await syncAll(await signInAnew());
    const { data: client } = await assertOk(root.post("/api/users", CLIENT));
    const { hosts } = (await root.get("/api/hosts?limit=100")).data;
    const hostIds = hosts.map(({ id }: { id: string }) => id);
    const assignedExpireTime = Math.floor(Date.now() / 1000) + 30 * 86_400;
    proxy.delay(10);
    const assignment = { operation: "assign", hostIds, userId: client.id, assignedExpireTime };
    const answer = root.post("/api/hosts/batch", assignment);
    // The answer about the first one has certainly arrived when the second one is stored.
    const stored = () => fixture.storage.query("select from assignments");
    await expect.poll(async () => (await stored()).length).toBeGreaterThan(1);
    proxy.drop();
    const before = proxy.attempts();
    const { results } = (await answer).data;
    expect(proxy.attempts() - before).toBeLessThan(hostIds.length / 2);
    expect(results).toHaveLength(hostIds.length);
    expect(results[0]).toMatchObject({ ok: true });
    expect(results.at(-1)).toMatchObject({
      ok: false,
      code: "UNAVAILABLE",
      message: "没有执行：服务暂时不可用，请稍后重试",
    });
    const underWay = results.find(({ ok }: { ok: boolean }) => !ok);
    expect(underWay.message).toContain("结果未知");
    await proxy.mend();
    await expectWell();
  });

  test("answers after more than 2 s: the process is not ready, and stops within 10 s", async () => {
    await signInAnew();
    proxy.delay(1_200);
    await vi.waitFor(expectUnready, within(RECOVERY_LIMIT));
    await proxy.mend();
    await expectWell();
    // The calls have started a sync, which would not be held in its middle.
    await syncAll(root);
    await syncHalfWay(root, fixture.provider);
    proxy.stall();
    const calls = CALLS.map((call) => call(root).catch(() => undefined));
    const began = performance.now();
    expect(await server.kill("SIGTERM").finally(proxy.mend)).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
    await Promise.all(calls);
    await fixture.provider.control("release");
  });

  /** The calls of a story sign in so often that older sessions end. */
  async function signInAnew(): Promise<RestClient> {
    root = await signIn(server.url);
    return root;
  }

  /**
   * Repeats the calls as long as the database is away; the process lives meanwhile, and is not
   * ready.
   */
  async function duringOutage(calls: () => Promise<void>): Promise<void> {
    const until = performance.now() + OUTAGE;
    do {
      await calls();
      await expectUnready();
      await sleep(50);
    } while (performance.now() < until);
  }

  async function expectUnready(): Promise<void> {
    expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 503]);
  }

  /** Within the limit every call succeeds, and goes on doing so. */
  async function expectWell(): Promise<void> {
    const check = async () => {
      expect(await statusOf("/readyz")).toBe(200);
      for (const { status } of await Promise.all(CALLS.map((call) => call(root))))
        expect(status).toBe(200);
    };
    await vi.waitFor(check, within(RECOVERY_LIMIT));
    for (let n = 0; n < 3; n++) await check();
  }

  /**
   * The run of before goes on or ends cleanly; the next one brings every host, and none was lost on
   * the way.
   */
  async function expectSyncsToTheEnd(runId: string): Promise<void> {
    await fixture.provider.control("release");
    await expect
      .poll(() => runOf(root, runId), { timeout: within(60_000) })
      .toMatchObject({ finishedAt: expect.any(Number) });
    const run = await runOf(root, runId);
    expect(["succeeded", "failed", "interrupted"]).toContain(run.status);
    expect(run.gone).toBe(0);
    await syncAll(root);
    expect(await syncAll(root)).toMatchObject({ status: "succeeded", gone: 0 });
    expect(await hostTotal(root)).toBe(await providerTotal(fixture.provider));
    expect(await hostTotal(root, "&gone=true")).toBe(0);
  }

  async function statusOf(path: string): Promise<number> {
    return (await fetch(server.url + path)).status;
  }
});

/** As a fail-over does, or a database server whose disk is full. */
async function makeReadOnly({ env }: TestStorage, isReadOnly: boolean): Promise<void> {
  const name = new URL(env.DATABASE_URL ?? "").pathname.slice(1);
  const server = { connection: { connectionString: TEST_SERVER_URL ?? "" } };
  await query(
    server,
    `alter database ${name} set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`,
  );
  if (isReadOnly) {
    await query(
      server,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
      [name],
    );
  }
}

function expectUnavailable({ status, headers, body }: RestAnswer): void {
  expect(status, JSON.stringify(body)).toBe(503);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(JSON.stringify(body)).toContain("UNAVAILABLE");
}
