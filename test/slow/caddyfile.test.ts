import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { HAS_CADDY, startCaddy } from "../harness/caddy.ts";
import { ROOT } from "../harness/programs.ts";

vi.setConfig({ testTimeout: 60_000 });

/** The console is a dozen files, so one file may not take longer. Milliseconds. */
const QUICK_MS = 2_000;

describe.skipIf(!HAS_CADDY)("the proxy", () => {
  test("passes calls to a replica that is not ready, serves the console from it, and hides /metrics", async () => {
    await using replica = await unreadyReplica();
    await using proxy = await startCaddy([replica.port]);
    await proxy.program.line(/health_checker\.active.*503/);
    await expect.poll(() => fetch(`${proxy.url}/readyz`).then(({ status }) => status), { timeout: 10_000 }).toBe(503);

    const began = performance.now();
    const call = await fetch(`${proxy.url}/api/auth/me`);
    expect(performance.now() - began).toBeLessThan(QUICK_MS);
    expect(call.status).toBe(503);
    expect(call.headers.get("retry-after")).toBe("5");
    expect(await call.json()).toMatchObject({ code: "UNAVAILABLE" });
    expect(await (await fetch(`${proxy.url}/login`)).text()).toBe("console");
    expect((await fetch(`${proxy.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404);
  });
});

/** The proxy answers 502 when the server closes a connection just as the proxy sends a request on it. */
test("the proxy closes idle connections long before a server does", () => {
  const shipped = readFileSync(join(ROOT, "deploy/Caddyfile"), "utf8");
  const limits = [...shipped.matchAll(/reverse_proxy [\s\S]*?transport http \{\s*keepalive (\d+)s/g)].map(([, s]) =>
    Number(s),
  );
  expect(limits).toHaveLength(shipped.match(/^\t+reverse_proxy /gm)?.length ?? 0);
  const server = readFileSync(join(ROOT, "src/server/transport/http-server.ts"), "utf8");
  const served = Number(/keepAliveTimeout: ([\d_]+)/.exec(server)?.[1]?.replaceAll("_", ""));
  for (const limit of limits) expect(limit * 1000).toBeLessThanOrEqual(served / 2);
});

/** Answers like a replica whose database is unavailable. */
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
