import { expect, it } from "vitest";
import type { SyncRun } from "../../../src/shared/sync.ts";
import { useApp } from "../../harness/app.ts";

const app = useApp({ simulator: { hosts: 60, projects: 1, regions: ["cn-bj2", "hk"] } });
/** One less than a process executes at a time. */
const HANGING = 7;

it("seven configurations whose provider hangs do not delay another one, and their runs keep publishing progress", async () => {
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
  // This key may not list regions.
  const readable = control.hosts({ region: "cn-bj2" }).length;
  expect(run).toMatchObject({ status: "partial", created: readable, errors: [{ code: "regions-refused" }] });

  for (const { id } of runs) await expect.poll(() => countProgress(id), { timeout: 6_000 }).toBeGreaterThan(1);
  control.release();
  const ended = (await app.root.post("/api/hosts/sync?wait=25")).data.runs;
  expect(ended.map(({ status }: SyncRun) => status).filter((status: string) => status !== "succeeded")).toEqual([
    "partial",
  ]);
});

async function countProgress(id: string): Promise<unknown> {
  const [row] = await app.database.query(
    "select count(*)::int as events from events where type = 'sync.progress' and payload->>'id' = $1",
    [id],
  );
  return row?.events;
}

function isLive(status: string): boolean {
  return status === "queued" || status === "running";
}
