import { AppError } from "../errors.ts";

// An id says how far a reader has come, but not in which log. When the database fails over to a
// standby that had not received the newest events, the log goes back, and their ids are given
// again to others. A reader of the lost ones, which resumed after its id, would miss whatever took
// the same or a lower id, and would keep showing what the lost ones had told it.
//
// So each row has a mark, a random number that the database draws. A position is an id and the mark
// of its row, and it holds as long as the row of that id is there with that mark. Nothing has to be
// kept up for it: neither those who append nor whoever promotes a standby need to know. A row that
// took the id of a lost one has the same mark once in ten million times.
//
// Where a reader begins is decided in one place, at the opening of its stream (`findStart` in
// stream.ts). Whoever finds later that a position does not hold any more (the log went back, or the
// clean-up has overtaken a reader that was away) ends the streams with `positionLost`. Their callers
// open them again with the id that they have, as after any lost connection.

/** A place in the log: behind this row. */
export interface LogPosition {
  readonly id: number;
  /** Null for the row of a version before marks, and for the place before the first row. */
  readonly mark: number | null;
}

/** What the log says about a position, at one moment. */
export interface PositionState {
  /** Id of the oldest row. In an empty log: the next id. */
  readonly oldest: number;
  readonly newest: LogPosition;
  /** The mark of the row of that id; null when there is no such row. */
  readonly markThere: number | null;
}

/** As many digits as the largest mark has: see migration 0022. */
const MARK_DIGITS = 7;
const POSITION = /^(0|[1-9]\d{0,14})(?:\.(\d{7}))?$/;

/**
 * Whether every row after the position is there: its own row still is, or, where it names no mark,
 * its successors are.
 */
export function holds({ id, mark }: LogPosition, state: PositionState): boolean {
  if (mark !== null) return mark === state.markThere;
  // A rolled-back append leaves a hole in the ids, which may cost a refetch, never an event.
  return id >= state.oldest - 1 && id <= state.newest.id;
}

export function positionLost(): AppError {
  return new AppError("UNAVAILABLE");
}

/** As receivers know it. It sorts as a number: `105.0123456`, or `105` without a mark. */
export function formatPosition({ id, mark }: LogPosition): string {
  if (mark === null) return String(id);
  return `${id}.${String(mark).padStart(MARK_DIGITS, "0")}`;
}

/** Null for what is no position. */
export function parsePosition(text: string): LogPosition | null {
  const found = POSITION.exec(text);
  if (found === null) return null;

  const [, id, mark] = found;
  return { id: Number(id), mark: mark === undefined ? null : Number(mark) };
}
