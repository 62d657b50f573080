import { countingEnd, daysMissing, lastAssignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { expiryState } from "@shared/time.ts";
import { END_TONES } from "@/components/hosts/end-tones";
import { isBilledByTime } from "@/components/hosts/host-facts";
import { periodNote } from "@/components/hosts/period-note";
import { formatDate, formatExpiry } from "@/lib/format";
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

  const state = expiryState(end.at, now);
  const isEarly = daysMissing(providerPeriod(host, now), lastAssignmentEnd(host)) !== null;

  const note = state === "normal" && !isEarly ? " · 正常" : "";

  return (
    <span className={END_TONES[state]}>
      {`${END_LABELS[end.of]} ${formatExpiry(end.at, now)}${note}`}
    </span>
  );
}

const END_LABELS = { assignment: "用户到期", provider: "云端到期" } as const;

/** What follows from the provider's end, which is named where the other one counts. */
function ProviderNote({ host }: { host: Host }) {
  const now = useNow();
  const period = providerPeriod(host, now);
  const note = period === null ? null : periodNote(period, lastAssignmentEnd(host), now);
  if (period === null || note === null) return null;

  const isNamed = countingEnd(host, now)?.of === "provider";
  const text = isNamed ? (note.title ?? note.text) : `云端 ${formatDate(period.end)} ${note.text}`;

  return <span className={NOTE_TONES[period.renewal]}>{`，${text}`}</span>;
}

const NOTE_TONES = {
  none: "text-warning-ink",
  expected: "text-muted-foreground",
  failed: "text-danger-ink",
} as const;
