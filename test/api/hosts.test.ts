import { beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, DAY, failureOf, idsOf, insertHost, MISSING, type Team, twoAdmins, unassign } from "../harness/data.ts";
import { fixedClock } from "../harness/fixed-clock.ts";

/** At the present: the database's defaults for times use its own clock. */
const clock = fixedClock(Math.floor(Date.now() / 1000));
const app = useApp({ overrides: { clock } });
let team: Team;
/** Of both clients. */
let shared: string;
/** Of the client alone. */
let own: string;

beforeEach(async () => {
  clock.rewind();
  team = await twoAdmins(app);
  shared = await insertHost(app, { name: "a-shared" });
  own = await insertHost(app, { name: "b-own" });
  await assign(app, shared, team.client.id);
  await assign(app, shared, team.otherClient.id);
  await assign(app, own, team.client.id);
});

/** The admin's and the client's view. */
const scoped = () => [team.admin, team.client];

describe("host visibility", () => {
  it("the new admin of a moved client sees its hosts at the next call", async () => {
    await app.root.put(`/api/users/${team.client.id}`, { adminId: team.otherAdmin.id });
    expect(idsOf(await team.admin.get("/api/hosts"))).toEqual([]);
    expect(idsOf(await team.otherAdmin.get("/api/hosts"))).toEqual([shared, own]);
  });

  it("a client and its admin lose sight of a host when its assignment ends, and then it is like a missing one", async () => {
    await unassign(app, own, team.client.id);
    for (const account of scoped()) {
      expect(idsOf(await account.get("/api/hosts"))).toEqual([shared]);
      const [ended, missing] = [await account.get(`/api/hosts/${own}`), await account.get(`/api/hosts/${MISSING}`)];
      expect([failureOf(ended), ended.data.message]).toEqual([failureOf(missing), missing.data.message]);
      expect(ended.status).toBe(404);
    }
  });

  it("a host that is gone at the provider stays visible, marked as gone, to users who have it", async () => {
    await app.database.query("update hosts set gone_at = 1790000000 where id = $1", [own]);
    for (const account of scoped()) {
      expect((await account.get(`/api/hosts/${own}`)).data.goneAt).toBe(1_790_000_000);
      expect(idsOf(await account.get("/api/hosts"))).toContain(own);
    }
    expect(idsOf(await app.root.get("/api/hosts"))).not.toContain(own);
    expect(idsOf(await app.root.get("/api/hosts?gone=true"))).toEqual([own]);
    expect((await app.root.get(`/api/hosts/${own}`)).status).toBe(200);
  });

  it("an assignment that starts later is visible to the admin now, and to the client from the second in which it starts", async () => {
    const later = await insertHost(app, { name: "c-later" });
    const period = { assignedAt: clock.now() + 30, assignedExpireTime: clock.now() + 30 * DAY };
    await app.root.post("/api/hosts/assign", { hostId: later, userId: team.client.id, ...period });
    expect(idsOf(await team.admin.get("/api/hosts"))).toContain(later);
    clock.forward(29);
    expect(idsOf(await team.client.get("/api/hosts"))).not.toContain(later);
    expect((await team.client.get(`/api/hosts/${later}`)).status).toBe(404);
    clock.forward(1);
    expect(idsOf(await team.client.get("/api/hosts"))).toContain(later);
  });

  it("an expired assignment stays visible", async () => {
    clock.forward(60 * DAY);
    const client = await app.signIn(team.client.username);
    expect((await client.get(`/api/hosts/${own}`)).data.expireTime).toBeLessThan(clock.now());
  });
});

describe("visible fields of a host", () => {
  beforeEach(async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
  });

  it("a super admin sees every field", async () => {
    const { data } = await app.root.get(`/api/hosts/${shared}`);
    expect(data).toMatchObject({ createTime: 1_700_000_000, expireTime: 1_900_000_000, providerStatus: "Running" });
    expect(data).toMatchObject({ zoneName: "华北（北京2）可用区E", memory: 8192, disk: 120, syncedAt: 1_780_000_000 });
    expect(data.ipSet).toHaveLength(2);
    expect(data.users).toMatchObject([{ id: team.client.id }, { id: team.otherClient.id }]);
  });

  it("the last confirmation of a host is its own write or a later read of its partition", async () => {
    const configId = await app.config();
    const id = await insertHost(app, { config_id: configId, changed_at: 1_780_000_000 });
    expect((await app.root.get(`/api/hosts/${id}`)).data.syncedAt).toBe(1_780_000_000);
    await app.database.query(
      "insert into sync_partitions (config_id, project_id, region, read_at) values ($1, 'org-1', 'cn-bj2', 1785000000)",
      [configId],
    );
    expect((await app.root.get(`/api/hosts/${id}`)).data).toMatchObject({ syncedAt: 1_785_000_000, configId });
  });

  it("an admin sees the names of own clients only", async () => {
    const { data } = await team.admin.get(`/api/hosts/${shared}`);
    expect(data.users).toMatchObject([{ id: team.client.id }]);
    expect(data.ipSet).toHaveLength(2);
    expect(JSON.stringify((await team.admin.get("/api/hosts")).body)).not.toContain(team.otherClient.id);
  });

  it("a client sees its own assignment and never the operator's dates, states or configurations", async () => {
    const { client, otherClient } = team;
    const period = await assign(app, shared, client.id);
    const listed = (await client.get("/api/hosts")).data.hosts[0];
    for (const data of [(await client.get(`/api/hosts/${shared}`)).data, listed]) {
      expect(data).toMatchObject({
        createTime: period.assignedAt,
        expireTime: period.assignedExpireTime,
        providerStatus: null,
        configId: null,
        users: [{ id: client.id, ...period }],
      });
      expect(JSON.stringify(data)).not.toMatch(/1700000000|1900000000/);
      expect(JSON.stringify(data)).not.toContain(otherClient.username);
    }
  });

  it("a client sees network fields only while the setting is on and the assignment is current", async () => {
    const network = async () => [
      (await team.client.get(`/api/hosts/${own}`)).data.ipSet.length,
      (await team.client.get("/api/hosts?search=own")).data.hosts[0].ipSet.length,
    ];
    expect(await network()).toEqual([2, 2]);
    await assign(app, own, team.client.id, { from: -10 * DAY, to: -2 * DAY });
    expect(await network()).toEqual([0, 0]);
    await assign(app, own, team.client.id);
    await app.root.put("/api/system-config", { show_network_info_to_client: false });
    expect(await network()).toEqual([0, 0]);
    expect((await team.admin.get(`/api/hosts/${own}`)).data.ipSet).toHaveLength(2);
  });
});
