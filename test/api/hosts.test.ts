import { beforeEach, describe, expect, it } from "vitest";
import { HostSummary } from "../../src/shared/host-summary.ts";
import { localDate } from "../../src/shared/shanghai.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp, useTeam } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import {
  assign,
  idsOf,
  insertHost,
  insertHosts,
  now,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import type { RestClient } from "../harness/rest.ts";

/** At the present: the database's defaults for times use its own clock. */
const clock = fixedClock(now());
const app = useApp({ overrides: { clock }, config: { session: { ttl: 9e9, idle: 9e9 } } });
beforeEach(clock.rewind);
const team = useTeam(app);

it("an assignment that starts later is visible to the admin now, to the client then", async () => {
  const hostId = await insertHost(app);
  const period = {
    assignedAt: clock.now() + 30,
    assignedExpireTime: clock.now() + 30 * DAY_SECONDS,
  };
  await app.root.post("/api/hosts/assign", { hostId, userId: team.client.id, ...period });
  expect(idsOf(await team.admin.get("/api/hosts"))).toEqual([hostId]);
  clock.forward(29);
  const history = async () =>
    (await team.client.get(`/api/users/${team.client.id}/assignments`)).data.pagination.total;
  expect([await history(), idsOf(await team.client.get("/api/hosts"))]).toEqual([0, []]);
  expect((await team.client.get(`/api/hosts/${hostId}`)).status).toBe(404);
  clock.forward(1);
  expect([await history(), idsOf(await team.client.get("/api/hosts"))]).toEqual([1, [hostId]]);
  clock.forward(60 * DAY_SECONDS);
  expect((await team.client.get(`/api/hosts/${hostId}`)).data.expireTime).toBe(
    period.assignedExpireTime,
  );
});

it("a host billed by time has no end, though a replica of an earlier version stores one", async () => {
  const hostId = await insertHost(app, { charge_type: "Dynamic", expire_time: now() + 1_800 });
  await assign(app, hostId, team.client.id);
  const requestId = await requestRenewal(team.client, hostId);
  const endOfHost = async (account: RestClient) =>
    (await account.get(`/api/hosts/${hostId}`)).data.expireTime;
  const endOfRequest = async (account: RestClient) =>
    (await account.get(`/api/renewals/${requestId}`)).data.host.expireTime;

  const ofHost = [await endOfHost(app.root), await endOfHost(team.admin)];
  const ofRequest = [await endOfRequest(app.root), await endOfRequest(team.admin)];
  await unassign(app, hostId, team.client.id);
  const afterwards = [await endOfRequest(app.root), await endOfRequest(team.admin)];

  expect([ofHost, ofRequest, afterwards]).toEqual(Array(3).fill([null, null]));
});

describe("visible fields of a host", () => {
  let hostId: string;

  beforeEach(async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    hostId = await insertHost(app);
    for (const { id } of [team.client, team.otherClient]) await assign(app, hostId, id);
  });

  it("a super admin sees every field, and when a host was last confirmed", async () => {
    const { data } = await app.root.get(`/api/hosts/${hostId}`);
    expect(data).toMatchObject({
      createTime: 1_700_000_000,
      expireTime: 1_900_000_000,
      providerStatus: "Running",
    });
    expect(data).toMatchObject({
      zoneName: "华北（北京2）可用区E",
      memory: 8192,
      disk: 120,
      syncedAt: 1_780_000_000,
    });
    expect(data.ipSet).toHaveLength(2);
    expect(data.users).toMatchObject([{ id: team.client.id }, { id: team.otherClient.id }]);
    const configId = await app.config();
    await app.database.query("update hosts set config_id = $1", [configId]);
    const partition = {
      config_id: configId,
      project_id: "org-1",
      region: "cn-bj2",
      read_at: 1_785_000_000,
    };
    await insertRows(app.database, "sync_partitions", [partition]);
    expect((await app.root.get(`/api/hosts/${hostId}`)).data).toMatchObject({
      syncedAt: 1_785_000_000,
      configId,
    });
  });

  it("a client sees its own assignment's dates and never the provider's", async () => {
    const { client } = team;
    const period = await assign(app, hostId, client.id);
    const own = { createTime: period.assignedAt, expireTime: period.assignedExpireTime };
    const users = [{ id: client.id, ...period }];
    const listed = (await client.get("/api/hosts")).data.hosts[0];
    for (const data of [(await client.get(`/api/hosts/${hostId}`)).data, listed]) {
      expect(data).toMatchObject({ ...own, users, providerStatus: null, configId: null });
    }
  });

  it("a client sees network fields only while allowed and the assignment is current", async () => {
    const network = async () => [
      (await team.client.get(`/api/hosts/${hostId}`)).data.ipSet.length,
      (await team.client.get("/api/hosts")).data.hosts[0].ipSet.length,
    ];
    expect(await network()).toEqual([2, 2]);
    await assign(app, hostId, team.client.id, { from: -10 * DAY_SECONDS, to: -2 * DAY_SECONDS });
    expect(await network()).toEqual([0, 0]);
    await app.database.query("update assignments set assigned_expire_time = $1", [clock.now()]);
    expect(await network()).toEqual([2, 2]);
    clock.forward(1);
    expect(await network()).toEqual([0, 0]);
    await assign(app, hostId, team.client.id);
    await app.root.put("/api/system-config", { show_network_info_to_client: false });
    expect(await network()).toEqual([0, 0]);
    expect((await team.admin.get(`/api/hosts/${hostId}`)).data.ipSet).toHaveLength(2);
  });
});

