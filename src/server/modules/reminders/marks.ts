import { localDay, startOfLocalDay } from "../../../shared/shanghai.ts";
import { EXPIRED_MARK } from "./entity.ts";

/*
 * When somebody is reminded of an end.
 *
 * A mark is a number of days, and lies on the day that is so many days before that of the end; 0 is
 * the day of the end itself. The day after it is one more mark, by which an end has expired. All days
 * are those of Shanghai.
 *
 * Once a day, at the time that the rules give, all marks of that day are looked at. What is then not
 * to be sent, because the client's renewal is pending, because it has no recipient or because the
 * host is gone, is not made up for. Nor is the mark of an end that is set after that time of the day.
 * So a day is over when it has been looked at, and `coveredDay` keeps the last one.
 *
 * When nothing ran for some days, the next look covers them, too. Of an end that has several marks
 * on these days only the nearest counts: nobody wants to hear that 30 and that 7 days are left. A
 * mark of a day before says that the end is to come, so it is left out when that has passed. That of
 * today is sent even if the end passed this morning. A mark of a day before that on which the end
 * was set was never missed: the end was not known then.
 */

/** What is looked at now. Days since 1970-01-01, in Shanghai. */
export interface DueDays {
  /** Marks of this day and of those before it are over. */
  readonly after: number;
  readonly today: number;
  /** In Unix seconds. */
  readonly now: number;
}

interface Rules {
  readonly isActive: boolean;
  /** A time of day, such as `09:00`. */
  readonly sendAt: string;
  /** Null when no day has been looked at yet: what was before that is over. */
  readonly coveredDay?: number | null | undefined;
}

/**
 * Null when nothing is due: switched off, too early, or today was looked at. A day that lies ahead
 * was covered by a clock that was set back since. It says nothing about today, of which the ledger
 * knows what was sent.
 */
export function dueDays({ isActive, sendAt, coveredDay }: Rules, now: number): DueDays | null {
  const today = localDay(now);
  const sendTime = startOfLocalDay(today) + secondsOf(sendAt);
  if (!isActive || coveredDay === today || now < sendTime) return null;

  const yesterday = today - 1;
  return { after: Math.min(coveredDay ?? yesterday, yesterday), today, now };
}

/** From the beginning of a day to a time such as `09:00`. */
function secondsOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 3_600 + minutes * 60;
}

interface KnownEnd {
  /** In Unix seconds, as the following. */
  readonly expireTime: number;
  /** When the end was set, if that was after the first of the days that are due; else null. */
  readonly setAt: number | null;
}

/** The mark by which somebody is reminded of this end now; null for none. */
export function dueMark(
  { expireTime, setAt }: KnownEnd,
  marks: readonly number[],
  { after, today, now }: DueDays,
): number | null {
  const dayOf = (mark: number) => localDay(expireTime) - mark;
  const isDue = (mark: number) => dayOf(mark) > after && dayOf(mark) <= today;
  const isKnown = (mark: number) => setAt === null || localDay(setAt) <= dayOf(mark);

  const due = withExpired(marks).filter((mark) => isDue(mark) && isKnown(mark));
  if (due.length === 0) return null;

  const nearest = Math.min(...due);
  const isMissed = dayOf(nearest) < today;
  if (isMissed && nearest !== EXPIRED_MARK && expireTime <= now) return null;

  return nearest;
}

/** Without marks nobody is reminded of these ends at all. */
function withExpired(marks: readonly number[]): readonly number[] {
  return marks.length === 0 ? [] : [...marks, EXPIRED_MARK];
}

/** When an end has a mark on the days that are due. Unix seconds, `from` included, `to` not. */
export interface EndRange {
  readonly from: number;
  readonly to: number;
}

export function dueRanges(marks: readonly number[], { after, today }: DueDays): EndRange[] {
  return withExpired(marks).map((mark) => ({
    from: startOfLocalDay(after + 1 + mark),
    to: startOfLocalDay(today + 1 + mark),
  }));
}
