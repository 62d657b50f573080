/** Ink of an end that needs attention. What is in order has none: only exceptions are coloured. */
export const END_TONES = {
  expired: "text-danger-ink",
  expiring: "text-warning-ink",
  normal: undefined,
} as const;
