import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, now } from "../harness/data.ts";
import type { RestClient } from "../harness/rest.ts";

describe("the host summary", () => {
  const app = useApp();

  it("counts provider expiry of prepaid, present hosts for the super admin", async () => {
    const client = await app.account("client");
    const soon = await insertHost(app, { expire_time: now() + 3 * DAY });
    await insertHost(app, { expire_time: now() + 20 * DAY, status: "Stopped" });
    const past = await insertHost(app, { expire_time: now() - DAY });
    await insertHost(app, { expire_time: now() - DAY, charge_type: "Dynamic" });
    await insertHost(app, { expire_time: now() - DAY, gone_at: now() });
    await assign(app, soon, client.id);
    const { data } = await app.root.get("/api/hosts/summary");
    const { expiriesByMonth, regions, ...numbers } = data;
    expect(expiriesByMonth).toHaveLength(12);
    expect(regions).toEqual([{ region: "cn-bj2", Running: 3, Stopped: 1, Other: 0 }]);
    expect(numbers).toEqual({
      total: 4,
      byStatus: { Running: 3, Stopped: 1, Starting: 0, Stopping: 0, Rebooting: 0, Unknown: 0 },
      expired: 1,
      expiringSoon: 1,
      expiringMonth: 2,
      provider: { expired: 1, expiring7: 1, expiring30: 2 },
      assigned: { expired: 0, expiring7: 0, expiring30: 1 },
      unassigned: 3,
      gone: 1,
    });
    const listed = await app.root.get("/api/hosts?expired=true");
    expect(listed.data.hosts.map(({ id }: { id: string }) => id)).toEqual([past]);
  });

  it("counts a prepaid host without a provider expiry as not expired", async () => {
    const endless = await insertHost(app, { expire_time: null });
    const past = await insertHost(app, { expire_time: now() - DAY });
    const ids = async (query: string) =>
      (await app.root.get(`/api/hosts?${query}`)).data.hosts.map(({ id }: { id: string }) => id);
    expect(await ids("expired=false")).toEqual([endless]);
    expect(await ids("expired=true")).toEqual([past]);
  });

  it("counts the own assignments for a client and the own clients' assignments for an admin", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const second = await app.account("client", { adminId: admin.id });
    const other = await app.account("client");
    const shared = await insertHost(app, { expire_time: now() - DAY });
    await insertHost(app);
    await assign(app, shared, client.id, { to: 5 * DAY });
    await assign(app, shared, second.id, { to: 20 * DAY });
    await assign(app, shared, other.id, { to: 20 * DAY });
    const wanted = { total: 1, expired: 0, expiringSoon: 1, expiringMonth: 1, unassigned: null, gone: null };
    expect((await client.get("/api/hosts/summary")).data).toMatchObject(wanted);
    expect((await admin.get("/api/hosts/summary")).data).toMatchObject(wanted);
    expect((await other.get("/api/hosts/summary")).data).toMatchObject({ total: 1, expiringSoon: 0, expiringMonth: 1 });
  });

  it("counts assignment ends in the caller's scope, each host once", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const second = await app.account("client", { adminId: admin.id });
    const other = await app.account("client");
    const shared = await insertHost(app);
    const later = await insertHost(app, { name: "later" });
    await assign(app, shared, client.id, { from: -9 * DAY, to: -DAY });
    await assign(app, shared, second.id, { to: 3 * DAY });
    await assign(app, shared, other.id, { to: 4 * DAY });
    await assign(app, later, client.id, { from: DAY, to: 20 * DAY });
    const both = { expired: 1, expiring7: 1, expiring30: 2 };
    const counts = async (account: RestClient) => (await account.get("/api/hosts/summary")).data.assigned;
    expect([await counts(app.root), await counts(admin)]).toEqual([both, both]);
    expect(await counts(client)).toEqual({ expired: 1, expiring7: 0, expiring30: 0 });
    expect(await counts(other)).toEqual({ expired: 0, expiring7: 1, expiring30: 1 });
    for (const account of [app.root, admin, client, second, other]) {
      const { expired, expiring7, expiring30 } = await counts(account);
      const totals = [];
      for (const filter of ["assignedExpired=true", "assignedExpiring=7", "assignedExpiring=30"]) {
        totals.push((await account.get(`/api/hosts?${filter}`)).data.pagination.total);
      }
      expect(totals).toEqual([expired, expiring7, expiring30]);
    }
  });

  it("counts provider expiry for an admin and never for a client", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const host = await insertHost(app, { expire_time: now() + 3 * DAY });
    const hourly = await insertHost(app, { expire_time: now() + 3 * DAY, charge_type: "Dynamic" });
    for (const id of [host, hourly]) await assign(app, id, client.id, { to: 20 * DAY });
    const counts = async (account: RestClient) => (await account.get("/api/hosts/summary")).data;
    expect((await counts(admin)).provider).toEqual({ expired: 0, expiring7: 1, expiring30: 1 });
    const ofClient = await counts(client);
    expect(ofClient.provider).toEqual({ expired: 0, expiring7: 0, expiring30: 2 });
    await app.database.query("update hosts set expire_time = $1", [now() - DAY]);
    expect(await counts(client)).toEqual(ofClient);
    expect((await counts(admin)).provider).toEqual({ expired: 1, expiring7: 0, expiring30: 0 });
  });
});
