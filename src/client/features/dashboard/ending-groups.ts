import type { Host } from "@shared/hosts.ts";
import { hostTitle } from "@/components/hosts/host-facts";
import { formatDate, formatTimeLeft } from "@/lib/format";

export interface EndingHost {
  readonly host: Host;
  /** Of this person's assignment. Unix seconds. */
  readonly end: number;
}

export interface EndingGroup {
  readonly user: Host["users"][number];
  readonly hosts: readonly EndingHost[];
}

/**
 * Whose assignments end in the window, soonest first. A host that two clients have is with each of
 * them whose own end lies in it.
 */
export function groupByClient(
  hosts: readonly Host[],
  isInWindow: (end: number) => boolean,
): EndingGroup[] {
  const endings = hosts.flatMap((host) =>
    host.users
      .filter(({ assignedExpireTime }) => isInWindow(assignedExpireTime))
      .map((user) => ({ user, host, end: user.assignedExpireTime })),
  );
  const inOrder = endings.toSorted((one, other) => one.end - other.end);
  const byClient = Map.groupBy(inOrder, ({ user }) => user.id);

  return [...byClient.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    return [{ user: first.user, hosts: own.map(({ host, end }) => ({ host, end })) }];
  });
}

/**
 * As it is sent to the client or to a colleague: the name, then a line for each host. Without the
 * provider's end, which is not for clients.
 */
export function groupText({ user, hosts }: EndingGroup, phone: string | null, now: number): string {
  const head = [user.name, phone, `${hosts.length} 台`].filter((part) => part !== null).join(" ");
  const lines = hosts.map(({ host, end }) => hostLine(host, end, now));
  return [head, ...lines].join("\n");
}

/** `web-01（uhost-1a2b3c） 2026-12-01 到期，还有 3 天` */
function hostLine(host: Host, end: number, now: number): string {
  const title = hostTitle(host);
  const id = title === host.ucloudId ? "" : `（${host.ucloudId}）`;
  return `${title}${id} ${formatDate(end)} 到期，${formatTimeLeft(end, now)}`;
}
