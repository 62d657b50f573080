export const SYNC_RUN_COUNTERS = [
  "regionsTotal",
  "regionsDone",
  "hostsTotal",
  "hostsSeen",
  "created",
  "updated",
  "unchanged",
  "gone",
  "rejected",
] as const;

/**
 * `hostsTotal` is what the provider counts; `hostsSeen` are written: created, updated or unchanged.
 */
export type RunCounters = Record<(typeof SYNC_RUN_COUNTERS)[number], number>;

export function zeroCounters(): RunCounters {
  return {
    regionsTotal: 0,
    regionsDone: 0,
    hostsTotal: 0,
    hostsSeen: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    gone: 0,
    rejected: 0,
  };
}

export function sumOfCounters(counters: RunCounters, more: Partial<RunCounters>): RunCounters {
  const sum = { ...counters };
  for (const name of SYNC_RUN_COUNTERS) sum[name] += more[name] ?? 0;
  return sum;
}
