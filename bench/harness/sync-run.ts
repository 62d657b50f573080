import { setTimeout as sleep } from "node:timers/promises";
import type { SyncRun } from "../../src/shared/sync.ts";
import type { Workbench } from "./workbench.ts";

/** Far beyond any run that makes progress, ms. */
const LONGEST_RUN = 600_000;
const POLL_INTERVAL = 10;

export interface SyncTimes {
  /** From the click to the event of its end, s. */
  readonly total: number;
  /** To the first `hosts.changed`, s; null when no host changed. */
  readonly firstEvent: number | null;
  readonly run: SyncRun;
}

export interface SyncClock {
  /** One sync from the click to its end. Throws unless it succeeded. */
  run(): Promise<SyncTimes>;
}

/** Measures runs over one open event stream. */
export async function timeSyncs(workbench: Workbench): Promise<SyncClock> {
  let startedAt = 0;
  let firstEvent: number | null = null;
  let finished = Promise.withResolvers<SyncTimes>();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  await workbench.subscribe((event) => {
    if (event.type === "hosts.changed") firstEvent ??= elapsed();
    if (event.type === "sync.finished") finished.resolve({ total: elapsed(), firstEvent, run: event.data });
  });
  return {
    async run() {
      firstEvent = null;
      finished = Promise.withResolvers();
      startedAt = performance.now();
      await startSync(workbench);
      const times = await Promise.race([finished.promise, tooLate()]);
      if (times.run.status !== "succeeded") throw new Error(`the run ended so: ${JSON.stringify(times.run)}`);
      return times;
    },
  };
}

/** Seconds until the list shows a host, asked for every 10 ms. Call it together with a run. */
export async function untilHostIsListed({ rest }: Workbench): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { data } = await rest.get("/api/hosts?limit=20");
    if (data.pagination.total > 0) return (performance.now() - startedAt) / 1000;
    await sleep(POLL_INTERVAL);
  }
}

async function startSync({ rest }: Workbench): Promise<void> {
  const answer = await rest.post("/api/hosts/sync?wait=0");
  if (answer.status !== 200) throw new Error(`the sync was refused: ${JSON.stringify(answer.body)}`);
}

async function tooLate(): Promise<never> {
  await sleep(LONGEST_RUN, undefined, { ref: false });
  throw new Error(`no end of the run in ${LONGEST_RUN / 1000} s`);
}
