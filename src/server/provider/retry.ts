import type { ProviderFailure } from "./failure.ts";

export type RetryAdvice = "never" | "soon" | "slowly";

/** The longest single back-off, before jitter. */
const MAX_BACKOFF_MS = 8_000;
/** Throttling starts four times later than trouble does: 2 s for 0.5 s. */
const THROTTLE_FACTOR = 4;

const RETRYABLE_RET_CODES: ReadonlySet<number> = new Set([110, 130, 150, 8857, 8881]);

/** The longest that a provider's own word to wait is kept to before it is asked again. */
export const MAX_RETRY_AFTER_MS = 60_000;

/** Milliseconds that a Retry-After header asks for, in seconds or as a date; null for one that says nothing. */
export function readRetryAfter(header: unknown, now = Date.now()): number | null {
  if (typeof header !== "string") return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // A date only: the parser takes numbers and much else for one too.
  const at = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Only reads are tried again: the provider has no idempotency keys, so a repeated write may act twice. */
export function isReadAction(action: string): boolean {
  return /^(Get|Describe|List)[A-Z]/.test(action);
}

export function retryAdvice(failure: ProviderFailure): RetryAdvice {
  if (failure.kind === "throttled") return "slowly";
  if (failure.retCode !== null) return RETRYABLE_RET_CODES.has(failure.retCode) ? "soon" : "never";
  switch (failure.kind) {
    case "network":
    case "dns":
    case "timeout":
    case "unavailable":
      return "soon";
    case "unauthorized":
    case "ip-refused":
    case "security-lock":
    case "forbidden":
    case "not-opened":
    case "project-missing":
    case "tls":
    case "address-refused":
    case "redirect":
    case "too-large":
    case "malformed":
    case "unexpected":
      return "never";
  }
}

/** Milliseconds before retry number `retry` (0…): doubling from the base, up to half as much again by chance. */
export function backoffMs(advice: "soon" | "slowly", retry: number, baseMs: number): number {
  const factor = advice === "slowly" ? THROTTLE_FACTOR : 1;
  const delay = Math.min(baseMs * factor * 2 ** retry, MAX_BACKOFF_MS);
  return delay * (1 + Math.random() / 2);
}
