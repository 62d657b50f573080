import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApp } from "../src/server/app.ts";
import { readConfig } from "../src/server/config/config.ts";
import { createLog } from "../src/server/core/log.ts";
import { openDatabase } from "../src/server/open-database.ts";
import { movableClock } from "./auth/movable-clock.ts";
import { PASSWORD, useApp } from "./harness/app.ts";
import { ensureTestTemplate } from "./harness/database.ts";
import { type Sample, scrape } from "./harness/scrape.ts";
import { startStandingApp } from "./harness/standing-app.ts";
import { type StatementCounter, startStatementCounter } from "./harness/statement-counter.ts";
import { startTcpProxy } from "./process/tcp-proxy.ts";
import { follow } from "./sockets/raw-client.ts";

/** Longer than a reading of the database is kept. */
const MUCH_LATER = 60;
const HALF_A_MINUTE = 30;
const SCRAPE_LIMIT_MS = 100;
const PATIENTLY = { timeout: 10_000 };

describe("/metrics", () => {
  const clock = movableClock();
  const app = useApp({ simulator: { hosts: 130, regions: 3 }, overrides: { clock, elapsed: clock.elapsed } });
  const now = () => scrape(app.url);
  /** Not what was read of the database a moment ago. */
  const later = () => {
    clock.forward(MUCH_LATER);
    return until(({ value }) => value("console_database_size_bytes") !== null);
  };
  const until = async (isSeen: (found: Awaited<ReturnType<typeof now>>) => boolean) => {
    await expect.poll(async () => isSeen(await now()), PATIENTLY).toBe(true);
    return await now();
  };

  it("counts a call alike over REST, tRPC and a socket, with its outcome and its time", async () => {
    const before = (await now()).value("console_call_duration_seconds_count", { procedure: "settings.get" }) ?? 0;
    await app.root.get("/api/system-config");
    const api = app.trpc(app.root.token ?? "");
    await api.settings.get.query();
    await using socket = await follow(`${app.url.replace("http", "ws")}/trpc`, app.root.token ?? "");
    socket.send({ id: 2, method: "query", params: { path: "settings.get" } });
    await socket.until(({ messages }) => messages.some(({ id }) => id === 2));
    expect((await app.anonymous.get("/api/system-config")).status).toBe(401);
    const { value } = await now();
    const called = (outcome: string) =>
      value("console_call_duration_seconds_count", { procedure: "settings.get", outcome });
    expect(called("ok")).toBe(before + 3);
    expect(called("UNAUTHENTICATED")).toBe(1);
    expect(value("console_call_duration_seconds_sum", { procedure: "settings.get" })).toBeLessThan(10);
  });

  it("counts answers that no procedure gave, and neither calls nor health checks among them", async () => {
    const counted = async () => {
      const { samples } = await now();
      return samples.filter(({ name }) => name === "console_http_responses_total");
    };
    const before = await counted();
    await app.anonymous.get("/healthz");
    await app.anonymous.get("/readyz");
    await app.root.get("/api/users");
    await app.anonymous.raw("GET", "/trpc/settings.get");
    expect(await counted()).toEqual(before);
    await app.anonymous.get("/api/nothing-here");
    await app.anonymous.raw("PATCH", "/api/users");
    await app.anonymous.raw("POST", "/trpc/auth.login", { body: `"${"x".repeat(300_000)}"` });
    const after = await counted();
    expect(grown(before, after, { surface: "api", status: "404" })).toBe(1);
    expect(grown(before, after, { surface: "api", status: "405" })).toBe(1);
    expect(grown(before, after, { surface: "trpc", status: "413" })).toBe(1);
  });

  it("tells sync runs, hosts and provider calls, and what the database holds then", async () => {
    const config = await app.config();
    await app.root.post("/api/hosts/sync?wait=25");
    const { value } = await later();
    expect(value("console_sync_runs_total", { config, trigger: "manual", status: "succeeded" })).toBe(1);
    expect(value("console_sync_run_duration_seconds_count", { config, status: "succeeded" })).toBe(1);
    expect(value("console_synced_hosts_total", { config, result: "created" })).toBe(130);
    expect(value("console_synced_hosts_total", { config, result: "rejected" })).toBe(0);
    expect(value("console_provider_calls_total", { action: "DescribeUHostInstance", ret_code: "0" })).toBeGreaterThan(
      3,
    );
    expect(value("console_provider_call_duration_seconds_count", { action: "GetRegion" })).toBeGreaterThan(0);
    expect(value("console_sync_live_runs")).toBe(0);
    expect(value("console_sync_last_success_age_seconds", { config })).toBeGreaterThanOrEqual(MUCH_LATER - 1);
    expect(value("console_hosts")).toBe(130);
    expect(value("console_hosts_gone")).toBe(0);
    expect(value("console_renewals_pending")).toBe(0);
    expect(value("console_migrations_applied")).toBeGreaterThan(0);
    expect(value("console_events_newest_id")).toBeGreaterThan(0);
    expect(value("console_database_up")).toBe(1);
    expect(value("console_ready")).toBe(1);
  });

  it("tells of every recent run that failed, from the first on", async () => {
    const config = await app.config({ privateKey: "not-the-key-of-the-simulator" });
    const failures = (found: Awaited<ReturnType<typeof now>>) =>
      found.value("console_sync_recent_failures", { config });
    clock.forward(MUCH_LATER);
    await until((found) => failures(found) === 0);
    for (const failed of [1, 2]) {
      await app.root.post("/api/hosts/sync?wait=25");
      clock.forward(MUCH_LATER);
      await until((found) => failures(found) === failed);
    }
    clock.forward(2 * 3_600);
    await until((found) => failures(found) === 0);
  });

  it("names no number that only the provider knows", async () => {
    await app.config();
    app.simulator.control.addFaults({ action: "GetRegion", fault: { kind: "retCode", retCode: 987_654 } });
    await app.root.post("/api/hosts/sync?wait=25");
    const { value } = await now();
    expect(value("console_provider_calls_total", { action: "GetRegion", ret_code: "other" })).toBeGreaterThan(0);
    expect(value("console_provider_calls_total", { ret_code: "987654" })).toBeNull();
  });

  it("counts sign-ins by outcome, and what is limited", async () => {
    const before = await now();
    const tried = (outcome: string) => ({ outcome });
    for (let failed = 0; failed < 10; failed++) {
      await app.anonymous.post("/api/auth/login", { username: "nobody", password: PASSWORD });
    }
    await app.anonymous.post("/api/auth/login", { username: "nobody", password: PASSWORD });
    const after = await now();
    const more = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    expect(after.value("console_sign_ins_total", tried("ok"))).toBeGreaterThan(0);
    expect(more("console_sign_ins_total", tried("refused"))).toBe(10);
    expect(more("console_sign_ins_total", tried("limited"))).toBe(1);
    expect(more("console_limited_total", { surface: "call" })).toBe(1);
  });

  it("tells sockets, streams and what they were given, replayed events not as late ones", async () => {
    const url = `${app.url.replace("http", "ws")}/trpc`;
    const token = app.root.token ?? "";
    const before = (await now()).value("console_event_lag_seconds_count") ?? 0;
    const start = await follow(url, token);
    const { value } = await now();
    expect([value("console_sockets"), value("console_subscriptions")]).toEqual([1, 1]);
    const [ready] = start.events;
    await start[Symbol.asyncDispose]();
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    await using socket = await follow(url, token, ready?.id);
    await socket.until(({ events }) => events.length === 2);
    expect((await now()).value("console_event_lag_seconds_count")).toBe(before);
    await app.root.put("/api/system-config", { show_network_info_to_client: false });
    await socket.until(({ events }) => events.length === 3);
    const after = await now();
    expect(after.value("console_event_lag_seconds_count")).toBe(before + 1);
    expect(after.value("console_events_delivered_total", { type: "settings.changed" })).toBe(2);
  });

  it("tells the pool, the event loop, the version and the process", async () => {
    const { value, types } = await now();
    expect(value("console_database_pool_connections")).toBeGreaterThan(0);
    expect(value("console_database_pool_limit")).toBeGreaterThan(1);
    expect(value("console_database_pool_waiting")).toBe(0);
    expect(value("console_nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(value("console_build_info")).toBe(1);
    expect(value("console_process_start_time_seconds")).toBeGreaterThan(1e9);
    expect([...types.keys()].filter((name) => !name.startsWith("console_"))).toEqual([]);
  });

  it(`answers within ${SCRAPE_LIMIT_MS} ms when there are 10,000 hosts`, async () => {
    await app.database.query(
      `insert into hosts (id, ucloud_id, region, zone, name, cpu, memory, disk, os_name, os_type, status, provider_status,
         charge_type, expire_time, ip_set, changed_at, gone_at)
       select gen_random_uuid(), 'uhost-' || n, 'cn-bj2', 'cn-bj2-02', '主机-' || n, 2, 4096, 60, 'CentOS', 'Linux', 'Running', 'Running',
         'Month', $1::bigint + n * 86400, '[]', 1, case when n > 9990 then 1 end
       from generate_series(1, 10000) n`,
      [clock.now() + MUCH_LATER],
    );
    expect(await quickest(app.url, () => clock.forward(MUCH_LATER))).toBeLessThan(SCRAPE_LIMIT_MS);
    const { value } = await until(({ value }) => value("console_hosts", { status: "Running" }) === 9_990);
    expect(value("console_hosts_gone")).toBe(10);
    expect(value("console_hosts_expiring")).toBeGreaterThan(0);
  });
});

describe("/metrics while the database is away", () => {
  it("answers quickly, says so, and leaves out what it cannot know", async () => {
    const clock = movableClock();
    let wire: StatementCounter | undefined;
    await using app = await startStandingApp({
      clock,
      elapsed: clock.elapsed,
      async connectThrough(connection) {
        wire = await startStatementCounter(connection);
        return wire.connection;
      },
    });
    await expect.poll(async () => (await scrape(app.url)).value("console_hosts"), PATIENTLY).toBe(0);
    // The time on the wall is no measure of how old a figure is.
    clock.step(-3_600);
    await wire?.[Symbol.asyncDispose]();
    clock.forward(MUCH_LATER);
    await expect.poll(async () => (await scrape(app.url)).value("console_database_up"), PATIENTLY).toBe(0);
    expect(await quickest(app.url, () => clock.forward(MUCH_LATER))).toBeLessThan(SCRAPE_LIMIT_MS);
    const { value, types } = await scrape(app.url);
    expect(value("console_ready")).toBe(0);
    expect([types.has("console_hosts"), value("console_hosts")]).toEqual([true, null]);
    expect(value("console_migrations_applied")).toBeNull();
    expect(value("console_process_resident_memory_bytes")).toBeGreaterThan(0);
  });
});

/** A wire that is slow by itself; the embedded database has none. */
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)("/metrics of a database that takes its time", () => {
  it("tells at each scrape what the database knows, also when somebody scrapes once a minute", async () => {
    const clock = movableClock();
    await using app = await startStandingApp({
      clock,
      elapsed: clock.elapsed,
      async connectThrough(connection, resources) {
        if (connection.kind !== "server") throw new Error("a wire needs a server");
        const proxy = resources.use(await startTcpProxy(connection.url));
        proxy.delay(60);
        return { kind: "server", url: proxy.url };
      },
    });
    await expect.poll(async () => (await scrape(app.url)).value("console_hosts"), PATIENTLY).toBe(0);
    clock.forward(HALF_A_MINUTE);
    const [since] = await app.database.query("select clock_timestamp()::text as now");
    const read = () =>
      app.database.query(
        `select from pg_stat_activity
           where datname = current_database() and query like '%"allHosts"%' and query_start > $1::timestamptz and state = 'idle'`,
        [since?.now],
      );
    // Nobody scrapes meanwhile.
    await expect.poll(async () => (await read()).length, { timeout: 30_000 }).toBeGreaterThan(0);
    // It takes the same wire there and back, so the reading has come when this has.
    await fetch(`${app.url}/readyz`);
    clock.forward(HALF_A_MINUTE);
    const { value } = await scrape(app.url);
    expect(value("console_hosts")).toBe(0);
    expect(value("console_database_up")).toBe(1);
  }, 60_000);
});

describe("/metrics of a server with the embedded database", () => {
  it("tells its memory, its queue and its disk", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "host-console-metrics-"));
    await using resources = new AsyncDisposableStack();
    resources.defer(() => rm(dataDir, { recursive: true, force: true }));
    await cp(join(await ensureTestTemplate(), "pg"), join(dataDir, "pg"), { recursive: true });
    const env = { PORT: "0", DATA_DIR: dataDir, ENCRYPTION_KEY: randomBytes(32).toString("base64") };
    const log = createLog({ level: "silent", pretty: false });
    const config = readConfig({ ...env, ADMIN_PASSWORD: PASSWORD }, false);
    const app = resources.use(await createApp(config, { database: await openDatabase(config, log), log }));
    const isTold = async () => (await scrape(app.url)).value("console_embedded_database_waiting") !== null;
    await expect.poll(isTold, PATIENTLY).toBe(true);
    const { value } = await scrape(app.url);
    expect(value("console_embedded_database_memory_bytes", { part: "postgres" })).toBeGreaterThan(16 * 1024 * 1024);
    expect(value("console_embedded_database_memory_bytes", { part: "thread" })).toBeGreaterThan(1024 * 1024);
    expect(value("console_embedded_database_connections")).toBeGreaterThan(0);
    expect(value("console_data_dir_free_bytes")).toBeGreaterThan(0);
    expect(value("console_data_dir_total_bytes")).toBeGreaterThan(value("console_data_dir_free_bytes") ?? 0);
    expect(value("console_build_info", { database: "embedded" })).toBe(1);
  });
});

