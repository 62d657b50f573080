import { beforeEach, describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, MISSING } from "../harness/data.ts";
import { EMPTY_ANSWER, httpStatus, wrongTotal } from "../harness/faults.ts";

const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });
const BY_ID = { action: "DescribeUHostInstance", byId: true } as const;
let configId: string;

beforeEach(async () => {
  configId = await app.config();
  await app.root.post("/api/hosts/sync");
});

describe("POST /api/hosts/{id}/sync", () => {
  it("reads this one host from the provider and answers its present state", async () => {
    const { id, ucloudId } = await someHost();
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { State: "Stopped", Name: "新名字" });
    app.simulator.control.resetCalls();
    const answer = await app.root.post(`/api/hosts/${id}/sync`);
    expect([answer.status, answer.data]).toMatchObject([200, { id, status: "Stopped", name: "新名字", goneAt: null }]);
    expect(app.simulator.control.calls().last.map(({ ids }) => ids)).toEqual([[ucloudId]]);
  });

  it("marks a host gone that neither list nor lookup finds, and finds it again when it is back", async () => {
    const { id, ucloudId } = await someHost();
    app.simulator.control.removeHosts({ ids: [ucloudId] });
    expect((await app.root.post(`/api/hosts/${id}/sync`)).data.goneAt).toEqual(expect.any(Number));
    app.simulator.control.restoreHosts();
    expect((await app.root.post(`/api/hosts/${id}/sync`)).data).toMatchObject({ id, goneAt: null, configId });
  });

  it("finds a host in the list that the lookup by id does not find", async () => {
    const { id, ucloudId } = await someHost();
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { Name: "还在" });
    app.simulator.control.addFaults({ ...BY_ID, fault: EMPTY_ANSWER });
    const answer = await app.root.post(`/api/hosts/${id}/sync`);
    expect([answer.status, answer.data]).toMatchObject([200, { id, name: "还在", goneAt: null }]);
  });

  it("marks no host gone while its partition cannot be read completely", async () => {
    const { id, ucloudId } = await someHost();
    app.simulator.control.removeHosts({ ids: [ucloudId] });
    app.simulator.control.addFaults({
      action: "DescribeUHostInstance",
      byId: false,
      fault: wrongTotal(1),
    });
    const answer = await app.root.post(`/api/hosts/${id}/sync`);
    expect([answer.status, answer.body]).toMatchObject([502, { message: expect.stringContaining("未能完整读取") }]);
    expect((await app.root.get(`/api/hosts/${id}`)).data.goneAt).toBeNull();
  });

  it("answers a provider failure without the provider's own text", async () => {
    const { id } = await someHost();
    app.simulator.control.addFaults({ ...BY_ID, fault: { kind: "retCode", retCode: 299, message: "canary" } });
    const answer = await app.root.post(`/api/hosts/${id}/sync`);
    expect([answer.status, answer.body]).toMatchObject([502, { code: "PROVIDER_ERROR" }]);
    expect(JSON.stringify(answer.body)).not.toContain("canary");
  });

  it("changes nothing when the record of the host cannot be read", async () => {
    const { id, ucloudId } = await someHost();
    app.simulator.control.updateHosts({ ids: [ucloudId] }, { CPU: "many", Name: "x" });
    const before = (await app.root.get(`/api/hosts/${id}`)).data;
    expect((await app.root.post(`/api/hosts/${id}/sync`)).status).toBe(502);
    expect((await app.root.get(`/api/hosts/${id}`)).data).toEqual(before);
  });

  it("refuses hosts without a configuration or with an inactive one, unknown hosts and malformed ids", async () => {
    const { id } = await someHost();
    await app.database.query("update configs set is_active = false");
    expect((await app.root.post(`/api/hosts/${id}/sync`)).status).toBe(409);
    await app.database.query("update hosts set config_id = null where id = $1", [id]);
    const orphan = await app.root.post(`/api/hosts/${id}/sync`);
    expect([orphan.status, orphan.body]).toMatchObject([409, { code: "STATE_CONFLICT" }]);
    expect((await app.root.post(`/api/hosts/${MISSING}/sync`)).status).toBe(404);
    expect((await app.root.post("/api/hosts/odd/sync")).status).toBe(400);
  });
});

