import {
  type EndingHost,
  lastAssignmentEnd,
  type ProviderPeriod,
  providerPeriod,
} from "@shared/host-ends.ts";
import { useNow } from "@/lib/use-now";
import { ExpiryDate } from "./expiry-date";
import { providerExpiry } from "./host-facts";
import { periodNote } from "./period-note";

type ProviderEndDateProps = {
  host: EndingHost;
  /** The assignment's end to compare with; the last one by default. Unix seconds. */
  until?: number | null;
  className?: string;
};

/**
 * The provider's end, and what follows from it: `2027-02-03 早 24 天` where the client was promised
 * more, `2027-02-03 自动续费` where nobody has to care. Of a host that is gone the
 * date alone. Not for clients.
 */
export function ProviderEndDate(props: ProviderEndDateProps) {
  const { host, until = lastAssignmentEnd(host), className } = props;
  const now = useNow();
  const period = providerPeriod(host, now);

  return (
    <ExpiryDate
      at={providerExpiry(host)}
      isCalm={period === null || period.renewal === "expected"}
      {...(className === undefined ? {} : { className })}
    >
      {period === null ? null : <ProviderEndNote period={period} until={until} />}
    </ExpiryDate>
  );
}

type ProviderEndNoteProps = { period: ProviderPeriod; until: number | null };

/** `早 24 天`, `自动续费`, `自动续费未成功`; nothing where the date says it all. */
export function ProviderEndNote({ period, until }: ProviderEndNoteProps) {
  const note = periodNote(period, until, useNow());
  if (note === null) return null;

  return (
    <span title={note.title} className={NOTE_LOOKS[period.renewal]}>
      {note.text}
    </span>
  );
}

const NOTE_LOOKS = {
  none: "text-xs font-medium text-warning-ink",
  expected: "text-xs text-muted-foreground",
  failed: "text-xs font-medium text-danger-ink",
} as const;
