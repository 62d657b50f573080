import { describe, expect, it } from "vitest";
import type { ConfigTest } from "../../src/shared/configs.ts";
import { useApp } from "../harness/app.ts";
import { httpStatus, NOT_JSON, redirect, setField } from "../harness/faults.ts";

const app = useApp({ simulator: { projects: 3, regions: 4 } });

async function testConnection(more: Record<string, unknown> = {}): Promise<ConfigTest> {
  const id = await app.config(more);
  const answer = await app.root.post(`/api/hosts/configs/${id}/test`);
  expect(answer.status).toBe(200);
  return answer.data;
}

function outcomes({ steps }: ConfigTest) {
  return steps.map(({ name, ok }) => [name, ok]);
}

const PROJECTS = () => app.simulator.control.projects().map(({ id }) => id);
const SUB_ACCOUNT = () => app.simulator.sub;

describe("testing a connection", () => {
  it("passes every step with a valid key and counts what the key can see", async () => {
    const result = await testConnection();
    expect(outcomes(result)).toEqual([
      ["密钥有效", true],
      ["项目可见", true],
      ["云主机读权限", true],
    ]);
    expect(result).toMatchObject({ connected: true, projects: 3 });
    expect(result.regions).toBe(app.simulator.control.regions("all").length);
    expect(result.hostCount).toBe(app.simulator.control.hosts({ region: "cn-bj2" }).length);
    expect(result.latencyMs).toBeGreaterThanOrEqual(0);
  });

  it("counts only the selected projects", async () => {
    const [projectId] = PROJECTS();
    const result = await testConnection({ projectIds: [projectId] });
    expect(result).toMatchObject({ connected: true, projects: 3 });
    expect(result.hostCount).toBe(app.simulator.control.hosts({ region: "cn-bj2", projectId: projectId ?? "" }).length);
  });

  it("fails at the key with a wrong private key and skips the remaining steps", async () => {
    const result = await testConnection({ privateKey: "wrong" });
    expect(result).toMatchObject({ connected: false, regions: null, projects: null, hostCount: null });
    expect(result.steps).toEqual([
      { name: "密钥有效", ok: false, message: expect.stringContaining("私钥") },
      { name: "项目可见", ok: false, message: "未执行" },
      { name: "云主机读权限", ok: false, message: "未执行" },
    ]);
  });

  it("fails for a key that sees no region, because a sync could not use it", async () => {
    app.simulator.control.addFaults({ action: "GetRegion", fault: setField("Regions", []) });
    const result = await testConnection();
    expect(result).toMatchObject({ connected: false, regions: null });
    expect(result.steps[0]).toMatchObject({ ok: false, message: expect.stringContaining("没有列出任何地域") });
  });

  it("passes for a sub-account that names its project although it may list nothing", async () => {
    const result = await testConnection({ ...SUB_ACCOUNT(), projectIds: PROJECTS().slice(0, 1) });
    expect(result).toMatchObject({ connected: true, regions: null, projects: null });
    expect(result.hostCount).toBeGreaterThan(0);
  });

  it("requires project ids from a sub-account without any", async () => {
    const result = await testConnection(SUB_ACCOUNT());
    expect(result).toMatchObject({ connected: false, hostCount: null });
    expect(result.steps[1]).toMatchObject({ ok: false, message: expect.stringContaining("项目ID") });
    expect(result.steps[2]?.message).toBe("未执行");
  });

  it("names a project that the key cannot see", async () => {
    const result = await testConnection({ projectIds: [...PROJECTS().slice(0, 1), "org-nowhere"] });
    expect(outcomes(result).map(([, ok]) => ok)).toEqual([true, false, false]);
    expect(result.steps[1]?.message).toContain("org-nowhere");
  });

  it("fails at the hosts in a region that is not enabled", async () => {
    const { control } = app.simulator;
    const closed = control.regions("all").find((region) => !control.regions().includes(region));
    const result = await testConnection({ defaultRegion: closed });
    expect(outcomes(result).map(([, ok]) => ok)).toEqual([true, true, false]);
    expect(result.steps[2]?.message).toContain("未开通");
  });

  it("reports a missing permission to read hosts", async () => {
    app.simulator.control.addFaults({
      action: "DescribeUHostInstance",
      fault: { kind: "retCode", retCode: 299, message: "secret words of the provider" },
    });
    const result = await testConnection();
    expect(result.steps[2]).toMatchObject({ ok: false, message: expect.stringContaining("权限") });
    expect(JSON.stringify(result)).not.toContain("secret words");
  });

  it("describes throttling, provider failures and malformed answers in its own messages", async () => {
    for (const fault of [httpStatus(502), NOT_JSON, redirect("http://127.0.0.1:1/"), { kind: "reset" }] as const) {
      app.simulator.control.clearFaults();
      app.simulator.control.addFaults({ fault });
      const result = await testConnection();
      expect(result.connected).toBe(false);
      expect(result.steps[0]?.message).toMatch(/[\u4e00-\u9fff]/);
      expect(JSON.stringify(result)).not.toMatch(/html|ECONN|127\.0\.0\.1/i);
    }
  });

  it("keeps to the pause that the provider requires of a key, for every configuration with that key", async () => {
    app.simulator.control.addFaults({ fault: httpStatus(503, 30) });
    for (const name of ["one", "two"]) {
      const result = await testConnection({ name, apiUrl: `${app.simulator.url}/?own` });
      expect(result.steps[0]).toMatchObject({ ok: false, message: expect.stringContaining("请在 30 秒后重试") });
    }
    expect(app.simulator.control.calls().byAction).toEqual({ GetRegion: 1 });
  });

  it("reports a stored key that does not open as an internal error and reveals nothing", async () => {
    const id = await app.config();
    await app.database.query("update configs set private_key_sealed = private_key_sealed || 'x' where id = $1", [id]);
    const answer = await app.root.post(`/api/hosts/configs/${id}/test`);
    expect([answer.status, answer.data.code]).toEqual([500, "INTERNAL"]);
  });
});
