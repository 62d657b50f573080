import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listening, SERVER, startProgram } from "../../harness/programs.ts";
import type { RestClient } from "../../harness/rest.ts";
import { configure, eventually, openStage, signIn, syncAll, TEST_LIMIT } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const ZONES = ["UTC", "Asia/Shanghai", "America/New_York"];
const CLIENT = { username: "customer", password: "Correct2Horse" };

test("answers 500 without details to a request that fails by a bug, logs it once, and serves the others", async () => {
  await using stage = await openStage({ hosts: 0 });
  const server = await stage.start();
  const root = await signIn(server.url);
  await stage.place.query("alter table settings rename to settings_hidden");
  const answers = await Promise.all(Array.from({ length: 10 }, () => root.get("/api/system-config")));
  for (const { status, body } of answers) {
    expect(status).toBe(500);
    expect(body).toEqual({ message: "服务器内部错误", code: "INTERNAL", requestId: expect.any(String) });
  }
  expect((await root.get("/api/users")).status).toBe(200);
  for (const { headers } of answers) {
    const requestId = headers.get("x-request-id") ?? "missing";
    await server.line(new RegExp(requestId));
    expect(server.output.filter((line) => line.includes(requestId))).toHaveLength(1);
  }
  await stage.place.query("alter table settings_hidden rename to settings");
  expect((await root.get("/api/system-config")).status).toBe(200);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.output.join("\n")).not.toMatch(/uncaught exception|unhandled rejection/);
});

test("errors that nobody catches are logged and do not take the process down, nor do callers who hang up", async () => {
  await using stage = await openStage({ hosts: 0 });
  await using program = startProgram({
    args: ["--import", join(import.meta.dirname, "throw-on-signal.ts"), SERVER],
    env: { ...stage.settings, PORT: "0" },
  });
  const server = await listening(program);
  const root = await signIn(server.url);
  process.kill(server.pid, "SIGUSR2");
  await server.line(/unhandled rejection/);
  await server.line(/uncaught exception/);
  const hangUps = Array.from({ length: 20 }, async (_, n) => {
    const leave = new AbortController();
    setTimeout(() => leave.abort(), n);
    await root.raw("GET", "/api/users", { signal: leave.signal }).catch(() => undefined);
  });
  await Promise.all(hangUps);
  expect((await root.get("/api/users")).status).toBe(200);
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.output.filter((line) => /"level":50/.test(line))).toHaveLength(2);
});

test("the same data are the same JSON whatever the time zone of the process", async () => {
  await using stage = await openStage({ hosts: 60 });
  const seen = new Map<string, string[]>();
  for (const zone of ZONES) {
    const server = await stage.start({ TZ: zone });
    const root = await signIn(server.url);
    if (seen.size === 0) await fill(root, server.url, stage.provider);
    seen.set(zone, await everything(root, await signIn(server.url, CLIENT)));

    const before = Math.floor(Date.now() / 1000);
    const made = await configure(root, stage.provider, `配置 ${zone}`);
    const configs = await root.get("/api/hosts/configs/list");
    const { createdAt } = configs.data.find(({ id }: { id: string }) => id === made);
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(Date.now() / 1000);
    expect((await root.delete(`/api/hosts/configs/${made}`)).status).toBe(200);
    await server.kill("SIGTERM");
  }
  const [utc, ...others] = [...seen.values()];
  for (const other of others) expect(other).toEqual(utc);
  expect(utc?.join()).toContain("assignedExpireTime");
});

async function fill(root: RestClient, url: string, provider: Parameters<typeof configure>[1]): Promise<void> {
  await configure(root, provider);
  expect((await syncAll(root)).status).toBe("succeeded");
  const user = await root.post("/api/users", { ...CLIENT, name: "客户", role: "client" });
  expect(user.status, JSON.stringify(user.body)).toBe(201);
  const { data } = await root.get("/api/hosts?limit=1");
  const hostId = data.hosts[0].id;
  const now = Math.floor(Date.now() / 1000);
  const assigned = await root.post("/api/hosts/assign", {
    hostId,
    userId: user.data.id,
    assignedExpireTime: now + 30 * 86_400,
  });
  expect(assigned.status, JSON.stringify(assigned.body)).toBe(200);
  const client = await signIn(url, CLIENT);
  const renewal = await client.post("/api/renewals", { hostId, requestedDuration: 30 });
  expect(renewal.status, JSON.stringify(renewal.body)).toBe(201);
  await eventually(async () => expect((await root.get("/api/renewals")).data.pagination.total).toBe(1));
}

async function everything(root: RestClient, client: RestClient): Promise<string[]> {
  const paths = [
    "/api/users",
    "/api/hosts?limit=100",
    "/api/renewals",
    "/api/hosts/sync-runs",
    "/api/hosts/configs/list",
  ];
  const answers = [
    ...(await Promise.all(paths.map((path) => root.get(path)))),
    ...(await Promise.all(["/api/auth/me", "/api/hosts", "/api/renewals"].map((path) => client.get(path)))),
  ];
  for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBe(200);
  return answers.map(({ body }) => JSON.stringify(body));
}
