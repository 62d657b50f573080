import { expect, test, vi } from "vitest";
import { startServer } from "../../harness/programs.ts";
import { eventually, TEST_LIMIT } from "../../harness/stage.ts";
import { openTestStorage } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** The first moment of a server on an empty database: it listens, and its queue is still being made. */
const SETTINGS = { ADMIN_PASSWORD: "Another1Horse", LOG_LEVEL: "info", METRICS_TOKEN: "token" };
const TROUBLE = /"level":[456]0/;

test("a server answers before its queue exists, and reports the queue once it does", async () => {
  await using storage = await openTestStorage({ bare: true });
  await using server = await startServer({ ...storage.env, ...SETTINGS });
  const headers = { authorization: "Bearer token" };
  const metrics = async () => (await fetch(`${server.url}/metrics`, { headers })).text();
  expect(await metrics()).toContain("console_call_duration_seconds");
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await eventually(async () => expect(await metrics()).toMatch(/^console_queue_jobs\{queue="sync-run"/m), 20_000);
  expect(server.output.filter((line) => TROUBLE.test(line))).toEqual([]);
});

test("a server that is stopped in its first moment stops as any other", async () => {
  await using storage = await openTestStorage({ bare: true });
  await using server = await startServer({ ...storage.env, ...SETTINGS });
  expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(server.output.filter((line) => TROUBLE.test(line))).toEqual([]);
});
