import { parseImportedEnd } from "@shared/imported-end.ts";
import type { ImportChange, ImportResult } from "@shared/imports.ts";
import { datesApart } from "@shared/shanghai.ts";
import { formatNumber } from "@/lib/format-number";

/*
 * What is said before present users or assignments are overwritten.
 */

type Changes = readonly ImportChange[];

/** `将修改 3 个用户的资料` */
export function userUpdatesText(result: ImportResult): string | null {
  const updates = updatesOf(result);
  return updates.length === 0 ? null : `将修改 ${formatNumber(updates.length)} 个用户的资料`;
}

/** `将修改 3 台主机的到期时间，其中 2 台提前；将修改 1 台主机的备注` */
export function assignmentUpdatesText(result: ImportResult): string | null {
  const updates = updatesOf(result);
  const ends = updates.filter((changes) => endChangeOf(changes) !== undefined);
  const earlier = ends.filter((changes) => earlierDays(changes) !== null);
  const remarksAlone = updates.length - ends.length;

  const parts = [];
  if (ends.length > 0) {
    const some = earlier.length > 0 ? `，其中 ${formatNumber(earlier.length)} 台提前` : "";
    parts.push(`将修改 ${formatNumber(ends.length)} 台主机的到期时间${some}`);
  }
  if (remarksAlone > 0) parts.push(`将修改 ${formatNumber(remarksAlone)} 台主机的备注`);
  return parts.length === 0 ? null : parts.join("；");
}

/** `比原来早 118 天`; null when the end does not move, or moves to a later moment. */
export function earlierText(changes: Changes, now: number): string | null {
  const days = earlierDays(changes);
  if (days === null) return null;

  const distance = days === 0 ? "比原来早不到 1 天" : `比原来早 ${formatNumber(days)} 天`;
  const isPast = timeOf(endChangeOf(changes)?.to) <= now;
  return isPast ? `${distance}，已经过去` : distance;
}

function updatesOf({ rows }: ImportResult): Changes[] {
  return rows
    .filter(({ action, ok }) => ok && action === "update")
    .map(({ changes = [] }) => changes);
}

/** By how many dates the end moves forward, 0 within one date; null when it does not. */
function earlierDays(changes: Changes): number | null {
  const change = endChangeOf(changes);
  const from = timeOf(change?.from);
  const to = timeOf(change?.to);
  return to < from ? datesApart(to, from) : null;
}

function endChangeOf(changes: Changes): ImportChange | undefined {
  return changes.find(({ field }) => field === "assignedExpireTime");
}

/** Nothing is earlier or later than what is no time. */
function timeOf(text: string | undefined): number {
  return parseImportedEnd(text ?? "") ?? Number.NaN;
}