describe("who may read /metrics, without a token", () => {
  const app = useApp();
  const status = async (headers: Record<string, string>) =>
    (await app.anonymous.raw("GET", "/metrics", { headers })).status;

  it("somebody on this machine, and nobody who came through a proxy that nobody spoke of", async () => {
    expect(await status({})).toBe(200);
    expect(await status({ "x-forwarded-for": "203.0.113.5" })).toBe(403);
    expect(await status({ forwarded: "for=203.0.113.5" })).toBe(403);
    expect(await status({ "x-real-ip": "203.0.113.5" })).toBe(403);
    expect(await status({ via: "1.1 proxy" })).toBe(403);
    expect(await status({ "x-forwarded-host": "console.example.com" })).toBe(403);
  });
});

describe("who may read /metrics behind a trusted proxy, without a token", () => {
  const app = useApp({ config: { trustProxy: 1 } });
  const status = async (headers: Record<string, string>) =>
    (await app.anonymous.raw("GET", "/metrics", { headers })).status;

  it("the client's address counts, and what the client says of itself does not", async () => {
    expect(await status({})).toBe(200);
    expect(await status({ "x-forwarded-for": "203.0.113.5" })).toBe(403);
    expect(await status({ "x-forwarded-for": "127.0.0.1, 203.0.113.5" })).toBe(403);
    expect(await status({ "x-forwarded-for": "203.0.113.5, 127.0.0.1" })).toBe(200);
  });
});

