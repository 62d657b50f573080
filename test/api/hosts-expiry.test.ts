import { describe, expect, it } from "vitest";
import { DAY_SECONDS as DAY, type ExpiryState, expiryState } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { idsOf, insertHost } from "../harness/data.ts";
import { fixedClock, START } from "../harness/fixed-clock.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 1e9, idle: 1e9 } } });
/** Seconds from now around every limit of the rule. */
const AHEAD = [-DAY, -1, 0, 1, DAY, 7 * DAY - 1, 7 * DAY, 7 * DAY + 1, 30 * DAY] as const;

async function namesIn(account: Account, query: string): Promise<number[]> {
  const { data } = await account.get(`/api/hosts?limit=100&${query}`);
  const names = data.hosts.map(({ name }: { readonly name: string }) => Number(name));
  return names.sort((one: number, other: number) => one - other);
}

describe("filters and counts by expiry", () => {
  it("follow the rule to the second for the provider's dates and for the ends of assignments", async () => {
    clock.rewind();
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    for (const ahead of AHEAD) {
      const hostId = await insertHost(app, { name: String(ahead), expire_time: START + ahead });
      const period = { assignedAt: START + ahead - 60 * DAY, assignedExpireTime: START + ahead };
      await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
    }
    await insertHost(app, { name: "100", expire_time: START - DAY, charge_type: "Dynamic" });
    await insertHost(app, { name: "200", expire_time: null });
    const inState = (state: ExpiryState) => AHEAD.filter((ahead) => expiryState(START + ahead, START) === state);
    const notExpired = AHEAD.filter((ahead) => ahead >= 0);
    expect(await namesIn(app.root, "expired=true")).toEqual(inState("expired"));
    expect(await namesIn(app.root, "expired=false")).toEqual([...notExpired, 100, 200].sort((a, b) => a - b));
    expect(await namesIn(app.root, "expiring=7")).toEqual(inState("expiring"));
    for (const account of [admin, client]) {
      expect(await namesIn(account, "assignedExpired=true")).toEqual(inState("expired"));
      expect(await namesIn(account, "assignedExpired=false")).toEqual(notExpired);
      expect(await namesIn(account, "assignedExpiring=7")).toEqual(inState("expiring"));
    }
    const counts = { expired: inState("expired").length, expiringSoon: inState("expiring").length };
    for (const account of [app.root, client]) {
      expect((await account.get("/api/hosts/summary")).data).toMatchObject(counts);
    }
    expect((await client.get("/api/hosts/summary")).data.total).toBe(AHEAD.length);
  });

  it("a client sees a host from the second in which its assignment begins", async () => {
    clock.rewind();
    const client = await app.account("client");
    const hostId = await insertHost(app);
    const period = { assignedAt: START + 30, assignedExpireTime: START + 30 * DAY };
    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
    clock.forward(29);
    expect(idsOf(await client.get("/api/hosts"))).toEqual([]);
    clock.forward(1);
    expect(idsOf(await client.get("/api/hosts"))).toEqual([hostId]);
  });

  it("a client's filter by assignment end ignores the assignments of other clients of the same host", async () => {
    clock.rewind();
    const [client, other] = [await app.account("client"), await app.account("client")];
    const hostId = await insertHost(app);
    for (const [{ id }, days] of [
      [client, 20],
      [other, 2],
    ] as const) {
      await app.root.post("/api/hosts/assign", { hostId, userId: id, assignedExpireTime: START + days * DAY });
    }
    expect(idsOf(await client.get("/api/hosts?assignedExpiring=7"))).toEqual([]);
    expect(idsOf(await app.root.get("/api/hosts?assignedExpiring=7"))).toEqual([hostId]);
    for (const query of ["assignedExpiring=0", "assignedExpiring=366", "assignedExpiring=1.5", "assignedExpired=1"]) {
      expect((await client.get(`/api/hosts?${query}`)).status, query).toBe(400);
    }
  });
});
