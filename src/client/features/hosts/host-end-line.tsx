import { countingEnd, daysMissing, lastAssignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { expiryState } from "@shared/time.ts";
import { END_TONES } from "@/components/hosts/end-tones";
import { isBilledByTime } from "@/components/hosts/host-facts";
import { formatDate, formatExpiry } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";

/** The end that counts: `云端到期 2027-02-03 · 还有 66 天，比用户到期早 24 天`. Not for clients. */
export function HostEndLine({ host }: { host: Host }) {
  return (
    <p className="text-sm tabular-nums">
      <CountingEndText host={host} />
      <ProviderNote host={host} />
    </p>
  );
}

function CountingEndText({ host }: { host: Host }) {
  const now = useNow();
  const end = countingEnd(host, now);
  if (end === null) {
    return (
      <span className="text-muted-foreground">
        {isBilledByTime(host) ? "未分配，按时计费" : "未分配"}
      </span>
    );
  }

  return (
    <span className={END_TONES[expiryState(end.at, now)]}>
      {`${END_LABELS[end.of]} ${formatExpiry(end.at, now)}`}
    </span>
  );
}

const END_LABELS = { assignment: "用户到期", provider: "云端到期" } as const;

/** What follows from the provider's end. */
function ProviderNote({ host }: { host: Host }) {
  const now = useNow();
  const period = providerPeriod(host, now);
  if (period === null) return null;

  if (period.renewal === "expected") {
    return (
      <span className="text-muted-foreground">{`，云端 ${formatDate(period.end)} 自动续费`}</span>
    );
  }

  const days = daysMissing(period, lastAssignmentEnd(host));
  if (days === 0) return null;
  return <span className="text-warning-ink">{`，比用户到期早 ${formatNumber(days)} 天`}</span>;
}
