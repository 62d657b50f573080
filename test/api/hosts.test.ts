import { beforeEach, describe, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { assign, DAY, idsOf, insertHost, MISSING, now } from "../harness/data.ts";

const app = useApp();
let admin: Account;
let otherAdmin: Account;
let client: Account;
let otherClient: Account;
let shared: string;
let own: string;
let foreign: string;
let unassigned: string;

beforeEach(async () => {
  admin = await app.account("admin");
  otherAdmin = await app.account("admin");
  client = await app.account("client", { adminId: admin.id });
  otherClient = await app.account("client", { adminId: otherAdmin.id });
  shared = await insertHost(app, { name: "a-shared" });
  own = await insertHost(app, { name: "b-own" });
  foreign = await insertHost(app, { name: "c-foreign" });
  unassigned = await insertHost(app, { name: "d-unassigned" });
  await assign(app, shared, client.id);
  await assign(app, shared, otherClient.id);
  await assign(app, own, client.id);
  await assign(app, foreign, otherClient.id);
});

describe("host visibility", () => {
  it("a super admin sees all hosts, an admin those of own clients, a client its own", async () => {
    expect(idsOf(await app.root.get("/api/hosts"))).toEqual([shared, own, foreign, unassigned]);
    for (const account of [admin, client]) {
      const answer = await account.get("/api/hosts");
      expect(idsOf(answer)).toEqual([shared, own]);
      expect(answer.data.pagination).toEqual({ page: 1, limit: 20, total: 2, totalPages: 1 });
    }
    expect(idsOf(await otherAdmin.get("/api/hosts"))).toEqual([shared, foreign]);
  });

  it("a single host follows the same scope, and a foreign host returns the same 404 as a missing one", async () => {
    for (const account of [admin, client]) {
      expect((await account.get(`/api/hosts/${own}`)).data.id).toBe(own);
      const answers = await Promise.all([foreign, unassigned, MISSING].map((id) => account.get(`/api/hosts/${id}`)));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect(new Set(answers.map(({ data }) => `${data.code} ${data.message}`)).size).toBe(1);
    }
    expect((await app.root.get(`/api/hosts/${MISSING}`)).status).toBe(404);
    expect((await client.get("/api/hosts/1")).status).toBe(400);
  });

  it("searches and totals follow the same scope", async () => {
    for (const account of [admin, client]) {
      const answer = await account.get("/api/hosts?search=foreign");
      expect(answer.data).toMatchObject({ hosts: [], pagination: { total: 0, totalPages: 0 } });
      expect((await account.get("/api/hosts?page=2")).data).toMatchObject({ hosts: [], pagination: { total: 2 } });
    }
  });

  it("the new admin of a moved client sees its hosts at the next call", async () => {
    await app.root.put(`/api/users/${client.id}`, { adminId: otherAdmin.id });
    expect(idsOf(await admin.get("/api/hosts"))).toEqual([]);
    expect(idsOf(await otherAdmin.get("/api/hosts"))).toEqual([shared, own, foreign]);
  });

  it("a client loses sight of a host when its assignment ends", async () => {
    await app.root.post("/api/hosts/unassign", { hostId: own, userId: client.id });
    for (const account of [admin, client]) {
      expect(idsOf(await account.get("/api/hosts"))).toEqual([shared]);
      expect((await account.get(`/api/hosts/${own}`)).status).toBe(404);
    }
  });

  it("a host that is gone at the provider stays visible, marked as gone, to users who have it", async () => {
    await app.database.query("update hosts set gone_at = 1790000000 where id = $1", [own]);
    for (const account of [admin, client]) {
      expect((await account.get(`/api/hosts/${own}`)).data.goneAt).toBe(1_790_000_000);
      expect(idsOf(await account.get("/api/hosts"))).toContain(own);
    }
    expect(idsOf(await app.root.get("/api/hosts"))).not.toContain(own);
    expect(idsOf(await app.root.get("/api/hosts?gone=true"))).toEqual([own]);
    expect((await app.root.get(`/api/hosts/${own}`)).status).toBe(200);
  });
});

describe("visibility over the period of an assignment", () => {
  it("an assignment that starts later is visible to the admin now and to the client from its start", async () => {
    await assign(app, unassigned, client.id, { from: DAY, to: 10 * DAY });
    expect(idsOf(await client.get("/api/hosts"))).not.toContain(unassigned);
    expect((await client.get(`/api/hosts/${unassigned}`)).status).toBe(404);
    expect(idsOf(await admin.get("/api/hosts"))).toContain(unassigned);
  });

  it("an expired assignment stays visible", async () => {
    await assign(app, own, client.id, { from: -10 * DAY, to: -DAY });
    const { data } = await client.get(`/api/hosts/${own}`);
    expect(data.expireTime).toBeLessThan(now());
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
    expect(data.users.map(({ id }: { id: string }) => id)).toEqual([client.id, otherClient.id]);
  });

  it("an admin sees the names of own clients only", async () => {
    const { data } = await admin.get(`/api/hosts/${shared}`);
    expect(data.users.map(({ id }: { id: string }) => id)).toEqual([client.id]);
    expect(data.ipSet).toHaveLength(2);
    expect(JSON.stringify((await admin.get("/api/hosts")).body)).not.toContain(otherClient.id);
  });

  it("a client sees its own assignment and never the operator's dates, states or configurations", async () => {
    const period = await assign(app, shared, client.id);
    for (const data of [
      (await client.get(`/api/hosts/${shared}`)).data,
      (await client.get("/api/hosts")).data.hosts[0],
    ]) {
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
      (await client.get(`/api/hosts/${own}`)).data.ipSet.length,
      (await client.get("/api/hosts?search=own")).data.hosts[0].ipSet.length,
    ];
    expect(await network()).toEqual([2, 2]);
    await assign(app, own, client.id, { from: -10 * DAY, to: -1 });
    expect(await network()).toEqual([0, 0]);
    await assign(app, own, client.id);
    await app.root.put("/api/system-config", { show_network_info_to_client: false });
    expect(await network()).toEqual([0, 0]);
    expect((await admin.get(`/api/hosts/${own}`)).data.ipSet).toHaveLength(2);
  });
});
