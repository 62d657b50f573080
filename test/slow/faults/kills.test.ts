import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RestClient } from "../../harness/rest.ts";
import {
  configure,
  eventually,
  hostTotal,
  openStage,
  providerTotal,
  runOf,
  type Stage,
  signIn,
  syncAll,
  within,
} from "../../harness/stage.ts";
import { expectConfigs, writeUntilItDies } from "../process/writes.ts";
import { printOutcome, slowest } from "./outcomes.ts";
import { pendingRenewal, type Renewing, renewingClient } from "./renewal.ts";
import { DATABASES, inLanes, ROUNDS_LIMIT, rounds } from "./rounds.ts";

/** From the contract, in ms. */
const READY_LIMIT = 10_000;
const INTERRUPTED_LIMIT = 60_000;
const WRITERS = 3;

interface Kept {
  readonly acknowledged: Set<string>;
  readonly ready: number[];
  readonly completed: number[];
}

describe.each(DATABASES)("a server on $name", ({ name, server }) => {
  test(
    "that is killed in mid-sync and mid-write again and again loses nothing that it acknowledged",
    async () => {
      const total = rounds(100, 2);
      const kept: Kept = { acknowledged: new Set(), ready: [], completed: [] };
      // On a server each round waits for the heartbeat of the killed process to run out.
      await inLanes({ lanes: server === null ? 1 : 2, total }, async (share) => {
        await using stage = await openStage({ server, hosts: 600 });
        await cycles(stage, share, kept);
      });
      expect(kept.ready).toHaveLength(total);
      const { acknowledged, ready, completed } = kept;
      printOutcome({
        scenario: "kill -9 in mid-sync and mid-write",
        database: name,
        rounds: total,
        outcome: `ready again in ${slowest(ready)} at most; ${acknowledged.size} acknowledged writes, 0 lost; ${completed.length} renewals taken before the end, 0 half done; every run interrupted, 0 hosts gone, the next sync complete`,
      });
    },
    ROUNDS_LIMIT,
  );
});

async function cycles(stage: Stage, count: number, kept: Kept): Promise<void> {
  let server = await stage.start();
  const first = await signIn(server.url);
  const configId = await configure(first, stage.provider);
  await syncAll(first);
  const renewing = await renewingClient(first);
  const own = new Set<string>();
  for (let cycle = 0; cycle < count; cycle++) {
    const root = await signIn(server.url);
    await stage.provider.control("addHosts", { region: "cn-bj2", count: 20 });
    const pending = await pendingRenewal(server.url, root, renewing);
    await stage.provider.control("hold", {
      action: "DescribeUHostInstance",
      byId: false,
      nth: 1 + (cycle % 7),
      times: 1_000_000,
    });
    const { data } = await root.post(`/api/hosts/sync?wait=0&configId=${configId}`);
    const runId = String(data.runs[0].id);
    await stage.provider.control("waitForHeld");
    const before = await hostTotal(root);
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilItDies(root, stage.provider.url, { prefix: `${cycle}-${writer}`, acknowledged: own, isActive: false }),
    );
    const goal = own.size + WRITERS;
    await eventually(async () => expect(own.size).toBeGreaterThan(goal));
    const decided = root.put(`/api/renewals/${pending.id}/process`, { status: "completed" }).catch(() => null);
    await sleep(Math.random() * 40);
    await server.kill("SIGKILL");
    await Promise.all(writers);

    const began = performance.now();
    server = await stage.start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    kept.ready.push(performance.now() - began);
    expect(kept.ready.at(-1)).toBeLessThan(within(READY_LIMIT));

    const again = await signIn(server.url);
    expect(await hostTotal(again)).toBeGreaterThanOrEqual(before);
    expect(await hostTotal(again, "&gone=true")).toBe(0);
    await expectConfigs(again, own);
    const answer = await decided;
    const isDone = await expectWhole(stage, again, { ...renewing, ...pending });
    if (answer?.status === 200) expect(isDone).toBe(true);
    if (isDone) kept.completed.push(cycle);
    await eventually(async () => expect((await runOf(again, runId)).status).toBe("interrupted"), INTERRUPTED_LIMIT);
    expect(await runOf(again, runId)).toMatchObject({ gone: 0 });

    await stage.provider.control("release");
    expect(await syncAll(again)).toMatchObject({ status: "succeeded", gone: 0, rejected: 0 });
    expect(await hostTotal(again)).toBe(await providerTotal(stage.provider));
  }
  for (const name of own) kept.acknowledged.add(`${stage.storage.directory}/${name}`);
}

/** The state, the date and the event of a renewal: all of them or none. Answers which. */
async function expectWhole(
  { storage }: Stage,
  root: RestClient,
  { id, hostId, expiry, userId }: Renewing & { readonly id: string; readonly expiry: number },
): Promise<boolean> {
  const { status } = (await root.get(`/api/renewals/${id}`)).data;
  const { users } = (await root.get(`/api/hosts/${hostId}`)).data;
  const moved = users.find((user: { readonly id: string }) => user.id === userId).assignedExpireTime - expiry;
  const events = await storage.query(
    "select 1 as one from events where type = 'renewal.processed' and payload->>'renewalId' = $1",
    [id],
  );
  const isDone = status === "completed";
  expect([status, moved, events.length]).toEqual(isDone ? ["completed", 30 * 86_400, 1] : ["pending", 0, 0]);
  // Else the next request would be a second one.
  if (!isDone) await root.put(`/api/renewals/${id}/process`, { status: "completed" });
  return isDone;
}
