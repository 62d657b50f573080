import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/server/core/clock.ts";
import { HostSummary } from "../../src/shared/host-summary.ts";
import { useApp } from "../harness/app.ts";
import { assign, DAY, insertHost } from "../harness/data.ts";
import type { RestClient } from "../harness/rest.ts";

/** One second before the end of 2026 in China. */
const NEW_YEAR = Date.parse("2027-01-01T00:00:00+08:00") / 1000;
const at = (time: string) => Date.parse(time) / 1000;

describe("the monthly expiry chart", () => {
  let present = NEW_YEAR - 1;
  const app = useApp({
    overrides: { clock: { ...systemClock, now: () => present } },
    config: { session: { ttl: 9e9, idle: 9e9 } },
  });
  const months = async (client: RestClient) =>
    HostSummary.parse((await client.get("/api/hosts/summary")).data).expiriesByMonth;

  it("returns twelve months from the current one in China, including months without hosts", async () => {
    present = NEW_YEAR - 1;
    await insertHost(app, { expire_time: NEW_YEAR - 2 });
    await insertHost(app, { expire_time: NEW_YEAR - 1 });
    await insertHost(app, { expire_time: NEW_YEAR });
    await insertHost(app, { expire_time: at("2027-01-31T23:59:59+08:00") });
    await insertHost(app, { expire_time: at("2027-11-30T23:59:59+08:00") });
    await insertHost(app, { expire_time: at("2027-12-01T00:00:00+08:00") });
    await insertHost(app, { expire_time: at("2027-05-05T00:00:00Z"), charge_type: "Dynamic" });
    await insertHost(app, { expire_time: at("2027-05-05T00:00:00Z"), gone_at: present });
    await insertHost(app, { expire_time: null });
    const listed = await months(app.root);
    expect(listed.map(({ month }) => month)).toEqual([
      "2026-12",
      ...["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11"].map((month) => `2027-${month}`),
    ]);
    expect(listed.map(({ count }) => count)).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    present = NEW_YEAR;
    expect((await months(app.root))[0]).toEqual({ month: "2027-01", count: 2 });
  });

  it("returns empty months when there are no hosts", async () => {
    expect(await months(app.root)).toHaveLength(12);
    expect((await months(app.root)).every(({ count }) => count === 0)).toBe(true);
  });
});

describe("the scope of the charts", () => {
  const app = useApp();
  const summary = async (client: RestClient) => HostSummary.parse((await client.get("/api/hosts/summary")).data);
  const ending = async (client: RestClient) =>
    (await summary(client)).expiriesByMonth.reduce((sum, { count }) => sum + count, 0);

  it("counts the own clients' hosts by assignment end for an admin and the own hosts for a client", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const stranger = await app.account("client");
    const shared = await insertHost(app, { region: "hk", status: "Starting", expire_time: 1 });
    const foreign = await insertHost(app, { region: "sg" });
    await assign(app, shared, client.id, { to: 40 * DAY });
    await assign(app, shared, stranger.id, { to: 80 * DAY });
    await assign(app, foreign, stranger.id, { to: 80 * DAY });
    for (const who of [admin, client]) {
      expect((await summary(who)).regions).toEqual([{ region: "hk", Running: 0, Stopped: 0, Other: 1 }]);
      expect(await ending(who)).toBe(1);
    }
    expect(await ending(stranger)).toBe(2);
    expect(await ending(await app.account("admin"))).toBe(0);
  });

  it("lists every region with present hosts for the super admin, most hosts first", async () => {
    for (const status of ["Running", "Stopped", "Stopped", "Unknown"]) await insertHost(app, { region: "hk", status });
    await insertHost(app, { region: "cn-sh2" });
    await insertHost(app, { region: "cn-bj2" });
    await insertHost(app, { region: "us-ca", gone_at: 1_780_000_000 });
    expect((await summary(app.root)).regions).toEqual([
      { region: "hk", Running: 1, Stopped: 2, Other: 1 },
      { region: "cn-bj2", Running: 1, Stopped: 0, Other: 0 },
      { region: "cn-sh2", Running: 1, Stopped: 0, Other: 0 },
    ]);
  });
});
