import { expect, it } from "vitest";
import type { SyncRun } from "../../../src/shared/sync.ts";
import { useApp } from "../../harness/app.ts";

const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });
/** More than a process works on at a time. */
const HANGING = 9;

it("configurations whose provider hangs do not keep another one waiting, and all of them show that they live", async () => {
  for (let i = 0; i < HANGING; i++) await app.config();
  const { control, sub, publicKey } = app.simulator;
  const [project] = control.projects();
  control.hold({ publicKey });
  const { runs } = (await app.root.post("/api/hosts/sync?wait=0")).data;
  expect(runs.map(({ status }: SyncRun) => isLive(status))).toEqual(Array(HANGING).fill(true));
  await control.waitForHeld();

  const healthy = await app.config({ ...sub, projectIds: [project?.id] });
  const started = performance.now();
  const [run] = (await app.root.post(`/api/hosts/sync?configId=${healthy}&wait=25`)).data.runs;
  expect(performance.now() - started).toBeLessThan(6_000);
  // A key that may list no regions is told so, and reads what it can.
  const readable = control.hosts({ region: "cn-bj2" }).length;
  expect(run).toMatchObject({ status: "partial", created: readable, errors: [{ code: "regions-refused" }] });

  for (const { id } of runs) await expect.poll(() => timesTold(id), { timeout: 6_000 }).toBeGreaterThan(1);
  control.release();
  const ended = (await app.root.post("/api/hosts/sync?wait=25")).data.runs;
  expect(ended.map(({ status }: SyncRun) => status).filter((status: string) => status !== "succeeded")).toEqual([
    "partial",
  ]);
});

async function timesTold(id: string): Promise<unknown> {
  const [row] = await app.database.query(
    "select count(*)::int as told from events where type = 'sync.progress' and payload->>'id' = $1",
    [id],
  );
  return row?.told;
}

function isLive(status: string): boolean {
  return status === "queued" || status === "running";
}