describe("the host summary", () => {
  const summary = async (client: RestClient) =>
    HostSummary.parse((await client.get("/api/hosts/summary")).data);

  it("counts present hosts by status and region, and the expiry of prepaid ones", async () => {
    const [soon = ""] = await insertHosts(app, [
      { expire_time: now() + 3 * DAY_SECONDS },
      { expire_time: now() + 20 * DAY_SECONDS, status: "Stopped", region: "hk" },
      { expire_time: now() - DAY_SECONDS, region: "hk" },
      { expire_time: now() - DAY_SECONDS, charge_type: "Dynamic", status: "Unknown", region: "hk" },
      { expire_time: now() - DAY_SECONDS, gone_at: now(), region: "us-ca" },
    ]);
    await assign(app, soon, team.client.id);
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
      provider: { expired: 1, expiring7: 1, expiring30: 2, renewing7: 0, renewing30: 0 },
      assigned: { expired: 0, expiring7: 0, expiring30: 1 },
      providerEndsFirst: 1,
      unassigned: 3,
      gone: 1,
      held: 1,
    });
  });

  it("counts hosts and assignment ends in the caller's scope, as the list filters", async () => {
    const { admin, client, otherClient: other } = team;
    const second = await app.account("client", { adminId: admin.id });
    const [shared = "", later = ""] = await insertHosts(app, [{ region: "hk" }, { name: "later" }]);
    await assign(app, shared, client.id, { from: -9 * DAY_SECONDS, to: -DAY_SECONDS });
    await assign(app, shared, second.id, { to: 3 * DAY_SECONDS });
    await assign(app, shared, other.id, { to: 4 * DAY_SECONDS });
    await assign(app, later, client.id, { from: DAY_SECONDS, to: 20 * DAY_SECONDS });
    const hidden = { unassigned: null, gone: null, held: null };
    for (const [account, expected] of [
      [app.root, { total: 2, assigned: { expired: 1, expiring7: 1, expiring30: 2 } }],
      [admin, { total: 2, assigned: { expired: 1, expiring7: 1, expiring30: 2 } }],
      [client, { ...hidden, total: 1, assigned: { expired: 1, expiring7: 0, expiring30: 0 } }],
      [second, { ...hidden, total: 1, assigned: { expired: 0, expiring7: 1, expiring30: 1 } }],
      [other, { ...hidden, total: 1, assigned: { expired: 0, expiring7: 1, expiring30: 1 } }],
    ] as const) {
      expect(await summary(account)).toMatchObject(expected);
      const total = async (filter: string) =>
        (await account.get(`/api/hosts?assigned${filter}`)).data.pagination.total;
      const totals = [
        await total("Expired=true"),
        await total("Expiring=7"),
        await total("Expiring=30"),
      ];
      const { expired, expiring7, expiring30 } = expected.assigned;
      expect(totals).toEqual([expired, expiring7, expiring30]);
    }
  });

  it("counts the provider's expiry for an admin and never for a client", async () => {
    const { admin, client } = team;
    const expire_time = now() + 3 * DAY_SECONDS;
    for (const id of await insertHosts(app, [
      { expire_time },
      { expire_time, charge_type: "Dynamic" },
    ])) {
      await assign(app, id, client.id, { to: 20 * DAY_SECONDS });
    }
    const renewing = { renewing7: 0, renewing30: 0 };
    expect((await summary(admin)).provider).toEqual({
      ...renewing,
      ...{ expired: 0, expiring7: 1, expiring30: 1 },
    });
    const ofClient = await summary(client);
    expect(ofClient.provider).toEqual({
      ...renewing,
      ...{ expired: 0, expiring7: 0, expiring30: 2 },
    });
    for (const account of [admin, client])
      expect(await summary(account)).toMatchObject({ expiringSoon: 0, expiringMonth: 2 });
    await app.database.query("update hosts set expire_time = $1", [now() - DAY_SECONDS]);
    expect(await summary(client)).toEqual(ofClient);
    expect((await summary(admin)).provider).toEqual({
      ...renewing,
      ...{ expired: 1, expiring7: 0, expiring30: 0 },
    });
  });

  it("counts hosts that renew themselves apart, and those past their end with the others", async () => {
    const { admin, client } = team;
    const [week, month, past] = [3, 20, -1].map((days) => now() + days * DAY_SECONDS);
    const columns = [week, month, past].flatMap((expire_time) =>
      [true, false, null].map((auto_renew) => ({ expire_time, auto_renew })),
    );
    const byTime = { expire_time: week, auto_renew: true, charge_type: "Dynamic" };
    for (const id of await insertHosts(app, [...columns, byTime])) {
      await assign(app, id, client.id, { to: 60 * DAY_SECONDS });
    }

    for (const account of [app.root, admin]) {
      const { provider, providerEndsFirst } = await summary(account);

      expect(provider).toEqual({
        ...{ expired: 3, expiring7: 2, expiring30: 4 },
        ...{ renewing7: 1, renewing30: 2 },
      });
      expect(providerEndsFirst).toBe(6);
    }
    expect(await summary(app.root)).toMatchObject({ expiringSoon: 3, expiringMonth: 6 });
    const ofClient = await summary(client);
    expect(ofClient.provider).toMatchObject({ renewing7: 0, renewing30: 0 });
  });

  it("counts expiries for twelve months of China's calendar, from the current one", async () => {
    const at = (time: string) => Date.parse(time) / 1000;
    // The next new year, so that the clock is never set back.
    const year = Number(localDate(clock.now()).slice(0, 4)) + 1;
    const newYear = at(`${year}-01-01T00:00:00+08:00`);
    const inMay = at(`${year}-05-05T00:00:00Z`);
    clock.forward(newYear - 1 - clock.now());
    const assigned = await insertHost(app, { expire_time: newYear - 2 });
    await insertHosts(app, [
      { expire_time: newYear - 1 },
      { expire_time: newYear },
      { expire_time: at(`${year}-01-31T23:59:59+08:00`) },
      { expire_time: at(`${year}-11-30T23:59:59+08:00`) },
      { expire_time: at(`${year}-12-01T00:00:00+08:00`) },
      { expire_time: inMay, charge_type: "Dynamic" },
      { expire_time: inMay, gone_at: clock.now() },
      { expire_time: null },
    ]);
    const period = { assignedAt: newYear - 1, assignedExpireTime: inMay };
    await app.root.post("/api/hosts/assign", {
      hostId: assigned,
      userId: team.client.id,
      ...period,
    });
    const months = async (client: RestClient) => (await summary(client)).expiriesByMonth;
    const listed = await months(app.root);
    const numbers = Array.from(
      { length: 11 },
      (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`,
    );
    expect(listed.map(({ month }) => month)).toEqual([`${year - 1}-12`, ...numbers]);
    expect(listed.map(({ count }) => count)).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    await app.database.query("update hosts set gone_at = $2 where id = $1", [
      assigned,
      clock.now(),
    ]);
    for (const account of [team.admin, team.client]) {
      expect((await months(account)).filter(({ count }) => count > 0)).toEqual([
        { month: `${year}-05`, count: 1 },
      ]);
    }
    clock.forward(1);
    expect((await months(app.root))[0]).toEqual({ month: `${year}-01`, count: 2 });
  });
});
