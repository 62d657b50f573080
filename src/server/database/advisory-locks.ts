/** Any numbers, but each other's; all processes of this product agree on them. */
export const ADVISORY_LOCKS = {
  /** Held while tables change. */
  migration: 7_415_001,
  /** Held until commit by whoever appends events, so that ids rise in the order of commits and no reader skips one. */
  eventAppend: 7_415_002,
  /** Held until commit by whoever changes configurations, so that exactly one stays the default. */
  defaultConfig: 7_415_003,
  /** Replicas that start together take it in turn, and only the first finds no super admin. */
  firstAdmin: 7_415_004,
} as const;
