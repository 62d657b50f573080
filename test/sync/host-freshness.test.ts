import { expect, it } from "vitest";
import { assertOk } from "../harness/rest.ts";
import { LISTING, useSync } from "./sync-fixture.ts";

const HOUR = 3_600;

const { app, clock, sync, held } = useSync();

interface Freshness {
  readonly id: string;
  readonly ucloudId: string;
  readonly region: string;
  readonly syncedAt: number;
  readonly isStale: boolean;
}

async function readHosts(): Promise<Freshness[]> {
  return (await assertOk(app.root.get("/api/hosts?limit=100"))).data.hosts;
}

async function hourLater(configId: string) {
  clock.forward(HOUR);
  return await sync(configId);
}

it("hosts of a region that fails for hours are stale, those of the others are not", async () => {
  const configId = await app.config({ syncIntervalMinutes: 60 });
  const first = await sync(configId);
  const fault = { kind: "retCode", retCode: 299 } as const;
  app.simulator.control.addFaults({ ...LISTING, region: "hk", fault });

  for (let hours = 0; hours < 3; hours++) await hourLater(configId);
  const last = await hourLater(configId);

  expect(last.status).toBe("partial");
  const hosts = await readHosts();
  const failed = hosts.filter(({ region }) => region === "hk");
  const read = hosts.filter(({ region }) => region !== "hk");
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.filter(({ isStale }) => !isStale)).toEqual([]);
  expect(Math.max(...failed.map(({ syncedAt }) => syncedAt))).toBeLessThanOrEqual(
    first.finishedAt ?? 0,
  );
  expect(read.filter(({ isStale }) => isStale)).toEqual([]);
});

it("a stale host that a refresh finds as it was is fresh, and nothing is told of it", async () => {
  const configId = await app.config();
  await sync(configId);
  clock.forward(25 * HOUR);
  const [host] = await readHosts();
  const events = () => app.database.query("select id from events order by id");
  const before = await events();
  const asked = clock.now();

  const { data } = await assertOk(app.root.post(`/api/hosts/${host?.id}/sync`));

  expect(host?.isStale).toBe(true);
  expect(data.isStale).toBe(false);
  expect(data.syncedAt).toBeGreaterThanOrEqual(asked);
  const { data: history } = await assertOk(app.root.get(`/api/hosts/${host?.id}/history`));
  expect(history.entries).toHaveLength(1);
  expect(await events()).toEqual(before);
});

it("a host that readings of its region miss is as old as the last one that had it", async () => {
  const configId = await app.config({ syncIntervalMinutes: 60 });
  await sync(configId);
  const last = await hourLater(configId);
  app.simulator.control.removeHosts({ region: "cn-bj2", count: 20 });

  for (let hours = 0; hours < 4; hours++) await hourLater(configId);

  const missing = await held();
  const hosts = (await readHosts()).filter(({ ucloudId }) => missing.includes(ucloudId));
  const isOld = { syncedAt: last.startedAt, isStale: true };
  expect(hosts).toMatchObject(Array(20).fill(isOld));
});

it("a host that a person keeps is as old as the last reading that had it", async () => {
  const configId = await app.config();
  await sync(configId);
  const last = await hourLater(configId);
  app.simulator.control.removeHosts({ region: "cn-bj2", count: 20 });
  await hourLater(configId);
  const missing = await held();
  const all = { configId, all: true };
  await assertOk(app.root.post("/api/hosts/held-removals/dismiss", all));

  await hourLater(configId);

  const hosts = (await readHosts()).filter(({ ucloudId }) => missing.includes(ucloudId));
  expect(hosts).toMatchObject(Array(20).fill({ syncedAt: last.startedAt }));
});
