import type { SyncRun } from "../../src/shared/sync.ts";

const BEFORE = '"configName":"at ';

/** Microseconds on the machine's own clock, the same in all processes. */
export function present(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** The progress of a run, as a sync tells it, that carries when it was written. */
export function stampedProgress(at: number): SyncRun {
  return {
    id: "0198aaaa-0000-7000-8000-000000000001",
    configId: "0198aaaa-0000-7000-8000-000000000002",
    configName: `at ${at}`,
    trigger: "manual",
    status: "running",
    requestedBy: { id: "0198aaaa-0000-7000-8000-000000000003", name: "管理员" },
    startedAt: 1_760_000_000,
    finishedAt: null,
    regionsTotal: 28,
    regionsDone: 12,
    hostsTotal: 10_000,
    hostsSeen: 4_200,
    created: 17,
    updated: 130,
    unchanged: 4_053,
    gone: 0,
    rejected: 0,
    errors: [],
  };
}

/** When the event in this frame was written; null when there is none. */
export function stampOf(frame: Buffer): number | null {
  const start = frame.indexOf(BEFORE, 0, "latin1");
  if (start === -1) return null;
  const from = start + BEFORE.length;
  return Number(frame.toString("latin1", from, frame.indexOf('"', from, "latin1")));
}
