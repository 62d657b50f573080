import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import type { ServerProgram } from "../../harness/programs.ts";
import type { RestAnswer, RestClient } from "../../harness/rest.ts";
import {
  configure,
  eventually,
  hostTotal,
  openStage,
  providerTotal,
  ROOT_USER,
  runOf,
  type Stage,
  signIn,
  syncAll,
  syncHalfWay,
  TEST_LIMIT,
  within,
} from "../../harness/stage.ts";
import { DATABASE_PASSWORD, TEST_SERVER_URL, type TestStorage } from "../../harness/storage.ts";
import { proxyUrl } from "../../harness/tcp-proxy.ts";
import { follow } from "../../sockets/raw-client.ts";
import { rounds } from "../faults/rounds.ts";
import { holdLock } from "../hold-lock.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** How long the database is away, in ms. */
const OUTAGE = rounds(30_000, 2_000);
const RECOVERY_LIMIT = 10_000;
/** main.ts ends a stop that hangs after 9 s. Milliseconds. */
const STOP_LIMIT = 9_500;
/** Of one idle process during the outage: its pollers' own, several a second. */
const MOST_ATTEMPTS = 80;

const CLIENT = { username: "zhang_kehu", name: "张客户", password: "Correct1Horse" };

const CALLS: readonly ((root: RestClient) => Promise<RestAnswer>)[] = [
  (root) => root.get("/api/auth/me"),
  (root) => root.get("/api/hosts"),
  (root) => root.get("/api/users"),
  (root) => root.get("/api/system-config"),
  (root) => root.put("/api/system-config", { show_network_info_to_client: true }),
  (root) => root.post("/api/hosts/sync?wait=0"),
  (root) => root.raw("POST", "/api/auth/login", json(ROOT_USER)),
  (root) => root.raw("GET", "/trpc/users.list?input=%7B%7D"),
];

