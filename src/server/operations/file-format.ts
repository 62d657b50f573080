import type { Hash } from "node:crypto";
import { z } from "zod";

export const FORMAT = "host-console-backup";
export const FORMAT_VERSION = 1;

/** The first line. The rows of each table follow, one JSON object a line, as many as it says and in its order. */
export const BackupHeader = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.int().positive(),
  productVersion: z.string(),
  /** Unix seconds */
  takenAt: z.int(),
  schema: z.array(z.string()).min(1),
  /** The highest event id ever given out. */
  eventPosition: z.int().nonnegative(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().nonnegative() })),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

/** The last line: the SHA-256 of all bytes before it. */
export function lastLine(hash: Hash): string {
  return JSON.stringify({ sha256: hash.digest("hex") });
}
