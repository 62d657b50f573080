import { createHash } from "node:crypto";
import type { SyncInterval } from "../../../../shared/configs.ts";
import type { SyncStatus, SyncTrigger } from "../../../../shared/sync.ts";
import { DAY_SECONDS } from "../../../../shared/time.ts";

/**
 * The schedule of a configuration: when it is synced by itself.
 *
 * It is derived from the configuration and its stored runs, so that nothing can contradict them. An
 * interval has slots: one each interval, counted from the moment when it was chosen. The schedule
 * is due when a slot has passed since the newest run, whoever started that. So every slot is synced
 * once; slots that passed while no process ran are made up for by one run; and a run that takes
 * longer than the interval is followed by the next slot. Each configuration's slots begin up to a
 * tenth of the interval later, so that many configurations do not start at the same moment.
 *
 * All times here, in Unix seconds, are of the database's clock.
 */
export interface Schedule {
  readonly configId: string;
  readonly intervalMinutes: SyncInterval | null;
  readonly isActive: boolean;
  /** When the interval was chosen; null without an interval. */
  readonly chosenAt: number | null;
  /** Failures before this moment do not count any more; null when none were forgiven. */
  readonly resumedAt: number | null;
}

/** What the schedule needs to know of a run. */
export interface ScheduledRun {
  readonly id: string;
  readonly trigger: SyncTrigger;
  readonly status: SyncStatus;
  /** When it was put into the queue. */
  readonly queuedAt: number;
  /** Of the first problem that is the cause and no consequence; null without one. */
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

export type ScheduleState =
  | { readonly kind: "off" }
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "waiting"; readonly nextAt: number };

const MINUTE_SECONDS = 60;
/** Failed runs double the wait, up to so many intervals, and up to so many seconds. */
const MAX_WAIT_INTERVALS = 8;
const MAX_WAIT_SECONDS = 6 * 3_600;
/**
 * So many refusals in a row pause the schedule: to go on would only lock the key at the provider.
 */
const REFUSALS_TO_PAUSE = 5;
/**
 * The codes of problems that only a person can solve: the key, or the address of the provider's
 * API.
 */
const REFUSALS: readonly (string | null)[] = [
  "unauthorized",
  "ip-refused",
  "forbidden",
  "address-refused",
];
/**
 * A clock that is set back by an hour must not run the slots of that hour again, so times that lie
 * so far ahead are believed. One that lies further ahead was written by a clock that was wrong; to
 * wait for it might mean to wait for years.
 */
export const BELIEVED_AHEAD_SECONDS = 2 * 3_600;

/** Of a configuration at a moment, by the runs that `findNewestRuns` reads, the newest first. */
export function scheduleState(
  schedule: Schedule,
  runs: readonly ScheduledRun[],
  now: number,
): ScheduleState {
  const { intervalMinutes, isActive } = schedule;
  if (intervalMinutes === null || schedule.chosenAt === null || !isActive) return { kind: "off" };

  const isBelieved = (at: number) => at <= now + BELIEVED_AHEAD_SECONDS;
  const resumedAt =
    schedule.resumedAt !== null && isBelieved(schedule.resumedAt) ? schedule.resumedAt : null;
  const failures = failuresInARow(resumedAt, runs);
  const reason = pauseReason(failures);
  if (reason !== null) return { kind: "paused", reason };

  const interval = intervalMinutes * MINUTE_SECONDS;
  const chosenAt = isBelieved(schedule.chosenAt)
    ? schedule.chosenAt
    : sameSlotBefore(now, schedule.chosenAt, interval);
  const starts = runs.map(({ queuedAt }) => queuedAt).filter(isBelieved);
  const lastStart = Math.max(chosenAt, ...starts);
  const skipped = waitAfter(failures.length, interval) - interval;
  const firstSlot = chosenAt + spreadOf(schedule.configId, interval) + interval;
  const nextAt = firstAfter(lastStart + skipped, firstSlot, interval);
  // A slot that has passed is due now.
  return { kind: "waiting", nextAt: Math.max(nextAt, now) };
}

/** A moment that is whole intervals before this one, and not after `now`. */
function sameSlotBefore(now: number, moment: number, interval: number): number {
  return moment - Math.ceil((moment - now) / interval) * interval;
}

/** The first of the slots `first`, `first + interval`, … that lies after the moment. */
function firstAfter(moment: number, first: number, interval: number): number {
  const passed = Math.floor((moment - first) / interval) + 1;
  return first + Math.max(0, passed) * interval;
}

/**
 * Scheduled runs that failed since the last success; cancelled and interrupted ones say nothing.
 */
function failuresInARow(
  resumedAt: number | null,
  runs: readonly ScheduledRun[],
): readonly ScheduledRun[] {
  const failures: ScheduledRun[] = [];
  for (const run of runs) {
    const isSuccess = run.status === "succeeded" || run.status === "partial";
    const isForgiven = resumedAt !== null && run.queuedAt <= resumedAt;
    if (isSuccess || isForgiven) break;
    if (run.trigger === "schedule" && run.status === "failed") failures.push(run);
  }
  return failures;
}

function pauseReason(failures: readonly ScheduledRun[]): string | null {
  const newest = failures.slice(0, REFUSALS_TO_PAUSE);
  const areRefused = newest.every(({ errorCode }) => REFUSALS.includes(errorCode));
  if (newest.length < REFUSALS_TO_PAUSE || !areRefused) return null;

  const cause = newest[0]?.errorMessage ?? "";
  return `自动同步已暂停：连续${REFUSALS_TO_PAUSE}次定时同步被拒绝（${cause}）。更新密钥、连接测试通过或手动同步成功后会自动恢复`;
}

/**
 * Seconds from a run to the next, after so many failures in a row. Never less than the interval.
 */
function waitAfter(failures: number, interval: number): number {
  const doubled = interval * Math.min(2 ** failures, MAX_WAIT_INTERVALS);
  return Math.max(interval, Math.min(doubled, MAX_WAIT_SECONDS));
}

/** Up to a tenth of the interval, in seconds, always the same for a configuration. */
function spreadOf(configId: string, interval: number): number {
  const number = createHash("sha256").update(configId).digest().readUInt32BE();
  return number % (interval / 10 + 1);
}

const STALE_INTERVALS = 3;

/** Whether what is known of the configuration's hosts may be out of date. Times in Unix seconds. */
export function isStale(
  config: {
    readonly intervalMinutes: SyncInterval | null;
    readonly createdAt: number;
    readonly lastSuccessAt: number | null;
  },
  now: number,
): boolean {
  const { intervalMinutes, createdAt, lastSuccessAt } = config;
  const limit =
    intervalMinutes === null ? DAY_SECONDS : STALE_INTERVALS * intervalMinutes * MINUTE_SECONDS;
  return (lastSuccessAt ?? createdAt) < now - limit;
}
