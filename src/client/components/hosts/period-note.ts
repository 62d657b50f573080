import { daysMissing, type ProviderPeriod } from "@shared/host-ends.ts";
import { formatNumber } from "@/lib/format-number";

/** The provider's period is over although it renews the host by itself. */
export const RENEWAL_FAILED = "自动续费未成功";

interface PeriodNote {
  readonly text: string;
  /** In full, where the text is short. */
  readonly title?: string;
}

/**
 * What stands beside the provider's end: `早 24 天` of a client who has the host until `until`,
 * `自动续费`, `自动续费未成功`. Null where the date says it all: a period that is over says for how
 * long.
 */
export function periodNote(
  period: ProviderPeriod,
  until: number | null,
  now: number,
): PeriodNote | null {
  if (period.renewal === "expected") return { text: "自动续费" };
  if (period.renewal === "failed") return { text: RENEWAL_FAILED };

  const missing = daysMissing(period, until);
  if (missing === 0 || period.end < now) return null;

  const days = formatNumber(missing);
  return { text: `早 ${days} 天`, title: `比用户到期早 ${days} 天` };
}
