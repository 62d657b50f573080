import type { Host } from "@shared/hosts.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { Badge } from "@/components/ui/badge";
import { formatDate } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { HostExpiryBadge, HostStatusDot, hostSize, hostTitle, isBilledByTime } from "./host-display";

/** Name, status and expiry badge, zone and size below; to a client the date and size, and a third line for the zone. */
export function HostLines({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  return (
    <>
      <span className="flex w-full items-center gap-2">
        <HostStatusDot host={host} />
        <span className="min-w-0 flex-1 truncate font-medium">{hostTitle(host)}</span>
        {host.goneAt !== null ? (
          <Badge tone="danger">已消失</Badge>
        ) : isSuperAdmin(role) && isBilledByTime(host) ? (
          <Badge>按时</Badge>
        ) : (
          <HostExpiryBadge role={role} host={host} />
        )}
      </span>
      <span className="block w-full truncate pl-4 text-sm text-muted-foreground tabular-nums">
        {isClient(role) ? `至 ${formatDate(host.expireTime)}` : host.zoneName} · {hostSize(host)}
      </span>
      {isClient(role) ? (
        <span className="block w-full truncate pl-4 text-sm text-muted-foreground">{host.zoneName}</span>
      ) : null}
    </>
  );
}
