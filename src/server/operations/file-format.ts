import { z } from "zod";

export const FORMAT = "host-console-backup";
/** Version 1 ended with a SHA-256 of its lines. Version 2 relies on gzip's checksum and length. */
export const FORMAT_VERSION = 2;

/** What the header of every version has. */
export const FormatMark = z.object({ format: z.literal(FORMAT), formatVersion: z.int().positive() });

/** The first line. The rows of each table follow, one JSON object a line, as many as it says and in its order. */
export const BackupHeader = FormatMark.extend({
  productVersion: z.string(),
  /** Unix seconds */
  takenAt: z.int(),
  /** Names of the executed migrations, in order. */
  schema: z.array(z.string()).min(1),
  /** The highest event id ever given out. */
  eventPosition: z.int().nonnegative(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().nonnegative() })),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

/** The last line, in version 2 and in version 1. */
export const LastLine = z.union([z.object({ end: z.literal(true) }), z.object({ sha256: z.string() })]);
