const CHINA_OFFSET_MS = 8 * 3600 * 1000;

export interface Month {
  /** `2026-12` */
  readonly name: string;
  /** Unix seconds of its first moment. */
  readonly start: number;
}

/** The month of `now` (Unix seconds) and those that follow, as China counts them. */
export function monthsFrom(now: number, count: number): Month[] {
  const today = new Date(now * 1000 + CHINA_OFFSET_MS);
  return Array.from({ length: count }, (_, index) => {
    const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + index, 1));
    return { name: first.toISOString().slice(0, 7), start: (first.getTime() - CHINA_OFFSET_MS) / 1000 };
  });
}
