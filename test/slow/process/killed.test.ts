import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { POSTGRESQL } from "../../harness/place.ts";

import {
  configure,
  eventually,
  hostTotal,
  openStage,
  providerTotal,
  runOf,
  signIn,
  syncAll,
  syncHalfWay,
  TEST_LIMIT,
  within,
} from "../../harness/stage.ts";
import { expectConfigs, writeUntilItDies } from "./writes.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** From the contract, in ms. */
const READY_LIMIT = 10_000;
const INTERRUPTED_LIMIT = POSTGRESQL === undefined ? 100 : 60_000;
const CYCLES = 3;
const WRITERS = 4;

test("a server killed in mid-sync is back on the same data with what it wrote, and the next sync brings every host", async () => {
  await using stage = await openStage();
  const killed = await stage.start();
  const before = await signIn(killed.url);
  await configure(before, stage.provider);
  const runId = await syncHalfWay(before, stage.provider);
  const written = await hostTotal(before);
  expect((await runOf(before, runId)).status).toBe("running");
  await killed.kill("SIGKILL");

  const began = performance.now();
  const server = await stage.start();
  const ready = await fetch(`${server.url}/readyz`);
  expect(ready.status).toBe(200);
  expect(performance.now() - began).toBeLessThan(within(READY_LIMIT));

  const root = await signIn(server.url);
  await eventually(async () => expect((await runOf(root, runId)).status).toBe("interrupted"), INTERRUPTED_LIMIT);
  expect(await hostTotal(root)).toBeGreaterThanOrEqual(written);
  expect(await hostTotal(root, "&gone=true")).toBe(0);

  await stage.provider.control("release");
  const again = await syncAll(root);
  expect(again).toMatchObject({ status: "succeeded", gone: 0, rejected: 0 });
  expect(await hostTotal(root)).toBe(await providerTotal(stage.provider));
  expect(await hostTotal(root, "&gone=true")).toBe(0);
});

test("a server killed while it writes has kept every write that it acknowledged", async () => {
  await using stage = await openStage({ hosts: 0 });
  const acknowledged = new Set<string>();
  let server = await stage.start();
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const root = await signIn(server.url);
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilItDies(root, stage.provider.url, { prefix: `${cycle}-${writer}`, acknowledged }),
    );
    const goal = acknowledged.size + 20;
    await eventually(async () => expect(acknowledged.size).toBeGreaterThan(goal));
    await sleep(Math.random() * 50);
    await server.kill("SIGKILL");
    await Promise.all(writers);

    server = await stage.start();
    await expectConfigs(await signIn(server.url), acknowledged);
  }
});