describe("POST /api/hosts/batch", () => {
  const batch = (body: unknown) => app.root.post("/api/hosts/batch", body);

  it("answers for each host on its own and calls the provider once per partition", async () => {
    const hosts = await hostsIn("cn-bj2", 5);
    const [first, second] = hosts;
    app.simulator.control.removeHosts({ ids: [first?.ucloudId ?? ""] });
    app.simulator.control.updateHosts({ ids: [second?.ucloudId ?? ""] }, { State: "Stopped" });
    app.simulator.control.resetCalls();
    const answer = await batch({ operation: "sync", hostIds: [...hosts.map(({ id }) => id), MISSING] });
    expect(answer.status).toBe(200);
    expect(answer.data.results).toEqual([
      { hostId: first?.id, ok: true, message: expect.stringContaining("不存在") },
      ...hosts.slice(1).map(({ id }) => ({ hostId: id, ok: true })),
      { hostId: MISSING, ok: false, code: "NOT_FOUND", message: expect.any(String) },
    ]);
    expect((await app.root.get(`/api/hosts/${second?.id}`)).data.status).toBe("Stopped");
    expect((await app.root.get(`/api/hosts/${first?.id}`)).data.goneAt).not.toBeNull();
    // By id, the whole partition, by id again.
    expect(app.simulator.control.calls().total).toBe(3);
  });

  it("assigns and unassigns each host on its own", async () => {
    const client = await app.account("client");
    const [one, other] = await hostsIn("cn-bj2", 2);
    const ids = [one?.id ?? "", MISSING, other?.id ?? ""];
    const assignedExpireTime = daysAhead(30);
    const assigned = await batch({ operation: "assign", hostIds: ids, userId: client.id, assignedExpireTime });
    expect(assigned.data.results).toMatchObject([{ ok: true }, { ok: false, code: "NOT_FOUND" }, { ok: true }]);
    expect((await client.get("/api/hosts")).data.pagination.total).toBe(2);
    const unassigned = await batch({ operation: "unassign", hostIds: ids, userId: client.id });
    expect(unassigned.data.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, true]);
    expect((await client.get("/api/hosts")).data.pagination.total).toBe(0);
  });

  it("unassigns every client of a host when no user is named", async () => {
    const [host] = await hostsIn("cn-bj2", 1);
    const clients = [await app.account("client"), await app.account("client"), await app.account("client")];
    for (const client of clients) await assign(app, host?.id ?? "", client.id);
    await app.root.post("/api/hosts/unassign", { hostId: host?.id, userId: clients[0]?.id });
    const answer = await batch({ operation: "unassign", hostIds: [host?.id] });
    expect(answer.data.results).toEqual([{ hostId: host?.id, ok: true }]);
    expect((await app.root.get(`/api/hosts/${host?.id}`)).data.users).toEqual([]);
    const again = await batch({ operation: "unassign", hostIds: [host?.id] });
    expect(again.data.results).toMatchObject([{ ok: false, code: "NOT_FOUND" }]);
  });

  it("assigns to active clients only", async () => {
    const admin = await app.account("admin");
    const [host] = await hostsIn("cn-bj2", 1);
    const assignedExpireTime = daysAhead(30);
    const answer = await batch({ operation: "assign", hostIds: [host?.id], userId: admin.id, assignedExpireTime });
    expect(answer.data.results).toMatchObject([{ ok: false, code: "INVALID_INPUT" }]);
  });

  it("refuses malformed operations, and hosts that are none, doubled or more than 100", async () => {
    const assigning = { operation: "assign", hostIds: [MISSING], assignedExpireTime: daysAhead(366) };
    const bodies = [
      { operation: "delete", hostIds: [MISSING] },
      { hostIds: [MISSING] },
      ...[[], ["x"], [MISSING, MISSING], Array.from({ length: 101 }, (_, i) => numbered(i))].map((hostIds) => ({
        operation: "sync",
        hostIds,
      })),
      { operation: "sync", hostIds: [MISSING], userId: MISSING },
      { ...assigning, assignedExpireTime: daysAhead(30) },
      { ...assigning, userId: MISSING },
    ];
    for (const body of bodies) {
      const answer = await batch(body);
      expect([answer.status, answer.body], JSON.stringify(body)).toMatchObject([400, { code: "INVALID_INPUT" }]);
    }
  });
});

/** Last, because the pause holds for all calls of the key. */
describe("a provider that answers 429 with a long Retry-After", () => {
  it("fails the call at once and says for how long", async () => {
    const { id } = await someHost();
    app.simulator.control.addFaults({ ...BY_ID, fault: httpStatus(429, 90) });
    const started = performance.now();
    for (const _ of [1, 2]) {
      const { status, body } = await app.root.post(`/api/hosts/${id}/sync`);
      expect([status, body]).toMatchObject([502, { message: expect.stringMatching(/限流，请在 \d+ 秒后重试/) }]);
    }
    expect(performance.now() - started).toBeLessThan(6_000);
  });
});

function daysAhead(days: number): number {
  return Math.floor(Date.now() / 1000) + days * 86_400;
}

function numbered(i: number): string {
  return `0198a000-0000-7000-8000-${String(i).padStart(12, "0")}`;
}

async function someHost() {
  const [host] = await hostsIn("cn-bj2", 1);
  if (host === undefined) throw new Error("no host");
  return host;
}

async function hostsIn(region: string, count: number): Promise<{ id: string; ucloudId: string }[]> {
  const rows = await app.database.query(
    "select id, ucloud_id from hosts where region = $1 order by ucloud_id limit $2",
    [region, count],
  );
  return rows.map((row) => ({ id: String(row.id), ucloudId: String(row.ucloud_id) }));
}
