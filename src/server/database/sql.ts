/** Keys of PostgreSQL's advisory locks. All processes of the product must agree on them. */
export const ADVISORY_LOCKS = {
  /** Held while the schema changes. */
  migration: 7_415_001,
  /** Held until commit by a transaction that appends events, so that ids rise in the order of commits. */
  eventAppend: 7_415_002,
  /** Held until commit by a transaction that changes configurations, so that exactly one is the default. */
  defaultConfig: 7_415_003,
  /** Held by the replica that creates the first super admin. */
  firstAdmin: 7_415_004,
} as const;

/** The LIKE pattern that finds the text anywhere and literally: `%`, `_` and `\` in it are ordinary characters. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
