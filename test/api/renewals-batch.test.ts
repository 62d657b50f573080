import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, DAY, expiryOf, insertHosts, MISSING, now, requestRenewal } from "../harness/data.ts";

const app = useApp();

async function clientWithHosts(ends: readonly number[]) {
  const client = await app.account("client");
  const hosts = await insertHosts(
    app,
    ends.map((_, index) => ({ name: `h${index}` })),
  );
  for (const [index, to] of ends.entries()) await assign(app, hosts[index] ?? "", client.id, { from: -40 * DAY, to });
  return { client, hosts };
}

describe("requesting more time for several hosts", () => {
  it("requests the same days for each, and reports the ones that fail", async () => {
    const { client, hosts } = await clientWithHosts([5 * DAY, 9 * DAY]);
    await requestRenewal(client, hosts[1] ?? "");
    const other = await clientWithHosts([5 * DAY]);
    const hostIds = [hosts[0], hosts[1], other.hosts[0], MISSING];
    const { status, data } = await client.post("/api/renewals/batch", { hostIds, requestedDuration: 60, remark: "续" });
    expect([status, data.results]).toEqual([
      200,
      [
        { hostId: hosts[0], ok: true, id: expect.any(String) },
        { hostId: hosts[1], ok: false, code: "CONFLICT", message: expect.any(String) },
        ...[other.hosts[0], MISSING].map((hostId) => ({
          hostId,
          ok: false,
          code: "NOT_FOUND",
          message: expect.any(String),
        })),
      ],
    ]);
    const created = (await client.get(`/api/renewals/${data.results[0].id}`)).data;
    expect(created).toMatchObject({ requestedDuration: 60, status: "pending", remark: "续" });
  });

  it("lets all hosts end on one day, from the later of now and the present end", async () => {
    const { client, hosts } = await clientWithHosts([-3 * DAY, 5 * DAY, 20 * DAY + 3600, 90 * DAY]);
    const untilDate = now() + 60 * DAY;
    const { data } = await client.post("/api/renewals/batch", { hostIds: hosts, untilDate });
    expect(data.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok)).toEqual([
      true,
      true,
      true,
      "INVALID_INPUT",
    ]);
    const ids = data.results.flatMap(({ id }: { id?: string }) => (id === undefined ? [] : [id]));
    const done = await app.root.put("/api/renewals/batch", { ids, status: "completed" });
    expect(done.data.results).toEqual(ids.map((id: string) => ({ id, ok: true })));
    for (const host of hosts.slice(0, 3)) {
      const end = await expiryOf(app, host, client);
      expect(untilDate + 60 - end).toBeGreaterThanOrEqual(0);
      expect(untilDate - end).toBeLessThan(DAY);
    }
    const tooFar = await client.post("/api/renewals/batch", { hostIds: [hosts[0]], untilDate: now() + 500 * DAY });
    expect(tooFar.data.results).toMatchObject([{ ok: false, code: "INVALID_INPUT" }]);
  });

  it.each([
    ["neither days nor a day", {}],
    ["both", { requestedDuration: 30, untilDate: 1_900_000_000 }],
    ["no host", { hostIds: [], requestedDuration: 30 }],
    ["a host twice", { hostIds: [MISSING, MISSING], requestedDuration: 30 }],
    ["too many days", { requestedDuration: 366 }],
  ])("rejects %s", async (_what, more) => {
    const client = await app.account("client");
    expect((await client.post("/api/renewals/batch", { hostIds: [MISSING], ...more })).status).toBe(400);
  });
});

describe("deciding several requests", () => {
  it("decides each on its own and reports those that were decided before", async () => {
    const { client, hosts } = await clientWithHosts([5 * DAY, 5 * DAY]);
    const first = await requestRenewal(client, hosts[0] ?? "");
    const second = await requestRenewal(client, hosts[1] ?? "");
    await client.delete(`/api/renewals/${second}`);
    const { data } = await app.root.put("/api/renewals/batch", { ids: [first, second, MISSING], status: "approved" });
    expect(data.results).toEqual([
      { id: first, ok: true },
      { id: second, ok: false, code: "STATE_CONFLICT", message: expect.any(String) },
      { id: MISSING, ok: false, code: "NOT_FOUND", message: expect.any(String) },
    ]);
    expect((await client.get(`/api/renewals/${first}`)).data.status).toBe("approved");
  });

  it("rejects a rejection without a reason", async () => {
    const answer = await app.root.put("/api/renewals/batch", { ids: [MISSING], status: "rejected" });
    expect([answer.status, answer.data.errors[0].field]).toEqual([400, "adminRemark"]);
  });
});
