import { expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { assign, failureOf, insertHost, insertHosts, MISSING, now } from "../harness/data.ts";

const app = useApp();

async function batch(body: object) {
  return (await app.root.post("/api/hosts/batch", body)).data.results;
}

const assignedExpireTime = () => now() + 30 * DAY_SECONDS;

it("a batch assigns and unassigns each host on its own, to active clients only", async () => {
  const client = await app.account("client");
  const [one = "", other = ""] = await insertHosts(app, [{}, {}]);
  const hostIds = [one, MISSING, other];
  const assigning = { operation: "assign", hostIds, userId: client.id, assignedExpireTime: assignedExpireTime() };
  expect(await batch(assigning)).toMatchObject([{ ok: true }, { ok: false, code: "NOT_FOUND" }, { ok: true }]);
  expect((await client.get("/api/hosts")).data.pagination.total).toBe(2);
  const { id: userId } = await app.account("admin");
  expect(await batch({ ...assigning, hostIds: [one], userId })).toMatchObject([{ ok: false, code: "INVALID_INPUT" }]);
  const unassigned = await batch({ operation: "unassign", hostIds, userId: client.id });
  expect(unassigned).toMatchObject([{ ok: true }, { ok: false }, { ok: true }]);
  expect((await client.get("/api/hosts")).data.pagination.total).toBe(0);
});

it("a batch unassigns every client of a host when no user is named", async () => {
  const hostId = await insertHost(app);
  for (const role of ["client", "client"] as const) await assign(app, hostId, (await app.account(role)).id);
  const unassigning = { operation: "unassign", hostIds: [hostId] };
  expect(await batch(unassigning)).toEqual([{ hostId, ok: true }]);
  expect((await app.root.get(`/api/hosts/${hostId}`)).data.users).toEqual([]);
  expect(await batch(unassigning)).toMatchObject([{ ok: false, code: "NOT_FOUND" }]);
});

it("a batch refuses malformed operations, and hosts that are none, doubled or more than 100", async () => {
  const many = Array.from({ length: 101 }, (_, i) => `0198a000-0000-7000-8000-${String(i).padStart(12, "0")}`);
  const hostIds = [MISSING];
  for (const body of [
    { operation: "delete", hostIds },
    { hostIds },
    ...[[], ["x"], [MISSING, MISSING], many].map((each) => ({ operation: "sync", hostIds: each })),
    { operation: "sync", hostIds, userId: MISSING },
    { operation: "assign", hostIds, assignedExpireTime: assignedExpireTime() },
    { operation: "assign", hostIds, assignedExpireTime: now() + 367 * DAY_SECONDS, userId: MISSING },
  ]) {
    const answer = await app.root.post("/api/hosts/batch", body);
    expect(failureOf(answer), JSON.stringify(body)).toEqual([400, "INVALID_INPUT"]);
  }
});
