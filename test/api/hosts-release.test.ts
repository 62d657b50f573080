import { beforeEach, describe, expect, it } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/database/sql.ts";
import { type Account, useApp } from "../harness/app.ts";
import { DAY, insertHost, insertHosts, now } from "../harness/data.ts";
import { connectBeside, waitsForLock } from "../harness/database.ts";

/** Needs concurrent sessions, which the embedded database lacks. */
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  "assigning a host of a configuration that is being deleted",
  () => {
    const app = useApp();
    let config: string;
    let first: string;
    let last: string;
    let client: Account;

    beforeEach(async () => {
      await app.config();
      config = await app.config();
      client = await app.account("client");
      first = await insertHost(app, { config_id: config });
      last = await insertHost(app, { config_id: config });
    });

    const assign = (hostId: string) =>
      app.root.post("/api/hosts/assign", { hostId, userId: client.id, assignedExpireTime: now() + 30 * DAY });

    /** Hosts named by the event of the deletion. */
    async function publishedHostIds(): Promise<unknown> {
      const [event] = await app.database.query(
        "select payload->'hostIds' as ids from events where type = 'hosts.changed' and payload->>'configId' = $1 order by id desc limit 1",
        [config],
      );
      return event?.ids;
    }

    it("a client assigned just before the host is released receives the event that it is gone", async () => {
      await using other = await connectBeside(app.database);
      await other.query("begin");
      await other.query("select 1 from hosts where id = $1 for update", [first]);
      const deleting = app.root.delete(`/api/hosts/configs/${config}`);
      await expect.poll(() => waitsForLock(app.database)).toBe(true);
      expect((await assign(last)).status).toBe(200);
      await other.query("commit");
      expect((await deleting).status).toBe(200);
      expect(await publishedHostIds()).toEqual([last]);
      expect((await client.get(`/api/hosts/${last}`)).data.goneAt).not.toBeNull();
    });

    it("a client assigned at the same moment as the deletion receives the event that the host is gone", async () => {
      await using other = await connectBeside(app.database);
      await other.query("begin");
      await other.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.eventAppend]);
      const assigning = assign(last);
      await expect.poll(() => waitsForLock(app.database)).toBe(true);
      const deleting = app.root.delete(`/api/hosts/configs/${config}`);
      await expect.poll(waiting).toBe(2);
      await other.query("commit");
      expect([(await assigning).status, (await deleting).status]).toEqual([200, 200]);
      expect(await publishedHostIds()).toEqual([last]);
    });

    async function waiting(): Promise<number> {
      const rows = await app.database.query(
        "select distinct pid from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()",
      );
      return rows.length;
    }
  },
);

describe("the hosts of a deleted configuration", () => {
  const app = useApp();

  it("all become gone, even more than fit in one statement, and the event names the assigned ones", async () => {
    await app.config();
    const config = await app.config();
    const client = await app.account("client");
    const past = await insertHost(app, { config_id: config, gone_at: 1_700_000_000 });
    const hosts = await insertHosts(
      app,
      Array.from({ length: 5_001 }, () => ({ config_id: config })),
    );
    const assigned = [hosts[0] ?? "", hosts.at(-1) ?? ""];
    for (const hostId of assigned) {
      const body = { hostId, userId: client.id, assignedExpireTime: now() + 30 * DAY };
      expect((await app.root.post("/api/hosts/assign", body)).status).toBe(200);
    }
    expect((await app.root.delete(`/api/hosts/configs/${config}`)).status).toBe(200);
    const [left] = await app.database.query(
      "select count(*)::int as n from hosts where gone_at is null or config_id is not null",
    );
    expect(left?.n).toBe(0);
    expect((await app.root.get(`/api/hosts/${past}`)).data.goneAt).toBe(1_700_000_000);
    const [event] = await app.database.query(
      "select payload->'hostIds' as ids from events where type = 'hosts.changed' order by id desc limit 1",
    );
    expect(event?.ids).toEqual(expect.arrayContaining(assigned));
    expect(event?.ids).toHaveLength(2);
  });
});