describe("who may read /metrics behind a proxy that TRUST_PROXY leaves out, without a token", () => {
  const app = useApp({ config: { trustProxy: ["203.0.113.0/24"] } });
  const status = async (headers: Record<string, string>) =>
    (await app.anonymous.raw("GET", "/metrics", { headers })).status;

  it("nobody who came through it, though it is on this machine", async () => {
    expect(await status({})).toBe(200);
    expect(await status({ "x-forwarded-for": "198.51.100.7" })).toBe(403);
    expect(await status({ via: "1.1 proxy" })).toBe(403);
  });
});

describe("who may read /metrics, with a token", () => {
  const app = useApp({ config: { metricsToken: "the-token-of-the-metrics" } });
  const status = async (headers: Record<string, string>) =>
    (await app.anonymous.raw("GET", "/metrics", { headers })).status;

  it("whoever has it, from wherever, and nobody else", async () => {
    expect(await status({ authorization: "Bearer the-token-of-the-metrics" })).toBe(200);
    expect(await status({ authorization: "Bearer the-token-of-the-metrics", "x-forwarded-for": "203.0.113.5" })).toBe(
      200,
    );
    expect(await status({})).toBe(403);
    expect(await status({ authorization: "Bearer the-token-of-the-metric" })).toBe(403);
    expect(await status({ authorization: "Bearer the-token-of-the-metricS" })).toBe(403);
    expect((await app.anonymous.get("/metrics?token=the-token-of-the-metrics")).status).toBe(403);
    expect(await status({ authorization: `Bearer ${app.root.token}` })).toBe(403);
  });
});

/** Milliseconds of the best of five scrapes: the machine has other things to do, too. */
async function quickest(url: string, before: () => void): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    before();
    const started = performance.now();
    await scrape(url);
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

function grown(before: readonly Sample[], after: readonly Sample[], labels: Readonly<Record<string, string>>): number {
  const count = (samples: readonly Sample[]) =>
    samples
      .filter((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
      .reduce((sum, { value }) => sum + value, 0);
  return count(after) - count(before);
}
