import { lastAssignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import type { Host } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { expiryState } from "@shared/time.ts";
import { cn } from "@/lib/cn";
import { formatDate, formatDay, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { END_TONES } from "./end-tones";
import { hostOfUser, isBilledByTime, providerExpiry, shownUser } from "./host-facts";
import { renewedText } from "./open-renewal";
import { ProviderEndNote } from "./provider-end-date";

type HostEndsTextProps = {
  host: Host;
  /** The user whose hosts are listed; else whoever has the host for the shortest time. */
  userId?: string | undefined;
};

/**
 * `王客户 至 12-31 · 云端 12-24 早 7 天`; to a client the end of the own assignment, and the one
 * after a renewal.
 */
export function HostEndsText({ host, userId }: HostEndsTextProps) {
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

  const user = shownUser(host, userId);
  const others = host.users.length > 1 ? ` 等 ${host.users.length} 人` : "";

  return (
    <>
      {user === undefined ? (
        <span className="mr-3 text-muted-foreground">{"未分配 "}</span>
      ) : (
        <span className={cn("mr-3", END_TONES[expiryState(user.assignedExpireTime, now)])}>
          {`${userId === undefined ? `${user.name}${others}` : "用户"} `}
          <span className="whitespace-nowrap">{`至 ${formatDay(user.assignedExpireTime, now)} `}</span>
        </span>
      )}
      {/* A gap and no dot: the second end may stand on a line of its own. */}
      <ProviderEndText host={hostOfUser(host, userId)} />
    </>
  );
}

function ProviderEndText({ host }: { host: Host }) {
  const now = useNow();
  const end = providerExpiry(host);
  if (end === null) {
    return (
      <span className="text-muted-foreground">
        {isBilledByTime(host) ? "按时计费" : `云端 ${NOTHING}`}
      </span>
    );
  }

  const period = providerPeriod(host, now);
  const isCalm = period === null || period.renewal === "expected";
  const tone = isCalm ? "normal" : expiryState(end, now);

  return (
    <span className="whitespace-nowrap">
      <span className={END_TONES[tone]}>{`云端 ${formatDay(end, now)} `}</span>
      {period === null ? null : <ProviderEndNote period={period} until={lastAssignmentEnd(host)} />}
    </span>
  );
}
