import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, now } from "./host-rows.ts";

describe("the numbers of hosts", () => {
  const app = useApp();

  it("are the provider's ends for the super admin, of what is prepaid and present", async () => {
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
      unassigned: 3,
      gone: 1,
    });
    const listed = await app.root.get("/api/hosts?expired=true");
    expect(listed.data.hosts.map(({ id }: { id: string }) => id)).toEqual([past]);
  });

  it("leave none out: a prepaid host whose end the provider does not tell has not expired", async () => {
    const endless = await insertHost(app, { expire_time: null });
    const past = await insertHost(app, { expire_time: now() - DAY });
    const ids = async (query: string) =>
      (await app.root.get(`/api/hosts?${query}`)).data.hosts.map(({ id }: { id: string }) => id);
    expect(await ids("expired=false")).toEqual([endless]);
    expect(await ids("expired=true")).toEqual([past]);
  });

  it("are of the own assignments for a client, and of the own clients' for an admin", async () => {
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
});
