import { describe, expect, it } from "vitest";
import type { ConfigTest } from "../../src/shared/configs.ts";
import type { Fault } from "../../src/simulator/faults.ts";
import type { Simulator } from "../../src/simulator/server.ts";
import { useApp } from "../harness/app.ts";
import { httpStatus, NOT_JSON, redirect, setField } from "../harness/provider-faults.ts";

const app = useApp({ simulator: { projects: 3, regions: 4 } });

async function testConnection(more: Record<string, unknown> = {}): Promise<ConfigTest> {
  const id = await app.config(more);
  const answer = await app.root.post(`/api/hosts/configs/${id}/test`);
  expect(answer.status).toBe(200);
  return answer.data;
}

const PROJECTS = () => app.simulator.control.projects().map(({ id }) => id);

describe("testing a connection", () => {
  it("passes every step with a valid key and counts what the key can see", async () => {
    const { control } = app.simulator;
    const [projectId = ""] = PROJECTS();
    const steps = ["密钥有效", "项目可见", "云主机读权限"].map((name) => ({ name, ok: true }));
    const region = "cn-bj2";
    for (const [more, seen] of [
      [{}, control.hosts({ region })],
      [{ projectIds: [projectId] }, control.hosts({ region, projectId })],
    ] as const) {
      const result = await testConnection(more);
      expect(result).toMatchObject({ connected: true, steps, projects: 3, hostCount: seen.length });
      expect(result.regions).toBe(control.regions("all").length);
      expect(result.latencyMs).toBeGreaterThanOrEqual(0);
    }
  });

  it("passes for a sub-account that names its project although it may list nothing", async () => {
    const result = await testConnection({
      ...app.simulator.sub,
      projectIds: PROJECTS().slice(0, 1),
    });

    expect(result).toMatchObject({ connected: true, regions: null, projects: null });
    expect(result.hostCount).toBeGreaterThan(0);
  });

  it("passes with 800 projects after asking 20 of them, and counts no hosts", async () => {
    const { control } = app.simulator;
    const [known] = control.projects();
    const listed = Array.from({ length: 800 }, (_, n) => ({ ProjectId: `org-${n}` }));
    control.addFaults(
      { action: "GetProjectList", fault: setField("ProjectSet", listed) },
      { fault: { kind: "patchParams", set: { ProjectId: known?.id ?? "" } } },
    );

    const result = await testConnection();

    expect(result).toMatchObject({ connected: true, projects: 800, hostCount: null });
    expect(result.steps[2]?.message).toContain("800 个中的 20 个");
    expect(control.calls().byAction).toMatchObject({ DescribeUHostInstance: 20 });
  });

  const inClosedRegion = ({ control }: Simulator) => ({
    defaultRegion: control.regions("all").find((region) => !control.regions().includes(region)),
  });
  const faulty = (fault: Fault, action?: string) => {
    return ({ control }: Simulator) => ({ faults: control.addFaults({ action, fault }) });
  };
  const refusal: Fault = { kind: "retCode", retCode: 299, message: "secret words of the provider" };
  const forbidden = faulty(refusal, "DescribeUHostInstance");

  it.each<[string, (simulator: Simulator) => Record<string, unknown>, steps: (boolean | string)[]]>(
    [
      [
        "the key when the private key is wrong",
        () => ({ privateKey: "wrong" }),
        ["私钥", "未执行", "未执行"],
      ],
      // A sync could not use such a key.
      [
        "the key when it sees no region",
        faulty(setField("Regions", []), "GetRegion"),
        ["没有列出任何地域"],
      ],
      ["the key when the provider is not available", faulty(httpStatus(502)), ["暂时不可用"]],
      ["the key when the answer is no JSON", faulty(NOT_JSON), ["无法识别"]],
      ["the key when the answer is a redirect", faulty(redirect("http://127.0.0.1:1/")), ["跳转"]],
      ["the key when the connection breaks", faulty({ kind: "reset" }), ["无法连接"]],
      [
        "the projects of a sub-account without project ids",
        ({ sub }) => sub,
        [true, "项目 ID", "未执行"],
      ],
      [
        "a project that the key cannot see",
        ({ control }) => ({ projectIds: [control.projects()[0]?.id, "org-nowhere"] }),
        [true, "org-nowhere", "未执行"],
      ],
      ["the hosts in a region that is not enabled", inClosedRegion, [true, true, "未开通"]],
      ["the hosts without the permission to read them", forbidden, [true, true, "权限"]],
    ],
  )("fails at %s", async (_where, prepare, steps) => {
    const { faults: _, ...config } = { faults: null, ...prepare(app.simulator) };
    const result = await testConnection(config);
    expect(result).toMatchObject({ connected: false, hostCount: null });
    const failed = (words: unknown) => ({
      ok: false,
      message: expect.stringContaining(String(words)),
    });
    const expected = steps.map((step) => (step === true ? { ok: true } : failed(step)));
    expect(result.steps.slice(0, steps.length)).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toMatch(/secret words|html|ECONN|127\.0\.0\.1/i);
  });

  it("keeps to the pause that the provider requires of a key in every configuration", async () => {
    app.simulator.control.addFaults({ fault: httpStatus(503, 30) });
    for (const name of ["one", "two"]) {
      const result = await testConnection({ name, apiUrl: `${app.simulator.url}/?own` });
      expect(result.steps[0]).toMatchObject({
        ok: false,
        message: expect.stringContaining("请在 30 秒后重试"),
      });
    }

    expect(app.simulator.control.calls().byAction).toEqual({ GetRegion: 1 });
  });
});
