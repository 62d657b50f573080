import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type TestApp, useApp } from "../harness/app.ts";
import { insertHosts } from "../harness/data.ts";

const HOSTS = 2_500;
const MIB = 1024 * 1024;

describe("a download", () => {
  const app = useStalling(1_000);

  it("of which nobody takes anything is cut off, and is no running export then", async () => {
    const stalled = await Promise.all([download(app), download(app)]);
    const refused = await download(app);

    // One may be cut off before the other, which would be whole if it were read now.
    await expect.poll(() => statusesOfTwo(app)).toEqual([200, 200]);

    expect(refused.status).toBe(429);
    for (const response of stalled) await expect(lengthOf(response)).rejects.toThrow();
  });
});

describe("a download that is taken slowly", () => {
  // The process may stand still for seconds on a busy machine.
  const stallMs = 4_000;
  const pauseMs = 1_200;
  const app = useStalling(stallMs);

  it("is sent to its end", async () => {
    const { body } = await download(app);
    let bytes = 0;
    let pauses = 0;

    for await (const part of body ?? []) {
      bytes += part.length;
      if (bytes < (pauses + 1) * 4 * MIB) continue;
      pauses += 1;
      await sleep(pauseMs);
    }

    expect(pauses * pauseMs).toBeGreaterThan(stallMs);
    expect(bytes).toBeGreaterThan(HOSTS * 8_000);
  });
});

/** An app with many long hosts that cuts off a download of which nothing was taken for so long. */
function useStalling(stallMs: number): TestApp {
  const app = useApp({ overrides: { stallMs } });
  beforeEach(async () => {
    await insertHosts(
      app,
      Array.from({ length: HOSTS }, (_, n) => ({ name: `host-${n}` })),
    );
    // More than the network holds for a caller who reads nothing.
    await app.database.query("update hosts set os_name = repeat('x', 8000)");
  });
  return app;
}

/** Of as many downloads as a user may have at once; both are given up. */
async function statusesOfTwo(app: TestApp): Promise<number[]> {
  const responses = await Promise.all([download(app), download(app)]);
  await Promise.all(responses.map(({ body }) => body?.cancel()));
  return responses.map(({ status }) => status);
}

/** Not the bytes: to print them when they are not expected would take all memory. */
async function lengthOf(response: Response): Promise<number> {
  const { byteLength } = await response.arrayBuffer();
  return byteLength;
}

/** Not compressed, so that it is long. */
function download(app: TestApp): Promise<Response> {
  return fetch(`${app.url}/api/hosts/export`, {
    headers: { authorization: `Bearer ${app.root.token}`, "accept-encoding": "identity" },
  });
}
