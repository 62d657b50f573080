/** Milliseconds of a Retry-After header, in seconds or as a date; null for anything else. */
export function readRetryAfter(header: unknown, now = Date.now()): number | null {
  if (typeof header !== "string") return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse takes numbers and much else for dates too.
  const at = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