describe.skipIf(TEST_SERVER_URL === null)("while the database", () => {
  test("refuses connections every call answers 503 with Retry-After, and all is well again within 10 s; the session lives, nothing is marked gone", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    const runId = await syncHalfWay(root, stage.provider);
    await using socket = await follow(`${server.url.replace("http", "ws")}/trpc`, root.token ?? "");

    await proxy.refuse();
    const until = performance.now() + OUTAGE;
    let calls = 0;
    while (performance.now() < until) {
      const answers = await Promise.all(CALLS.map((call) => call(root)));
      for (const answer of answers) expectUnavailable(answer);
      calls += answers.length;
      expect(await statusOf(server, "/healthz")).toBe(200);
      expect(await statusOf(server, "/readyz")).toBe(503);
      await sleep(50);
    }
    expect(calls).toBeGreaterThan(CALLS.length);
    await proxy.mend();

    await expectWell(server, root);
    await stage.provider.control("release");
    await expectSyncsToTheEnd(stage, root, runId);
    if (socket.socket.readyState === socket.socket.OPEN) {
      await root.put("/api/system-config", { show_network_info_to_client: false });
      await socket.until(({ events }) => events.some(({ event }) => event.type === "settings.changed"), within(5_000));
    } else expect([1012, 1013]).toContain((await socket.closed).code);
    expectNoBugs(server);
  });

  test("says nothing calls wait or answer 503, never 401 or 500, and all is well again within 10 s", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    const runId = await syncHalfWay(root, stage.provider);

    proxy.stall();
    const stalled = CALLS.flatMap((call) => [call(root), call(root)]);
    expect(await statusOf(server, "/healthz")).toBe(200);
    expect(await statusOf(server, "/readyz")).toBe(503);
    await sleep(OUTAGE);
    await proxy.mend();

    for (const answer of await Promise.all(stalled)) {
      if (answer.status !== 200) expectUnavailable(answer);
    }
    await expectWell(server, root);
    await stage.provider.control("release");
    await expectSyncsToTheEnd(stage, root, runId);
    expectNoBugs(server);
  });

  test("breaks all connections again and again calls answer 200 or 503, and a sync comes to an end", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    const { data } = await root.post("/api/hosts/sync?wait=0");

    for (let cycle = 0; cycle < rounds(10, 4); cycle++) {
      const calls = CALLS.map((call) => call(root));
      await sleep(Math.random() * 40);
      proxy.cut();
      for (const answer of await Promise.all(calls)) if (answer.status !== 200) expectUnavailable(answer);
    }
    await expectWell(server, root);
    await expectSyncsToTheEnd(stage, root, String(data.runs[0].id));
    expectNoBugs(server);
  });

  test("drops every connection at once it is not stormed with new ones", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    const root = await signIn(server.url);
    proxy.drop();
    const before = proxy.attempts();
    await sleep(OUTAGE);
    expect(proxy.attempts() - before).toBeLessThan(MOST_ATTEMPTS);
    await proxy.mend();
    await eventually(async () => expect((await root.get("/api/users")).status).toBe(200), RECOVERY_LIMIT);
    expectNoBugs(server);
  });

  test("takes no writes changes answer 503 and reads go on, nobody is sent here, and all is well again within 10 s", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    const server = await stage.start();
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    const runId = await syncHalfWay(root, stage.provider);

    await makeReadOnly(stage.storage, true);
    await eventually(async () => expect(await statusOf(server, "/readyz")).toBe(503));
    await eventually(async () => expect((await root.get("/api/users")).status).toBe(200));
    const until = performance.now() + OUTAGE;
    while (performance.now() < until) {
      const [read, changed, signedIn] = await Promise.all([
        root.get("/api/hosts"),
        root.put("/api/system-config", { show_network_info_to_client: true }),
        root.raw("POST", "/api/auth/login", json(ROOT_USER)),
      ]);
      expect(read.status).toBe(200);
      expectUnavailable(changed);
      expectUnavailable(signedIn);
      expect(await statusOf(server, "/healthz")).toBe(200);
      expect(await statusOf(server, "/readyz")).toBe(503);
      await sleep(50);
    }
    // Open connections stay read-only, as those to a former primary.
    await makeReadOnly(stage.storage, false);
    await expectWell(server, root);
    await stage.provider.control("release");
    await expectSyncsToTheEnd(stage, root, runId);
    expectNoBugs(server);
  });

  test("takes no writes when a process starts it waits for that, and is well with it, the queue too", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 20 });
    await (await stage.start())[Symbol.asyncDispose]();
    await makeReadOnly(stage.storage, true);
    const server = await stage.start();
    expect(await statusOf(server, "/readyz")).toBe(503);
    await server.line(/the job queue cannot be opened, retrying/);
    await makeReadOnly(stage.storage, false);
    await eventually(async () => expect(await statusOf(server, "/readyz")).toBe(200), RECOVERY_LIMIT);
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    expect(await syncAll(root)).toMatchObject({ status: "succeeded" });
    expectNoBugs(server);
  });

  test("answers after more than 2 s the process is not ready", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    proxy.delay(1_200);
    await eventually(async () => expect(await statusOf(server, "/readyz")).toBe(503));
  });

  test("goes away in the middle of a batch the rest of it is not tried, and says why", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 100 });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    await syncAll(root);
    const { data: client } = await root.post("/api/users", { ...CLIENT, role: "client" });
    const { hosts } = (await root.get("/api/hosts?limit=100")).data;
    const hostIds = hosts.map(({ id }: { id: string }) => id);
    proxy.delay(10);
    const assignedExpireTime = Math.floor(Date.now() / 1000) + 30 * 86_400;
    const assignment = { operation: "assign", hostIds, userId: client.id, assignedExpireTime };
    const answer = root.post("/api/hosts/batch", assignment);
    // The answer about the first one has certainly arrived when the second one is stored.
    const stored = () => stage.storage.query("select from assignments");
    await eventually(async () => expect((await stored()).length).toBeGreaterThan(1));
    proxy.drop();
    const before = proxy.attempts();
    const { results } = (await answer).data;
    expect(proxy.attempts() - before).toBeLessThan(hostIds.length / 2);
    expect(results).toHaveLength(hostIds.length);
    expect(results[0]).toMatchObject({ ok: true });
    expect(results.at(-1)).toMatchObject({ ok: false, code: "UNAVAILABLE", message: expect.any(String) });
    await proxy.mend();
    await eventually(async () => expect((await root.get("/api/users")).status).toBe(200), RECOVERY_LIMIT);
    expectNoBugs(server);
  });

  test("goes away in the first moment, while the queue is opened, all is well again with it, the queue too", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL, hosts: 0 });
    await (await stage.start())[Symbol.asyncDispose]();
    await using proxy = await openProxy(stage);
    await using lock = await holdLock(stage.storage, "lock table pgboss.version in access exclusive mode");
    const server = await stage.start({ DATABASE_URL: proxy.url, METRICS_TOKEN: "token" });
    await lock.awaited();
    proxy.drop();
    await lock.release();
    await eventually(async () => expect(await statusOf(server, "/readyz")).toBe(503));
    await proxy.mend();
    await eventually(async () => expect(await statusOf(server, "/readyz")).toBe(200), RECOVERY_LIMIT);
    const headers = { authorization: "Bearer token" };
    const metrics = async () => (await fetch(`${server.url}/metrics`, { headers })).text();
    await eventually(async () => expect(await metrics()).toMatch(/^console_queue_jobs\{queue="sync-run"/m));
    expectNoBugs(server);
  });

  test.each(["refuses connections", "says nothing"])("%s a stop still takes no more than 10 s", async (manner) => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    await using proxy = await openProxy(stage);
    const server = await stage.start({ DATABASE_URL: proxy.url });
    const root = await signIn(server.url);
    await configure(root, stage.provider);
    await syncHalfWay(root, stage.provider);
    if (manner === "says nothing") proxy.stall();
    else await proxy.refuse();
    const calls = CALLS.map((call) => call(root).catch(() => undefined));

    const began = performance.now();
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(within(STOP_LIMIT));
    await Promise.all(calls);
  });
});

