import { lastAssignmentEnd, providerPeriod } from "@shared/host-ends.ts";
import { HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { firstExpiringUser } from "@/components/hosts/host-facts";
import { sortedIps } from "@/components/hosts/host-ips";
import { periodNote } from "@/components/hosts/period-note";
import { formatExpiry } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import type { FoundRow } from "./found-group";

/** Name and id; below them the address that was meant, who has it, and until when. */
export function hostResult(role: Role, host: Host, search: string): FoundRow {
  const facts = [matchedAddress(host, search), ...holderFacts(role, host)].filter(
    (fact) => fact !== null,
  );
  return {
    id: host.id,
    name: host.name,
    details: (
      <>
        <span className="ml-1 font-mono text-xs text-muted-foreground">{host.ucloudId}</span>
        {/* It may take a second line, between two facts: an end that is cut says nothing. */}
        <span className="block text-xs whitespace-normal text-muted-foreground tabular-nums">
          {facts.map((fact, index) => (
            <Fact key={fact} text={index === 0 ? fact : ` · ${fact}`} />
          ))}
        </span>
      </>
    ),
    trailing: host.goneAt === null ? HOST_STATUS_LABELS[host.status] : "已消失",
    href: `/hosts?${new URLSearchParams({ search: host.name || host.ucloudId, host: host.id })}`,
  };
}

function Fact({ text }: { text: string }) {
  return (
    <span className="inline-block max-w-full truncate align-bottom whitespace-pre">{text}</span>
  );
}

/** The address that holds what was typed; null where the name or the id does. */
function matchedAddress({ ipSet }: Host, search: string): string | null {
  return sortedIps(ipSet).find(({ IP }) => IP.includes(search))?.IP ?? null;
}

/** Who has the host and both ends; a client has it, and knows one. */
function holderFacts(role: Role, host: Host): (string | null)[] {
  if (isClient(role)) return [`到期 ${formatExpiry(host.expireTime)}`];

  const first = firstExpiringUser(host);
  const others = host.users.length > 1 ? ` 等 ${host.users.length} 人` : "";

  return [
    first === undefined ? "未分配" : `${first.name}${others}`,
    first === undefined ? null : `用户到期 ${formatExpiry(first.assignedExpireTime)}`,
    providerEndFact(host),
  ];
}

/** With what follows from it: `云端到期 2027-02-03 · 还有 66 天 早 24 天`. */
function providerEndFact(host: Host): string | null {
  const now = serverNow();
  const period = providerPeriod(host, now);
  if (period === null) return null;

  const note = periodNote(period, lastAssignmentEnd(host), now);
  return `云端到期 ${formatExpiry(period.end, now)}${note === null ? "" : ` ${note.text}`}`;
}
