/** Token bucket per key: `perSecond` calls at once, refilled evenly. */
export function createRateLimit(perSecond: number): { admits(key: string): boolean; reset(): void } {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    admits: (key) => {
      if (!Number.isFinite(perSecond)) return true;
      const now = performance.now();
      const bucket = buckets.get(key) ?? { tokens: perSecond, at: now };
      const tokens = Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
      return tokens >= 1;
    },
    reset: () => buckets.clear(),
  };
}
