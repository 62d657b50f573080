import { MAX_BATCH_HOSTS } from "../../shared/batch.ts";
import type { SyncRunError, SyncStatus } from "../../shared/sync.ts";

/** A run that would mark more than this share, and at least so many, of a configuration's hosts gone marks none. */
export const GONE_GUARD = { share: 0.3, hosts: 5 } as const;
export const GONE_GUARD_TEXT = `${GONE_GUARD.share * 100}%`;
/** How long a place must stay empty before its hosts may be taken for gone. */
export const EMPTY_CONFIRM_SECONDS = 600;
export const EMPTY_CONFIRM_TEXT = `${EMPTY_CONFIRM_SECONDS / 60} 分钟`;
/** More hosts than this in one region and project are taken for a wrong number. */
export const MAX_TOTAL = 1_000_000;
/** The most hosts that a configuration is believed to have: ten times as many as are expected. */
export const MAX_HOSTS = 1_000_000;
/** Errors of places kept in a run; what concerns all of it is always kept. */
export const MAX_ERRORS = 200;

/** One region of one project; `""` is the account's default project. */
export interface Place {
  readonly region: string;
  readonly projectId: string;
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.region === other.region && one.projectId === other.projectId;
}

/** What one reading of a place from first to last page gave. */
export interface Pass {
  /** What the provider announced last. */
  readonly total: number;
  /** The announced number changed while pages were read. */
  readonly totalMoved: boolean;
  /** Different hosts on the pages. */
  readonly distinct: number;
  /** Records of hosts that had come before: the pages overlap, so there may be a gap between others. */
  readonly repeated: number;
  /** Records that could not be understood. */
  readonly rejected: number;
  readonly failedPages: number;
}

export function isCompletePass(pass: Pass): boolean {
  return (
    pass.failedPages === 0 &&
    pass.rejected === 0 &&
    pass.repeated === 0 &&
    !pass.totalMoved &&
    pass.distinct === pass.total &&
    pass.total <= MAX_TOTAL
  );
}

/** Another reading can only help when nothing but the moving of the list stood in the way. */
export function isWorthReadingAgain(pass: Pass): boolean {
  return (pass.totalMoved || pass.repeated > 0) && pass.failedPages === 0;
}

export function exceedsGoneGuard(wouldBeGone: number, current: number): boolean {
  return wouldBeGone >= GONE_GUARD.hosts && wouldBeGone > current * GONE_GUARD.share;
}

/** How many of the hosts asked for by themselves may be marked gone at once. */
export function mostGoneAtOnce(current: number): number {
  return Math.min(MAX_BATCH_HOSTS, Math.max(GONE_GUARD.hosts - 1, Math.floor(current * GONE_GUARD.share)));
}

/** `emptySince` and `now` in Unix seconds; null when the place was not empty before. */
export function isEmptinessConfirmed(emptySince: number | null, now: number): boolean {
  return emptySince !== null && now - emptySince >= EMPTY_CONFIRM_SECONDS;
}

/** How a run that came to its end ended. `readable`: places that gave at least one page. */
export function finalStatus(outcome: {
  readonly readable: number;
  readonly rejected: number;
  readonly errors: readonly SyncRunError[];
}): Extract<SyncStatus, "succeeded" | "partial" | "failed"> {
  if (outcome.readable === 0) return "failed";
  return outcome.rejected > 0 || outcome.errors.length > 0 ? "partial" : "succeeded";
}
