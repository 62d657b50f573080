import type { Renewal } from "@shared/renewals.ts";
import { Mono } from "@/components/ui/copyable-text";
import { ExpiryBadge } from "@/hosts/expiry-badge";
import { hostSize, hostTitle } from "@/hosts/host-tab";
import { formatDate, formatExpiry } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { expiryAfter } from "./extension";

/** How one request's facts are drawn, in the table and on the cards. */
export function RequestedHost({ renewal: { host } }: { renewal: Renewal }) {
  return (
    <div className="min-w-0">
      <p className="truncate font-medium" title={hostTitle(host)}>
        {hostTitle(host)}
      </p>
      <p className="truncate text-sm text-muted-foreground tabular-nums">
        <Mono>{host.ucloudId}</Mono> · {hostSize(host)}
      </p>
    </div>
  );
}

/** The client's end as it stands. Its badge says what presses, so only what is still to be decided or paid for has one. */
export function ClientEnd({ renewal }: { renewal: Renewal }) {
  const now = useNow();
  const { assignedExpireTime } = renewal;
  if (expiryAfter(renewal, now) === null) return formatExpiry(assignedExpireTime, now);
  return (
    <>
      {formatDate(assignedExpireTime)} <ExpiryBadge expiry={assignedExpireTime} />
    </>
  );
}

/** The present end of the client's time and, where one is asked for, the end it would become. */
export function ExpiryChange({ renewal }: { renewal: Renewal }) {
  const now = useNow();
  const after = expiryAfter(renewal, now);
  return (
    <div className="text-sm tabular-nums">
      <p className="whitespace-nowrap">
        <ClientEnd renewal={renewal} />
      </p>
      {after === null ? null : <p className="whitespace-nowrap text-muted-foreground">续费后 {formatDate(after)}</p>}
    </div>
  );
}
