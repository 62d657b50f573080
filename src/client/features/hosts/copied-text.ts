import type { Host } from "@shared/hosts.ts";
import { tabbedText } from "@shared/spreadsheet.ts";
import type { HostColumn } from "@/components/hosts/host-columns";
import { hostSize, hostTitle } from "@/components/hosts/host-facts";
import { formatDate } from "@/lib/format";

type Configs = Parameters<HostColumn["copied"][number]["text"]>[1];

/** The columns in their order, under their heads. */
export function hostsText(
  hosts: readonly Host[],
  columns: readonly HostColumn[],
  configs: Configs,
): string {
  const cells = columns.flatMap(({ copied }) => copied);
  const head = cells.map(({ header }) => header);
  const rows = hosts.map((host) => cells.map(({ text }) => text(host, configs)));
  return tabbedText([head, ...rows]);
}

type UsedHost = Pick<Host, "id" | "name" | "ucloudId" | "cpu" | "memory" | "users">;

/** What a user has, from when until when. */
export interface Use {
  readonly host: UsedHost;
  readonly user: Host["users"][number];
}

/** Of the one user whose hosts are listed, or of all, one user after the other. */
export function usesOf(hosts: readonly UsedHost[], userId: string | undefined): Use[] {
  return hosts
    .flatMap((host) => host.users.map((user) => ({ host, user })))
    .filter(({ user }) => userId === undefined || user.id === userId)
    .toSorted((one, other) => one.user.name.localeCompare(other.user.name, "zh-CN"));
}

/**
 * To be sent to users: nothing of the provider. Who has the host is named only where there are
 * several, whose rows then go to each of them.
 */
export function usesText(uses: readonly Use[]): string {
  const hasSeveralUsers = new Set(uses.map(({ user }) => user.id)).size > 1;
  const head = ["主机", "规格", "开始", "到期"];
  const rows = uses.map(({ host, user }) => [
    hostTitle(host),
    hostSize(host),
    formatDate(user.assignedAt),
    formatDate(user.assignedExpireTime),
  ]);
  if (!hasSeveralUsers) return tabbedText([head, ...rows]);

  const named = rows.map((cells, index) => [uses[index]?.user.name ?? "", ...cells]);
  return tabbedText([["用户", ...head], ...named]);
}
