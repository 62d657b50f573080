import { localDateTime } from "../../../shared/shanghai.ts";

/** `2026-12-01 08:30:00` of a moment in Unix seconds; an empty cell without one. */
export function timeCell(seconds: number | null): string | null {
  return seconds === null ? null : localDateTime(seconds);
}

/** Several values in one cell. */
export function listCell(values: readonly string[]): string {
  return values.join("; ");
}
