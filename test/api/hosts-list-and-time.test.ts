import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { DAY, idsOf, insertHost } from "../harness/data.ts";
import { START, stillClock } from "../harness/fixed-clock.ts";

const clock = stillClock();
const app = useApp({ overrides: { clock } });

describe("repeating a host list after time has passed without a write", () => {
  it("includes a host whose assignment has started since", async () => {
    clock.rewind();
    const client = await app.account("client");
    const hostId = await insertHost(app);
    const period = { assignedAt: START + 30, assignedExpireTime: START + 30 * DAY };
    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
    for (const _ of [1, 2]) expect(idsOf(await client.get("/api/hosts"))).toEqual([]);
    clock.forward(30);
    expect(idsOf(await client.get("/api/hosts"))).toEqual([hostId]);
  });

  it.each([
    ["expired=true", true],
    ["expired=false", false],
    ["expiring=7", false],
  ])("reflects the passed time with %s", async (query, isThen) => {
    clock.rewind();
    const hostId = await insertHost(app, { expire_time: START + 29 });
    const inList = async () => idsOf(await app.root.get(`/api/hosts?${query}`)).includes(hostId);
    for (const _ of [1, 2]) expect(await inList()).toBe(!isThen);
    clock.forward(30);
    expect(await inList()).toBe(isThen);
  });

  it.each([
    ["assignedExpired=true", [false, false, true]],
    ["assignedExpired=false", [true, true, false]],
    ["assignedExpiring=1", [false, true, false]],
  ])("with %s, reflects an assignment that ended since", async (query, expected) => {
    clock.rewind();
    const client = await app.account("client");
    const hostId = await insertHost(app);
    const period = { assignedAt: START, assignedExpireTime: START + DAY + 30 };
    await app.root.post("/api/hosts/assign", { hostId, userId: client.id, ...period });
    const found = async () => idsOf(await client.get(`/api/hosts?${query}`)).includes(hostId);
    const over = [await found()];
    // Exactly one day before the end, and one second after it.
    clock.forward(30);
    over.push(await found());
    clock.forward(DAY + 1);
    await app.database.query("update sessions set last_used_at = $1, expires_at = $2", [START + DAY, START + 9 * DAY]);
    over.push(await found());
    expect(over).toEqual(expected);
  });
});
