import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { insertHosts } from "../harness/data.ts";

const STALL_MS = 1_000;
const HOSTS = 2_500;
const MIB = 1024 * 1024;
const app = useApp({ overrides: { stallMs: STALL_MS } });

beforeEach(async () => {
  await insertHosts(
    app,
    Array.from({ length: HOSTS }, (_, n) => ({ name: `host-${n}` })),
  );
  // More than the network holds for a caller who reads nothing.
  await app.database.query("update hosts set os_name = repeat('x', 8000)");
});

/** Not compressed, so that it is long. */
function download(): Promise<Response> {
  return fetch(`${app.url}/api/hosts/export`, {
    headers: { authorization: `Bearer ${app.root.token}`, "accept-encoding": "identity" },
  });
}

it("a download of which nobody takes anything is cut off, and is no running export then", async () => {
  const stalled = await Promise.all([download(), download()]);
  const refused = await download();

  await expect.poll(async () => (await download()).status).toBe(200);

  expect(refused.status).toBe(429);
  for (const response of stalled) await expect(response.arrayBuffer()).rejects.toThrow();
});

it("a download that is taken slowly is sent to its end", async () => {
  const { body } = await download();
  let bytes = 0;
  let pauses = 0;

  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes < (pauses + 1) * 4 * MIB) continue;
    pauses += 1;
    await sleep(STALL_MS / 2);
  }

  expect(pauses).toBeGreaterThan(2);
  expect(bytes).toBeGreaterThan(HOSTS * 8_000);
});
