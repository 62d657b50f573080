import { HELD_REASON_LABELS, type HeldHost } from "@shared/held-hosts.ts";
import type { Column } from "@/components/data-table";
import { ConfigName } from "@/components/hosts/config-name";
import { HostName } from "@/components/hosts/host-name";
import { UsersCell } from "@/components/hosts/users-cell";
import { RelativeTime } from "@/components/relative-time";

export type HeldRow = HeldHost & { id: string };

/** Not sortable: those that were held last come first. A phone shows host and reason. */
export const HELD_COLUMNS: readonly Column<HeldRow>[] = [
  {
    id: "host",
    header: "主机",
    className: "w-[26%] min-w-44 max-w-0",
    cell: ({ host }) => <HostName host={host} href={`/hosts?host=${host.id}`} />,
  },
  {
    id: "reason",
    header: "原因",
    className: "whitespace-nowrap",
    cell: ({ reason }) => HELD_REASON_LABELS[reason],
  },
  {
    id: "heldAt",
    header: "暂缓时间",
    className: "whitespace-nowrap",
    cell: ({ heldAt }) => <RelativeTime at={heldAt} />,
  },
  {
    id: "config",
    header: "云账号",
    className: "max-w-40 truncate",
    cell: ({ configId }) => <ConfigName id={configId} />,
  },
  {
    id: "zone",
    header: "可用区",
    className: "min-w-29 break-keep",
    cell: ({ host }) => host.zoneName,
  },
  { id: "users", header: "分配用户", cell: ({ host }) => <UsersCell host={host} /> },
];
