import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listening, SERVER, startProgram } from "../../harness/programs.ts";
import { openStage, signIn, TEST_LIMIT } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

test("answers 500 without details to a request that fails by a bug, logs it once, and serves the others", async () => {
  await using stage = await openStage({ hosts: 0 });
  const server = await stage.start();
  const root = await signIn(server.url);
  await stage.storage.query("alter table settings rename to settings_hidden");
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
  await stage.storage.query("alter table settings_hidden rename to settings");
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
