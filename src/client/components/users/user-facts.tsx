import type { ListedUser } from "@shared/users.ts";
import { Link } from "wouter";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { NOTHING } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";

type UserFactProps = { user: Pick<ListedUser, "id" | "name" | "role" | "hostCount" | "nextEnd"> };

/** Leads to the hosts; only clients have any. */
export function HostCount({ user: { id, name, role, hostCount } }: UserFactProps) {
  if (role !== "client") return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <Link
      href={`/hosts?userId=${id}`}
      aria-label={`${name} 的 ${hostCount} 台主机`}
      className="rounded-sm whitespace-nowrap text-primary-ink hover:underline"
    >
      {formatNumber(hostCount)} 台
    </Link>
  );
}

/** When the next of the hosts ends. */
export function NextEnd({ user: { nextEnd } }: UserFactProps) {
  return <ExpiryDate at={nextEnd} />;
}
