import { z } from "zod";

/**
 * A backup is gzipped lines of JSON: the header; the rows of each table, as many as the header says, in its order; the seal. Values are
 * as PostgreSQL's row_to_json gives them, which every version of it reads back.
 */
export const FORMAT = "host-console-backup";
export const FORMAT_VERSION = 1;

/** What every version of the format begins with. */
export const BackupMark = z.object({ format: z.literal(FORMAT), formatVersion: z.int().positive() });

export const BackupHeader = BackupMark.extend({
  productVersion: z.string(),
  takenAt: z.int(),
  /** Names of the migrations that made the tables, in their order. */
  schema: z.array(z.string()).min(1),
  /** Id of the newest event there had been. */
  eventPosition: z.int().nonnegative(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().nonnegative() })),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

/** The last line: SHA-256 of all bytes before it. */
export const BackupSeal = z.object({ sha256: z.string() });
