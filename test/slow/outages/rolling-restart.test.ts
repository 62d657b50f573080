import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createInactiveConfig } from "../../harness/calls.ts";
import { sendJson, startGateway } from "../../harness/fake-gateway.ts";
import { freePort } from "../../harness/ports.ts";
import { ROOT, startProgram } from "../../harness/programs.ts";
import { type RestClient, restClient } from "../../harness/rest.ts";
import { ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import { openServerFixture, signIn } from "../../harness/server-fixture.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";

/** Debian's package `caddy`. */
const HAS_CADDY = spawnSync("caddy", ["version"]).status === 0;
const CADDYFILE = readFileSync(join(ROOT, "deploy/Caddyfile"), "utf8");
const CALLERS = 4;
/** Pause between two calls of one caller. Milliseconds. */
const PAUSE_MS = 10;
/** Until the proxy uses a restarted replica again. Milliseconds. */
const HEALTH_CHECK_MS = 1_500;
const SLOW_CHECK_MS = 1_500;
/** The console is a dozen files, so one file may not take longer. Milliseconds. */
const QUICK_MS = 2_000;

describe.skipIf(!HAS_CADDY)("the shipped proxy", () => {
  test.skipIf(TEST_SERVER_URL === null)(
    "loses no call while two replicas restart one after the other",
    { timeout: ROUNDS_LIMIT },
    async () => {
      await using fixture = await openServerFixture({ server: TEST_SERVER_URL, hosts: 0 });
      const ports = [await freePort(), await freePort()];
      const start = (port: number | undefined) =>
        fixture.start({
          PORT: String(port),
          TRUST_PROXY: "1",
          MAX_CONNECTIONS_PER_ADDRESS: "1000",
        });
      const replicas = await Promise.all(ports.map(start));
      await using proxy = await startCaddy(ports);
      const root = await signIn(proxy.url);
      await using load = startLoad(root, proxy.url);
      const total = rounds(20, 2);
      for (let round = 0; round < total; round++) {
        await sleep(HEALTH_CHECK_MS);
        const index = round % 2;
        expect(await replicas[index]?.kill("SIGTERM")).toEqual({ code: 0, signal: null });
        expect(load.failures).toEqual([]);
        replicas[index] = await start(ports[index]);
      }
      await sleep(HEALTH_CHECK_MS);
      await load.stop();
      expect(load.failures).toEqual([]);
      const { data } = await root.get("/api/hosts/configs/list");
      expect(data.map(({ name }: { name: string }) => name).sort()).toEqual(
        load.written.toSorted(),
      );
      expect(load.reads()).toBeGreaterThan(total * 100);
    },
  );

  test("keeps a replica that takes long to say that it is ready", async () => {
    await using replica = await startGateway((response) =>
      sleep(SLOW_CHECK_MS).then(() => sendJson(response, {})),
    );
    await using proxy = await startCaddy([replica.port]);

    await sleep(2 * SLOW_CHECK_MS);

    expect((await fetch(`${proxy.url}/api/auth/me`)).status).toBe(200);
    // One that is out gets calls as well while there is no other.
    expect(proxy.program.output.filter((line) => line.includes("health_checker.active"))).toEqual(
      [],
    );
  });

  test("passes calls to a replica that is not ready, and hides /metrics", async () => {
    await using replica = await startUnreadyReplica();
    await using proxy = await startCaddy([replica.port]);
    await proxy.program.line(/health_checker\.active.*503/);
    await expect.poll(() => fetch(`${proxy.url}/readyz`).then(({ status }) => status)).toBe(503);
    const began = performance.now();
    const call = await fetch(`${proxy.url}/api/auth/me`);
    expect(performance.now() - began).toBeLessThan(QUICK_MS);
    expect([call.status, call.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await call.json()).toMatchObject({ code: "UNAVAILABLE" });
    expect(await (await fetch(`${proxy.url}/login`)).text()).toBe("console");
    expect((await fetch(`${proxy.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404);
  });
});

/**
 * The proxy answers 502 when the server closes a connection just as the proxy sends a request on
 * it.
 */
test("the proxy closes idle connections long before a server does", () => {
  const limits = [
    ...CADDYFILE.matchAll(/reverse_proxy [\s\S]*?transport http \{\s*keepalive (\d+)s/g),
  ];
  expect(limits).toHaveLength(CADDYFILE.match(/^\t+reverse_proxy /gm)?.length ?? 0);
  const server = readFileSync(join(ROOT, "src/server/platform/http/http-server.ts"), "utf8");
  const served = Number(/keepAliveTimeout: ([\d_]+)/.exec(server)?.[1]?.replaceAll("_", ""));
  for (const [, seconds] of limits) expect(Number(seconds) * 1000).toBeLessThanOrEqual(served / 2);
});

/** Caddy with the shipped Caddyfile; only the port of its own health check differs. */
async function startCaddy(upstreamPorts: readonly number[]) {
  await using resources = new AsyncDisposableStack();
  const { path: directory } = resources.use(
    await mkdtempDisposable(join(tmpdir(), "host-console-caddy-")),
  );
  const port = await freePort();
  const own = await freePort();
  const file = join(directory, "Caddyfile");
  writeFileSync(file, CADDYFILE.replace("127.0.0.1:8080", `127.0.0.1:${own}`));
  const env = {
    SITE_ADDRESS: `:${port}`,
    UPSTREAMS: upstreamPorts.map((upstream) => `127.0.0.1:${upstream}`).join(" "),
    XDG_DATA_HOME: directory,
    XDG_CONFIG_HOME: directory,
  };
  const args = ["run", "--config", file, "--adapter", "caddyfile"];
  const program = resources.use(startProgram({ file: "caddy", args, env }));
  await program.line(/serving initial configuration/);
  const started = resources.move();
  return {
    url: `http://127.0.0.1:${port}`,
    program,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Calls through the proxy until it is stopped; `written` are the acknowledged configurations. */
function startLoad(root: RestClient, url: string) {
  const written: string[] = [];
  const failures: string[] = [];
  let reads = 0;
  let isStopped = false;

  /** Each caller has its own connections, so that one that breaks concerns one call. */
  async function repeat(call: (client: RestClient) => Promise<void>): Promise<void> {
    const client = restClient(url, root.token);
    while (!isStopped) {
      await call(client).catch((error: Error) =>
        failures.push(`${error.message} ${String(error.cause ?? "")}`),
      );
      await sleep(PAUSE_MS);
    }
  }
  async function read(client: RestClient): Promise<void> {
    const { status, body } = await client.get("/api/users");
    if (status !== 200) failures.push(`GET answered ${status} ${JSON.stringify(body)}`);
    reads += 1;
  }
  async function write(client: RestClient): Promise<void> {
    const name = `配置 ${Math.random()}`;
    const { status, body } = await createInactiveConfig(client, name);
    if (status === 201) written.push(name);
    else failures.push(`POST answered ${status} ${JSON.stringify(body)}`);
  }

  const callers = Array.from({ length: CALLERS }, () => [repeat(read), repeat(write)]).flat();
  async function stop(): Promise<void> {
    isStopped = true;
    await Promise.all(callers);
  }
  return { reads: () => reads, written, failures, stop, [Symbol.asyncDispose]: stop };
}

/** Answers like a replica whose database is unavailable. */
function startUnreadyReplica() {
  return startGateway((response) => {
    if (response.req.url === "/login") return response.end("console");
    response.setHeader("retry-after", "5");
    sendJson(response, { code: "UNAVAILABLE" }, 503);
  });
}
