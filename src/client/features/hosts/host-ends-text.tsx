import { assignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { expiryState } from "@shared/time.ts";
import { END_TONES } from "@/components/hosts/end-tones";
import { firstExpiringUser, isBilledByTime } from "@/components/hosts/host-facts";
import { renewedText } from "@/components/hosts/open-renewal";
import { ProviderEndNote } from "@/components/hosts/provider-end-date";
import { cn } from "@/lib/cn";
import { formatDate, formatDay, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

/**
 * `王客户 至 12-31 · 云端 12-24 早 7 天`; to a client the end of the own assignment, and the one
 * after a renewal.
 */
export function HostEndsText({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const now = useNow();

  if (isClient(role)) {
    const renewed = renewedText(host, now);
    const tone = host.expireTime === null ? "normal" : expiryState(host.expireTime, now);
    return (
      <>
        <span className={END_TONES[tone]}>{`至 ${formatDate(host.expireTime)}`}</span>
        {renewed === null ? null : <span className="text-info-ink">{`，${renewed}`}</span>}
      </>
    );
  }

  const user = firstExpiringUser(host);
  const others = host.users.length > 1 ? ` 等 ${host.users.length} 人` : "";

  return (
    <>
      {user === undefined ? (
        <span className="mr-3 text-muted-foreground">{"未分配 "}</span>
      ) : (
        <span className={cn("mr-3", END_TONES[expiryState(user.assignedExpireTime, now)])}>
          {`${user.name}${others} `}
          <span className="whitespace-nowrap">{`至 ${formatDay(user.assignedExpireTime, now)} `}</span>
        </span>
      )}
      {/* A gap and no dot: the second end may stand on a line of its own. */}
      <ProviderEndText host={host} />
    </>
  );
}

function ProviderEndText({ host }: { host: Host }) {
  const now = useNow();
  const period = providerPeriod(host, now);
  if (period === null) {
    return (
      <span className="text-muted-foreground">
        {isBilledByTime(host) ? "按时计费" : `云端 ${NOTHING}`}
      </span>
    );
  }

  const tone = period.renewal === "expected" ? "normal" : expiryState(period.end, now);

  return (
    <span className="whitespace-nowrap">
      <span className={END_TONES[tone]}>{`云端 ${formatDay(period.end, now)} `}</span>
      <ProviderEndNote period={period} until={assignmentEnd(host)} />
    </span>
  );
}
