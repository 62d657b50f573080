import { describe, expect, it } from "vitest";
import { HostSummary } from "../../src/shared/host-summary.ts";
import { useApp } from "../harness/app.ts";
import { assign, DAY, insertHost, now, twoAdmins } from "../harness/data.ts";
import { fixedClock } from "../harness/fixed-clock.ts";
import type { RestClient } from "../harness/rest.ts";

/** One second before the end of 2026 in China. */
const NEW_YEAR = Date.parse("2027-01-01T00:00:00+08:00") / 1000;
const at = (time: string) => Date.parse(time) / 1000;
const summary = async (client: RestClient) => HostSummary.parse((await client.get("/api/hosts/summary")).data);

describe("the host summary", () => {
  const app = useApp();

  it("counts present hosts by status and region, and the provider's expiry of prepaid ones, for the super admin", async () => {
    const client = await app.account("client");
    const soon = await insertHost(app, { expire_time: now() + 3 * DAY });
    await insertHost(app, { expire_time: now() + 20 * DAY, status: "Stopped", region: "hk" });
    await insertHost(app, { expire_time: now() - DAY, region: "hk" });
    await insertHost(app, { expire_time: now() - DAY, charge_type: "Dynamic", status: "Unknown", region: "hk" });
    await insertHost(app, { expire_time: now() - DAY, gone_at: now(), region: "us-ca" });
    await assign(app, soon, client.id);
    await app.database.query("update hosts set missing_since = 1 where id = $1", [soon]);
    const { expiriesByMonth, ...numbers } = await summary(app.root);
    expect(expiriesByMonth).toHaveLength(12);
    expect(numbers).toEqual({
      total: 4,
      byStatus: { Running: 2, Stopped: 1, Starting: 0, Stopping: 0, Rebooting: 0, Unknown: 1 },
      regions: [
        { region: "hk", Running: 1, Stopped: 1, Other: 1 },
        { region: "cn-bj2", Running: 1, Stopped: 0, Other: 0 },
      ],
      expired: 1,
      expiringSoon: 1,
      expiringMonth: 2,
      provider: { expired: 1, expiring7: 1, expiring30: 2 },
      assigned: { expired: 0, expiring7: 0, expiring30: 1 },
      unassigned: 3,
      gone: 1,
      held: 1,
    });
  });

  it("counts hosts and assignment ends in the caller's scope, each host once", async () => {
    const { admin, client, otherClient: other } = await twoAdmins(app);
    const second = await app.account("client", { adminId: admin.id });
    const shared = await insertHost(app, { region: "hk", expire_time: now() - DAY });
    const later = await insertHost(app, { name: "later" });
    await assign(app, shared, client.id, { from: -9 * DAY, to: -DAY });
    await assign(app, shared, second.id, { to: 3 * DAY });
    await assign(app, shared, other.id, { to: 4 * DAY });
    await assign(app, later, client.id, { from: DAY, to: 20 * DAY });
    const both = { expired: 1, expiring7: 1, expiring30: 2 };
    for (const account of [app.root, admin]) expect((await summary(account)).assigned).toEqual(both);
    const hidden = { unassigned: null, gone: null, held: null };
    expect(await summary(client)).toMatchObject({
      ...hidden,
      total: 1,
      regions: [{ region: "hk", Running: 1 }],
      assigned: { expired: 1, expiring7: 0, expiring30: 0 },
    });
    expect(await summary(other)).toMatchObject({
      ...hidden,
      total: 1,
      assigned: { expired: 0, expiring7: 1, expiring30: 1 },
    });
    for (const account of [app.root, admin, client, second, other]) {
      const { expired, expiring7, expiring30 } = (await summary(account)).assigned;
      const totals = [];
      for (const filter of ["assignedExpired=true", "assignedExpiring=7", "assignedExpiring=30"]) {
        totals.push((await account.get(`/api/hosts?${filter}`)).data.pagination.total);
      }
      expect(totals).toEqual([expired, expiring7, expiring30]);
    }
  });

  it("counts the provider's expiry for an admin and never for a client", async () => {
    const { admin, client } = await twoAdmins(app);
    const host = await insertHost(app, { expire_time: now() + 3 * DAY });
    const hourly = await insertHost(app, { expire_time: now() + 3 * DAY, charge_type: "Dynamic" });
    for (const id of [host, hourly]) await assign(app, id, client.id, { to: 20 * DAY });
    expect((await summary(admin)).provider).toEqual({ expired: 0, expiring7: 1, expiring30: 1 });
    const ofClient = await summary(client);
    expect(ofClient.provider).toEqual({ expired: 0, expiring7: 0, expiring30: 2 });
    await app.database.query("update hosts set expire_time = $1", [now() - DAY]);
    expect(await summary(client)).toEqual(ofClient);
    expect((await summary(admin)).provider).toEqual({ expired: 1, expiring7: 0, expiring30: 0 });
  });
});

describe("the expiries by month", () => {
  const clock = fixedClock(NEW_YEAR - 1);
  const app = useApp({ overrides: { clock }, config: { session: { ttl: 9e9, idle: 9e9 } } });
  const months = async (client: RestClient) => (await summary(client)).expiriesByMonth;

  it("cover twelve months of China's calendar from the current one, and count what has not expired", async () => {
    await insertHost(app, { expire_time: NEW_YEAR - 2 });
    await insertHost(app, { expire_time: NEW_YEAR - 1 });
    await insertHost(app, { expire_time: NEW_YEAR });
    await insertHost(app, { expire_time: at("2027-01-31T23:59:59+08:00") });
    await insertHost(app, { expire_time: at("2027-11-30T23:59:59+08:00") });
    await insertHost(app, { expire_time: at("2027-12-01T00:00:00+08:00") });
    await insertHost(app, { expire_time: at("2027-05-05T00:00:00Z"), charge_type: "Dynamic" });
    await insertHost(app, { expire_time: at("2027-05-05T00:00:00Z"), gone_at: clock.now() });
    await insertHost(app, { expire_time: null });
    const listed = await months(app.root);
    const numbers = Array.from({ length: 11 }, (_, index) => `2027-${String(index + 1).padStart(2, "0")}`);
    expect(listed.map(({ month }) => month)).toEqual(["2026-12", ...numbers]);
    expect(listed.map(({ count }) => count)).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    clock.forward(1);
    expect((await months(app.root))[0]).toEqual({ month: "2027-01", count: 2 });
  });

  it("count a client's hosts by the end of its own assignment", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app, { expire_time: at("2027-03-03T00:00:00Z") });
    const assignedExpireTime = at("2027-05-05T00:00:00Z");
    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, assignedExpireTime });
    const counted = (await months(client)).filter(({ count }) => count > 0);
    expect(counted).toEqual([{ month: "2027-05", count: 1 }]);
  });
});
