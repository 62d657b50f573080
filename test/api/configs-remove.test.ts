import { beforeEach, describe, expect, it, vi } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/database/sql.ts";
import { useApp } from "../harness/app.ts";
import { assign, idsOf, insertHost, insertHosts } from "../harness/data.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";
const RUN = "0198a000-0000-7000-8000-000000000001";
let kept: string;
let removed: string;

beforeEach(async () => {
  kept = await app.config();
  removed = await app.config();
});

async function remove() {
  const answer = await app.root.delete(`${CONFIGS}/${removed}`);
  expect([answer.status, answer.data]).toEqual([200, {}]);
}

async function insertLiveRun() {
  await app.database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values ($1, $2, 'x', 'schedule', 'running', extract(epoch from now())::bigint)`,
    [RUN, removed],
  );
}

describe("deleting a configuration", () => {
  it("keeps its hosts as gone with their assignments, and leaves the hosts of other configurations unchanged", async () => {
    const client = await app.account("client");
    const ours = await insertHost(app, { name: "a", config_id: removed });
    const theirs = await insertHost(app, { name: "b", config_id: kept });
    const period = await assign(app, ours, client.id);
    await remove();
    expect(idsOf(await app.root.get("/api/hosts"))).toEqual([theirs]);
    const gone = await app.root.get("/api/hosts?gone=true");
    expect(gone.data.hosts).toMatchObject([
      { id: ours, configId: null, goneAt: expect.any(Number), users: [{ id: client.id, ...period }] },
    ]);
    expect((await client.get(`/api/hosts/${ours}`)).data.goneAt).toEqual(expect.any(Number));
    expect((await app.root.get(`${CONFIGS}/list`)).data).toHaveLength(1);
  });

  it("releases more hosts than fit in one statement, keeps the time of one already gone, and names the assigned ones", async () => {
    const client = await app.account("client");
    const past = await insertHost(app, { config_id: removed, gone_at: 1_700_000_000 });
    const hosts = await insertHosts(app, Array<object>(5_001).fill({ config_id: removed }));
    const assigned = [hosts[0] ?? "", hosts.at(-1) ?? ""];
    for (const hostId of assigned) await assign(app, hostId, client.id);
    await remove();
    const [left] = await app.database.query(
      "select count(*)::int as n from hosts where gone_at is null or config_id = $1",
      [removed],
    );
    expect(left?.n).toBe(0);
    expect((await app.root.get(`/api/hosts/${past}`)).data.goneAt).toBe(1_700_000_000);
    expect(await namedHosts()).toEqual(
      expect.toSatisfy((ids: string[]) => ids.toSorted().join() === assigned.toSorted().join()),
    );
  });

  it("cancels its live run and publishes the end", async () => {
    await insertLiveRun();
    await remove();
    const [run] = await app.database.query("select status, finished_at from sync_runs");
    expect(run).toMatchObject({ status: "cancelled" });
    expect(run?.finished_at).not.toBeNull();
    const events = await app.database.query("select payload from events where type = 'sync.finished'");
    expect(events).toMatchObject([{ payload: { id: RUN, status: "cancelled" } }]);
  });

  it("waits for the open transaction of its live run and does not block it", async () => {
    await insertLiveRun();
    await using sync = await connectBeside(app.database);
    await sync.query("begin");
    await sync.query("set local lock_timeout = '500ms'");
    await sync.query("select from sync_runs where id = $1 for update", [RUN]);
    const removal = remove();
    // The embedded database has one session.
    if (app.database.connection.kind === "server") await vi.waitUntil(() => waitsForLock(sync), { interval: 5 });
    const [written = ""] = await insertHosts({ database: sync }, [{ config_id: removed }]);
    await sync.query("commit");
    await removal;
    expect((await app.root.get(`/api/hosts/${written}`)).data).toMatchObject({
      configId: null,
      goneAt: expect.any(Number),
    });
  });

  it.skipIf(process.env.TEST_DATABASE_URL === undefined)(
    "does not lock the event log while it waits for hosts of a live run, so no deadlock arises",
    async () => {
      await insertLiveRun();
      const written = await insertHost(app, { config_id: removed });
      await using sync = await connectBeside(app.database);
      await sync.query("begin");
      await sync.query("update hosts set cpu = 8 where id = $1", [written]);
      const removal = remove();
      await vi.waitUntil(() => waitsForLock(sync), { interval: 5 });
      const lock = await sync.query("select pg_try_advisory_xact_lock($1) as acquired", [ADVISORY_LOCKS.eventAppend]);
      await sync.query("commit");
      await removal;
      expect(lock).toEqual([{ acquired: true }]);
    },
  );

  it.skipIf(process.env.TEST_DATABASE_URL === undefined)(
    "names a host that is assigned while the deletion waits for another host",
    async () => {
      const client = await app.account("client");
      const first = await insertHost(app, { config_id: removed });
      const last = await insertHost(app, { config_id: removed });
      await using other = await connectBeside(app.database);
      await other.query("begin");
      await other.query("select 1 from hosts where id = $1 for update", [first]);
      const removal = remove();
      await vi.waitUntil(() => waitsForLock(other), { interval: 5 });
      await assign(app, last, client.id);
      await other.query("commit");
      await removal;
      expect(await namedHosts()).toEqual([last]);
      expect((await client.get(`/api/hosts/${last}`)).data.goneAt).not.toBeNull();
    },
  );
});

/** Hosts that the event of the deletion names. */
async function namedHosts(): Promise<unknown> {
  const [event] = await app.database.query(
    "select payload->'hostIds' as ids from events where type = 'hosts.changed' and payload->>'configId' = $1 order by id desc limit 1",
    [removed],
  );
  return event?.ids;
}
