import type { Host } from "@shared/hosts.ts";
import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { Badge } from "@/components/ui/badge";
import { formatMemory } from "@/lib/format";
import { ExpiryBadge } from "./expiry-badge";
import { expiryFor, isBilledByTime } from "./host-expiry";
import { HostStatusDot } from "./host-status";

type HostTabContentProps = { host: Host; role: Role; now: number };

/** Two lines: which host and how long it lasts; where it is and how big. */
export function HostTabContent({ host, role, now }: HostTabContentProps) {
  return (
    <>
      <span className="flex w-full items-center gap-2">
        <HostStatusDot host={host} />
        <span className="min-w-0 flex-1 truncate font-medium">{hostTitle(host)}</span>
        {host.goneAt === null ? (
          <ExpiryBadge
            expiry={expiryFor(role, host)}
            now={now}
            fallback={isBilledByTime(host) && isSuperAdmin(role) ? "按时" : null}
          />
        ) : (
          <Badge tone="danger">已消失</Badge>
        )}
      </span>
      <span className="block w-full truncate pl-4 text-sm text-muted-foreground tabular-nums">
        {host.zoneName} · {hostSize(host)}
      </span>
    </>
  );
}

export function hostTitle(host: Pick<Host, "name" | "ucloudId">): string {
  return host.name.trim() === "" ? host.ucloudId : host.name;
}

/** `4 核 8 GB` */
export function hostSize(host: Pick<Host, "cpu" | "memory">): string {
  return `${host.cpu} 核 ${formatMemory(host.memory)}`;
}
