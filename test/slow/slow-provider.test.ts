import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const app = useApp({ simulator: { hosts: 20, projects: 1, regions: ["cn-bj2"] } });

it("a connection test against a provider that hangs ends before the console gives up", async () => {
  const id = await app.config();
  app.simulator.control.addFaults({ fault: { kind: "hang" } });
  const started = performance.now();
  const answer = await app.root.post(`/api/hosts/configs/${id}/test`);
  expect(performance.now() - started).toBeLessThan(28_000);
  expect(answer.status).toBe(200);
  expect(answer.data.steps[0]).toMatchObject({ ok: false, message: expect.stringContaining("超时") });
});

it("the sync of one host against a provider that throttles ends within 12 s", async () => {
  await app.config();
  await app.root.post("/api/hosts/sync");
  const [host] = (await app.root.get("/api/hosts?limit=1")).data.hosts;
  const fault = { kind: "retCode", retCode: 153 } as const;
  app.simulator.control.addFaults({ action: "DescribeUHostInstance", byId: true, fault });
  const started = performance.now();
  const answer = await app.root.post(`/api/hosts/${host.id}/sync`);
  expect(performance.now() - started).toBeLessThan(12_000);
  expect([answer.status, answer.body]).toMatchObject([502, { message: expect.stringContaining("限流") }]);
});

it("confirming all held removals against a slow provider ends before the console gives up and names what is left", async () => {
  const configId = await app.config();
  await app.root.post("/api/hosts/sync");
  await app.database.query("update hosts set missing_since = 1, held_reason = 'mass-removal'");
  await app.database.query("update hosts set region = 'hk' where id in (select id from hosts limit 5)");
  app.simulator.control.addFaults({ action: "DescribeUHostInstance", region: "hk", fault: { kind: "hang" } });
  const started = performance.now();
  const { data } = await app.root.post("/api/hosts/held-removals/confirm", { configId, all: true });
  expect(performance.now() - started).toBeLessThan(28_000);
  const left = data.results.filter(({ ok }: { readonly ok: boolean }) => !ok);
  expect([data.results.length, left.length]).toEqual([20, 5]);
  expect(left[0]).toMatchObject({ code: "PROVIDER_TIMEOUT", message: expect.any(String) });
});
