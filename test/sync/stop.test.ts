import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

/** A file of its own: the server of a file serves all its stories. */
const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });
const LISTING = { action: "DescribeUHostInstance" } as const;

it("a server that stops ends its runs as interrupted and answers whoever waits for them", async () => {
  await app.config();
  app.simulator.control.hold(LISTING);
  const waiting = app.root.post("/api/hosts/sync?wait=25");
  await app.simulator.control.waitForHeld();
  const started = performance.now();
  await app.app[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect((await waiting).data.runs).toMatchObject([{ status: "interrupted", gone: 0 }]);
  expect(await app.database.query("select status, lease_until from sync_runs")).toEqual([
    { status: "interrupted", lease_until: null },
  ]);
});
