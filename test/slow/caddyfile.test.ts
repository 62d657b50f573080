import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../harness/postgresql.ts";
import { ROOT, startProgram } from "../harness/programs.ts";

const scratch = mkdtempSync(join(tmpdir(), "host-console-caddy-"));
afterAll(() => rmSync(scratch, { recursive: true }));

vi.setConfig({ testTimeout: 60_000 });

/** A console is a dozen files: whoever waits for each does not wait for long. */
const AT_ONCE_MS = 2_000;

/** Debian's package `caddy`. */
describe.skipIf(spawnSync("caddy", ["version"]).status !== 0)("the proxy", () => {
  test("whose replicas are not ready lets them refuse calls in their own words and hand out the console, and keeps /metrics in", async () => {
    await using replica = await unreadyReplica();
    await using proxy = await startProxy(replica.port);

    const asked = performance.now();
    const call = await fetch(`${proxy.url}/api/auth/me`);
    expect(performance.now() - asked).toBeLessThan(AT_ONCE_MS);
    expect(call.status).toBe(503);
    expect(call.headers.get("retry-after")).toBe("5");
    expect(await call.json()).toMatchObject({ code: "UNAVAILABLE" });
    expect(await (await fetch(`${proxy.url}/login`)).text()).toBe("console");
    expect((await fetch(`${proxy.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404);
  });
});

/** A connection that the server closes at the moment when the proxy takes it for a request is a 502. */
test("the proxy gives up idle connections long before a server does", () => {
  const shipped = readFileSync(join(ROOT, "deploy/Caddyfile"), "utf8");
  const limits = [...shipped.matchAll(/reverse_proxy [\s\S]*?transport http \{\s*keepalive (\d+)s/g)].map(([, s]) =>
    Number(s),
  );
  expect(limits).toHaveLength(shipped.match(/^\t+reverse_proxy /gm)?.length ?? 0);
  const server = readFileSync(join(ROOT, "src/server/transport/http-server.ts"), "utf8");
  const served = Number(/keepAliveTimeout: ([\d_]+)/.exec(server)?.[1]?.replaceAll("_", ""));
  for (const limit of limits) expect(limit * 1000).toBeLessThanOrEqual(served / 2);
});

/** What a replica says while the database is away. */
async function unreadyReplica() {
  const server = createServer(({ url }, response) => {
    if (url === "/login") return response.end("console");
    const headers = { "content-type": "application/json", "retry-after": "5" };
    return response.writeHead(503, headers).end(JSON.stringify({ code: "UNAVAILABLE" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Caddy with the file as it is shipped, but for the port of its own health check. */
async function startProxy(upstream: number) {
  const [port, own] = [await freePort(), await freePort()];
  const file = join(scratch, "Caddyfile");
  const shipped = readFileSync(join(ROOT, "deploy/Caddyfile"), "utf8");
  writeFileSync(file, shipped.replace("127.0.0.1:8080", `127.0.0.1:${own}`));
  const program = startProgram({
    file: "caddy",
    args: ["run", "--config", file, "--adapter", "caddyfile"],
    env: {
      SITE_ADDRESS: `:${port}`,
      UPSTREAMS: `127.0.0.1:${upstream}`,
      XDG_DATA_HOME: scratch,
      XDG_CONFIG_HOME: scratch,
    },
  });
  // Said once of each upstream that its health check finds unready, before Caddy listens or after.
  await program.line(/health_checker\.active.*503/);
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => fetch(`${url}/readyz`).then(({ status }) => status), { timeout: 10_000 }).toBe(503);
  return { url, [Symbol.asyncDispose]: program[Symbol.asyncDispose] };
}
