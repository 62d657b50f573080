import { daysMissing, type ProviderPeriod } from "@shared/host-ends.ts";
import { formatNumber } from "@/lib/format-number";

/** The provider's period is over although it renews the host by itself. */
export const RENEWAL_FAILED = "自动续费未成功";

/** `早 24 天`; null where the provider does not end first, or renews the host by itself. */
export function earlyText(period: ProviderPeriod | null, until: number | null): string | null {
  const days = daysMissing(period, until);
  if (days === null) return null;
  return days === 0 ? "早不到 1 天" : `早 ${formatNumber(days)} 天`;
}

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

  const early = earlyText(period, until);
  if (early === null || period.end < now) return null;

  return { text: early, title: `比用户到期${early}` };
}
