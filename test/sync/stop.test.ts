import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

/** In its own file: all tests of a file share one server. */
const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });

it("interrupts its run when the server stops, answers callers that wait for it, and marks nothing gone", async () => {
  await app.config();
  await app.root.post("/api/hosts/sync");
  app.simulator.control.removeHosts({ region: "cn-bj2", count: 3 });
  app.simulator.control.hold({ action: "DescribeUHostInstance", region: "hk" });
  const waiting = app.root.post("/api/hosts/sync?wait=25");
  await app.simulator.control.waitForHeld();
  const started = performance.now();
  await app.app[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await waiting).data.runs).toMatchObject([{ status: "interrupted", gone: 0 }]);
  expect(await app.database.query("select 1 from hosts where gone_at is not null")).toEqual([]);
  expect(await app.database.query("select 1 from sync_runs where status in ('queued', 'running')")).toEqual([]);
});
