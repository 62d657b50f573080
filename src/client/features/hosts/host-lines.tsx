import type { Host } from "@shared/hosts.ts";
import { isClient } from "@shared/roles.ts";
import { HostExpiryBadge } from "@/components/hosts/expiry-badge";
import { HostEndsText } from "@/components/hosts/host-ends-text";
import { hostOfUser, hostSize, hostTitle, isBilledByTime } from "@/components/hosts/host-facts";
import { HostStatusDot } from "@/components/hosts/host-status";
import { OpenRenewalBadge } from "@/components/hosts/open-renewal";
import { StaleMark } from "@/components/hosts/stale-mark";
import { MiddleCut } from "@/components/middle-cut";
import { Badge } from "@/components/ui/badge";
import { useCurrentUser } from "@/session/session";

type HostLinesProps = {
  host: Host;
  /** The one user whose hosts are listed. */
  userId: string | undefined;
};

/** Name, status and badge; below, when it ends for whom; below that, where and how large it is. */
export function HostLines({ host, userId }: HostLinesProps) {
  return (
    <>
      <span className="flex w-full items-center gap-2">
        <HostStatusDot host={host} />
        <span className="min-w-0 flex-1 font-medium" title={hostTitle(host)}>
          <MiddleCut text={hostTitle(host)} />
        </span>
        <StaleMark host={host} />
        <HostLineBadge host={host} userId={userId} />
      </span>
      {/* It may take a second line: an end that is cut says nothing. */}
      <span className="block w-full pl-4 text-sm break-words tabular-nums">
        <HostEndsText host={host} userId={userId} />
      </span>
      <span className="block w-full truncate pl-4 text-sm text-muted-foreground tabular-nums">
        {host.zoneName} · {hostSize(host)}
      </span>
    </>
  );
}

/** What is most urgent about a host. */
function HostLineBadge({ host, userId }: HostLinesProps) {
  const { role } = useCurrentUser();

  if (host.goneAt !== null) return <Badge tone="danger">已消失</Badge>;
  if (isClient(role) && host.openRenewal !== null) {
    return <OpenRenewalBadge renewal={host.openRenewal} />;
  }
  if (host.users.length === 0 && isBilledByTime(host)) return <Badge>按时</Badge>;
  return <HostExpiryBadge role={role} host={hostOfUser(host, userId)} />;
}