/** As a fail-over does, or a database server whose disk is full. */
async function makeReadOnly({ env }: TestStorage, isReadOnly: boolean): Promise<void> {
  const name = new URL(env.DATABASE_URL ?? "").pathname.slice(1);
  await using resources = new AsyncDisposableStack();
  const client = resources.adopt(new pg.Client(TEST_SERVER_URL ?? undefined), (opened) => opened.end());
  await client.connect();
  await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
  if (isReadOnly)
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
}

async function openProxy({ storage }: Stage) {
  return await proxyUrl(storage.env.DATABASE_URL ?? "");
}

function expectUnavailable({ status, headers, body }: RestAnswer): void {
  expect(status, JSON.stringify(body)).toBe(503);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(JSON.stringify(body)).toContain("UNAVAILABLE");
}

/** Within the limit every call succeeds, and goes on doing so. */
async function expectWell(server: ServerProgram, root: RestClient): Promise<void> {
  const check = async () => {
    expect(await statusOf(server, "/readyz")).toBe(200);
    for (const { status } of await Promise.all(CALLS.map((call) => call(root)))) expect(status).toBe(200);
  };
  await eventually(check, RECOVERY_LIMIT);
  for (let n = 0; n < 3; n++) await check();
}

/** The run of before goes on or ends cleanly; the next one brings every host, and none was lost on the way. */
async function expectSyncsToTheEnd({ provider }: Stage, root: RestClient, runId: string): Promise<void> {
  await eventually(async () => expect((await runOf(root, runId)).status).not.toMatch(/running|queued/), 60_000);
  const run = await runOf(root, runId);
  expect(["succeeded", "failed", "interrupted"]).toContain(run.status);
  expect(run.gone).toBe(0);
  await syncAll(root);
  expect(await syncAll(root)).toMatchObject({ status: "succeeded", gone: 0 });
  expect(await hostTotal(root)).toBe(await providerTotal(provider));
  expect(await hostTotal(root, "&gone=true")).toBe(0);
}

function expectNoBugs({ output }: ServerProgram): void {
  expect(output.filter((line) => /uncaught exception|unhandled (rejection|error)/.test(line))).toEqual([]);
  expect(output.join("\n")).not.toContain(DATABASE_PASSWORD);
}

async function statusOf({ url }: ServerProgram, path: string): Promise<number> {
  return (await fetch(url + path)).status;
}

function json(body: unknown): RequestInit {
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}
