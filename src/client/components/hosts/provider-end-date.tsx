import {
  assignmentEnd,
  daysMissing,
  type EndingHost,
  type ProviderPeriod,
  providerPeriod,
} from "@shared/host-ends.ts";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { ExpiryDate } from "./expiry-date";

type ProviderEndDateProps = {
  host: EndingHost;
  /** The assignment's end to compare with; that of the first client by default. Unix seconds. */
  until?: number | null;
  className?: string;
};

/**
 * The provider's end, and what follows from it: `2027-02-03 早 24 天` where the client was promised
 * more, `2027-02-03 自动续费` where nobody has to care. Not for clients.
 */
export function ProviderEndDate(props: ProviderEndDateProps) {
  const { host, until = assignmentEnd(host), className } = props;
  const now = useNow();
  const period = providerPeriod(host, now);

  return (
    <ExpiryDate
      at={period?.end ?? null}
      isCalm={period?.renewal === "expected"}
      {...(className === undefined ? {} : { className })}
    >
      {period === null ? null : <ProviderEndNote period={period} until={until} />}
    </ExpiryDate>
  );
}

type ProviderEndNoteProps = { period: ProviderPeriod; until: number | null };

/** `早 24 天`, `自动续费`, `自动续费未成功`; nothing where the date says it all. */
export function ProviderEndNote({ period, until }: ProviderEndNoteProps) {
  const now = useNow();

  if (period.renewal === "expected") {
    return <span className="text-xs text-muted-foreground">自动续费</span>;
  }
  if (period.renewal === "failed") {
    return <span className="text-xs font-medium text-danger-ink">{RENEWAL_FAILED}</span>;
  }

  const days = daysMissing(period, until);
  // A period that is over is in red already, and says for how long.
  if (days === 0 || period.end < now) return null;
  return (
    <span
      title={`比用户到期早 ${formatNumber(days)} 天`}
      className="text-xs font-medium text-warning-ink"
    >
      {`早 ${formatNumber(days)} 天`}
    </span>
  );
}

/** The provider's period is over although it renews the host by itself. */
export const RENEWAL_FAILED = "自动续费未成功";
