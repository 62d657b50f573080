import { createHash } from "node:crypto";
import type { SyncInterval } from "../../../../shared/configs.ts";
import { isLiveSync, type SyncStatus, type SyncTrigger } from "../../../../shared/sync.ts";

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
 * A scheduled run without success does not use up its slot, or a day's only run that comes at a bad
 * moment would leave the hosts a day older. It is made again before the next slot: after ever longer
 * waits when it failed, soon when it was interrupted by the end of its process. Only one that a
 * person cancelled waits for the slot. A refused key is no bad moment. To go on with it might lock
 * the key at the provider, so these runs wait for the next slot, skip ever more slots, and then
 * pause the schedule until something says that the key works. That somebody changed the key does
 * not say so, but it is worth one run at once, also of a schedule that is paused.
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
  /** The key or the address of the API was changed, and no scheduled run has begun to try it. */
  readonly isAccessUntried: boolean;
}

/** What the schedule needs to know of a run. */
export interface ScheduledRun {
  readonly id: string;
  readonly trigger: SyncTrigger;
  readonly status: SyncStatus;
  /** When it was put into the queue. */
  readonly queuedAt: number;
  /** By the clock of its process; null while it is live. */
  readonly finishedAt: number | null;
  /** Of a failed run: the first problem that is the cause and no consequence; null without one. */
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

export type ScheduleState =
  | { readonly kind: "off" }
  /** `nextAt`: of the run that tries another key; null without one. */
  | { readonly kind: "paused"; readonly reason: string; readonly nextAt: number | null }
  | { readonly kind: "waiting"; readonly nextAt: number };

const MINUTE_SECONDS = 60;
const NEVER = Number.POSITIVE_INFINITY;
/** After the first failed run; each further one doubles it. */
const RETRY_SECONDS = 5 * MINUTE_SECONDS;
const INTERRUPTED_RETRY_SECONDS = 2 * MINUTE_SECONDS;
/** More of them in a row count as failures: what ends the process may be the run itself. */
const MAX_INTERRUPTIONS = 3;
/** After refused runs the wait grows from one interval to at most this many. */
const MAX_WAIT_INTERVALS = 8;
/** The longest wait after a failed or refused run, unless the interval is longer. */
const MAX_WAIT_SECONDS = 6 * 3_600;
/**
 * This many refusals in a row pause the schedule: to go on would only lock the key at the provider.
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
 * so far ahead are believed. To wait for one that lies further ahead might mean to wait for years
 * (`isFromFuture`).
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
  const interval = intervalMinutes * MINUTE_SECONDS;
  const chosenAt = isBelieved(schedule.chosenAt)
    ? schedule.chosenAt
    : sameSlotBefore(now, schedule.chosenAt, interval);
  const resumedAt =
    schedule.resumedAt !== null && isBelieved(schedule.resumedAt) ? schedule.resumedAt : null;
  const unsuccessful = unsuccessfulRuns(runs, resumedAt);

  const starts = runs.map(({ queuedAt }) => queuedAt).filter(isBelieved);
  const lastStart = Math.max(chosenAt, ...starts);
  const skipped = waitAfterRefusals(unsuccessful, interval) - interval;
  const firstSlot = chosenAt + spreadOf(schedule.configId, interval) + interval;
  const nextSlot = firstAfter(lastStart + skipped, firstSlot, interval);
  const retryAt = schedule.isAccessUntried ? now : retryAfter(unsuccessful, isBelieved);

  const refusals = refusalsInARow(unsuccessful);
  // What has passed is due now.
  if (refusals.length < REFUSALS_TO_PAUSE) {
    return { kind: "waiting", nextAt: Math.max(now, Math.min(nextSlot, retryAt)) };
  }
  const nextAt = retryAt === NEVER ? null : Math.max(now, retryAt);
  return { kind: "paused", reason: pauseReason(refusals, nextAt), nextAt };
}

export function isDue(state: ScheduleState, now: number): boolean {
  return state.kind !== "off" && state.nextAt !== null && state.nextAt <= now;
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

/** Scheduled runs that ended since the last success, the newest first. */
function unsuccessfulRuns(
  runs: readonly ScheduledRun[],
  resumedAt: number | null,
): readonly ScheduledRun[] {
  const isForgiven = ({ queuedAt }: ScheduledRun) => resumedAt !== null && queuedAt <= resumedAt;
  const count = countWhile(runs, (run) => !isSuccess(run) && !isForgiven(run));
  return runs
    .slice(0, count)
    .filter(({ trigger, status }) => trigger === "schedule" && !isLiveSync(status));
}

function isSuccess({ status }: ScheduledRun): boolean {
  return status === "succeeded" || status === "partial";
}

function isRefused({ status, errorCode }: ScheduledRun): boolean {
  return status === "failed" && REFUSALS.includes(errorCode);
}

/** Those that failed, and those that were interrupted too often. */
function failuresAmong(unsuccessful: readonly ScheduledRun[]): readonly ScheduledRun[] {
  const failures: ScheduledRun[] = [];
  let interruptions = 0;
  for (const run of unsuccessful.toReversed()) {
    interruptions = run.status === "interrupted" ? interruptions + 1 : 0;
    if (run.status === "failed" || interruptions > MAX_INTERRUPTIONS) failures.unshift(run);
  }
  return failures;
}

/**
 * When the newest of these runs is made again before its next slot. The wait begins with its end: a
 * run may take longer than the wait, or have stood in the queue for as long.
 */
function retryAfter(
  unsuccessful: readonly ScheduledRun[],
  isBelieved: (at: number) => boolean,
): number {
  const [newest] = unsuccessful;
  if (newest === undefined || newest.status === "cancelled" || isRefused(newest)) return NEVER;

  const { queuedAt, finishedAt } = newest;
  const hasEnd = finishedAt !== null && isBelieved(finishedAt);
  const endedAt = hasEnd ? Math.max(queuedAt, finishedAt) : queuedAt;
  const failures = failuresAmong(unsuccessful);
  if (!failures.includes(newest)) return endedAt + INTERRUPTED_RETRY_SECONDS;

  const inARow = countWhile(failures, (run) => !isRefused(run));
  const wait = RETRY_SECONDS * 2 ** (inARow - 1);
  return endedAt + Math.min(wait, MAX_WAIT_SECONDS);
}

/** Interrupted and cancelled runs between them say nothing about the key. */
function refusalsInARow(unsuccessful: readonly ScheduledRun[]): readonly ScheduledRun[] {
  const failed = unsuccessful.filter(({ status }) => status === "failed");
  return failed.slice(0, countWhile(failed, isRefused));
}

/**
 * Seconds from the newest run to the next one, after refusals in a row. Never less than the
 * interval.
 */
function waitAfterRefusals(unsuccessful: readonly ScheduledRun[], interval: number): number {
  const [newest] = unsuccessful;
  if (newest === undefined || !isRefused(newest)) return interval;

  const { length } = refusalsInARow(unsuccessful);
  const doubled = interval * Math.min(2 ** (length - 1), MAX_WAIT_INTERVALS);
  return Math.max(interval, Math.min(doubled, MAX_WAIT_SECONDS));
}

/** The refusals with the newest first; `nextAt` of the run that tries another key. */
function pauseReason(refusals: readonly ScheduledRun[], nextAt: number | null): string {
  const cause = refusals[0]?.errorMessage ?? "";
  const wayOut =
    nextAt === null
      ? "更换密钥后系统会自动试一次；不再被拒绝，或者连接测试通过、手动同步成功后会自动恢复"
      : "密钥或 API 地址已更改，系统很快会自动试一次，不再被拒绝就会自动恢复";
  return `自动同步已暂停：连续 ${REFUSALS_TO_PAUSE} 次定时同步被拒绝（${cause}）。${wayOut}`;
}

function countWhile<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  const end = items.findIndex((item) => !test(item));
  return end === -1 ? items.length : end;
}

/** Up to a tenth of the interval, in seconds, always the same for a configuration. */
function spreadOf(configId: string, interval: number): number {
  const number = createHash("sha256").update(configId).digest().readUInt32BE();
  return number % (interval / 10 + 1);
}
