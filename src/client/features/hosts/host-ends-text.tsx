import type { Host } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { expiryState } from "@shared/time.ts";
import { firstExpiringUser, isBilledByTime, providerExpiry } from "@/components/hosts/host-facts";
import { renewedText } from "@/components/hosts/open-renewal";
import { cn } from "@/lib/cn";
import { formatDate, formatDay, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

/** Ink of an end that needs attention. */
export const END_TONES = {
  expired: "text-danger-ink",
  expiring: "text-warning-ink",
  normal: undefined,
} as const;

/**
 * `王客户 至 12-31 · 云端 12-24`; to a client the end of the own assignment, and the one after a
 * renewal.
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
  const providerEnd = providerExpiry(host);

  return (
    <>
      {user === undefined ? (
        <span className="mr-3 text-muted-foreground">{"未分配 "}</span>
      ) : (
        <span className={cn("mr-3", END_TONES[expiryState(user.assignedExpireTime, now)])}>
          {`${user.name}${others} 至 ${formatDay(user.assignedExpireTime, now)} `}
        </span>
      )}
      {/* A gap and no dot: the second end may stand on a line of its own. */}
      {providerEnd === null ? (
        <span className="text-muted-foreground">
          {isBilledByTime(host) ? "按时计费" : `云端 ${NOTHING}`}
        </span>
      ) : (
        <span className={cn("whitespace-nowrap", END_TONES[expiryState(providerEnd, now)])}>
          {`云端 ${formatDay(providerEnd, now)}`}
        </span>
      )}
    </>
  );
}
