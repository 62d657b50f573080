import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

/** In its own file: all tests of a file share one server. */
const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });

it("answers callers that wait for a run with its interrupted run when the server stops", async () => {
  await app.config();
  app.simulator.control.hold({ action: "DescribeUHostInstance" });
  const waiting = app.root.post("/api/hosts/sync?wait=25");
  await app.simulator.control.waitForHeld();
  const started = performance.now();
  await app.app[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await waiting).data.runs).toMatchObject([{ status: "interrupted", gone: 0 }]);
});
