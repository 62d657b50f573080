import type { Host } from "@shared/hosts.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { Badge } from "@/components/ui/badge";
import { formatDate } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { HostExpiryBadge, HostStatusDot, hostSize, hostTitle, isBilledByTime } from "./host-display";

/** Name, status and end; zone and size below. */
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
        {isClient(role) && host.expireTime !== null ? `至 ${formatDate(host.expireTime)} · ` : null}
        {host.zoneName} · {hostSize(host)}
      </span>
    </>
  );
}
