import { beforeEach, describe, expect, it, vi } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/database/sql.ts";
import { useApp } from "../harness/app.ts";
import { assign, idsOf, insertHost, insertHosts } from "../harness/data.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";
const RUN = "0198a000-0000-7000-8000-000000000001";
const COPIED =
  "config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type, status, provider_status, charge_type, ip_set, changed_at";
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
     values ($1, $2, 'x', 'schedule', 'running', 1780000000)`,
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

  it("releases every host, even more than fit in one statement", async () => {
    const template = await insertHost(app, { config_id: removed });
    await app.database.query(
      `insert into hosts (id, ucloud_id, ${COPIED}) select gen_random_uuid(), 'uhost-many-' || n, ${COPIED}
       from hosts, generate_series(1, 5200) n where id = $1`,
      [template],
    );
    await remove();
    expect((await app.root.get("/api/hosts?gone=true&limit=1")).data.pagination.total).toBe(5201);
  });

  it("keeps the time at which a host was already gone", async () => {
    const host = await insertHost(app, { config_id: removed, gone_at: 1_700_000_000 });
    await remove();
    expect((await app.root.get(`/api/hosts/${host}`)).data.goneAt).toBe(1_700_000_000);
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

  it("exactly one of ten concurrent deletions succeeds", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.root.delete(`${CONFIGS}/${removed}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });
});
