import { type Host, UNSETTLED_STATUSES } from "../../../shared/hosts.ts";
import { SETTLING_SECONDS } from "../../../shared/settling.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";

/** A start or a stop takes a few minutes; after this many somebody should look. */
const USUAL_MINUTES = 15;

export interface Transition {
  /** `已 11 分钟` */
  readonly text: string;
  readonly isTooLong: boolean;
  /** The server still asks again by itself. */
  readonly isWatched: boolean;
}

/** For how long a host has been on its way to another status; null where that is not known. */
export function transitionOf(
  { status, statusSince, goneAt }: Pick<Host, "status" | "statusSince" | "goneAt">,
  now: number,
): Transition | null {
  if (!UNSETTLED_STATUSES.includes(status) || statusSince === null || goneAt !== null) return null;

  const seconds = Math.max(0, now - statusSince);
  return {
    text: lasted(seconds),
    isTooLong: seconds > USUAL_MINUTES * 60,
    isWatched: seconds < SETTLING_SECONDS,
  };
}

function lasted(seconds: number): string {
  if (seconds < 60) return "不到 1 分钟";
  if (seconds < 3600) return `已 ${Math.floor(seconds / 60)} 分钟`;
  if (seconds < DAY_SECONDS) return `已 ${Math.floor(seconds / 3600)} 小时`;
  return `已 ${Math.floor(seconds / DAY_SECONDS)} 天`;
}
