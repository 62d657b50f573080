import type { Host, HostUser } from "@shared/hosts.ts";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";

/** Somebody who has some of the chosen hosts. */
export interface Holder {
  readonly user: Pick<HostUser, "id" | "name" | "username">;
  /** Those of the chosen hosts that this user has. */
  readonly hosts: readonly Host[];
  /** The first and the last of the ends, in Unix seconds. */
  readonly firstEnd: number;
  readonly lastEnd: number;
}

/** Whoever has some of the hosts; who has most of them comes first. */
export function holdersOf(hosts: readonly Host[]): Holder[] {
  const holders = new Map<string, Holder>();
  for (const host of hosts) {
    for (const user of host.users) {
      const end = user.assignedExpireTime;
      const known = holders.get(user.id);
      holders.set(user.id, {
        user,
        hosts: [...(known?.hosts ?? []), host],
        firstEnd: Math.min(known?.firstEnd ?? end, end),
        lastEnd: Math.max(known?.lastEnd ?? end, end),
      });
    }
  }
  return [...holders.values()].toSorted((one, other) => other.hosts.length - one.hosts.length);
}

/** Those who have some of the hosts besides the user. */
export function otherHolders(hosts: readonly Host[], userId: string): Holder[] {
  return holdersOf(hosts).filter(({ user }) => user.id !== userId);
}

/** `12 台目前由何晓燕使用至 2026-12-31`; of a single host without the number. */
export function holderSentence(holder: Holder, total: number): string {
  const count = total === 1 ? "" : `${formatNumber(holder.hosts.length)} 台`;
  return `${count}目前由${holder.user.name}使用至 ${endsText(holder)}`;
}

/** `2026-12-31`, or `2026-11-30 – 2026-12-31 不等`. */
export function endsText({ firstEnd, lastEnd }: Pick<Holder, "firstEnd" | "lastEnd">): string {
  const first = formatDate(firstEnd);
  const last = formatDate(lastEnd);
  return first === last ? first : `${first} – ${last} 不等`;
}
