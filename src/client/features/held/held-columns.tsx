import { HELD_REASON_LABELS, type HeldHost } from "@shared/held-hosts.ts";
import { Link } from "wouter";
import { CopyableText } from "@/components/copyable-text";
import { dataColumns } from "@/components/data-table";
import { UsersCell } from "@/features/hosts/host-columns";
import { hostTitle } from "@/features/hosts/host-facts";
import { formatAgo, formatDateTime, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";

const column = dataColumns<HeldHost & { id: string }>();

/** Not sortable: those that were held last come first. A phone shows host and reason. */
export function heldColumns(configName: (id: string) => string) {
  return column.columns([
    column.display({
      id: "host",
      header: "主机",
      meta: { className: "w-[26%] min-w-44 max-w-0" },
      cell: ({ row }) => <HostCell host={row.original.host} />,
    }),
    column.accessor("reason", {
      header: "原因",
      cell: ({ getValue }) => <span className="whitespace-nowrap">{HELD_REASON_LABELS[getValue()]}</span>,
    }),
    column.accessor("heldAt", {
      header: "暂缓时间",
      cell: ({ getValue }) => <HeldSince at={getValue()} />,
    }),
    column.accessor((held) => configName(held.configId), {
      id: "config",
      header: "所属配置",
      cell: ({ getValue }) => (
        <span className="block max-w-40 truncate" title={getValue()}>
          {getValue() || NOTHING}
        </span>
      ),
    }),
    column.accessor((held) => held.host.zoneName, {
      id: "zone",
      header: "可用区",
      cell: ({ getValue }) => <span className="block min-w-29 break-keep">{getValue()}</span>,
    }),
    column.display({
      id: "users",
      header: "分配用户",
      cell: ({ row }) => <UsersCell host={row.original.host} />,
    }),
  ]);
}

function HostCell({ host }: Pick<HeldHost, "host">) {
  return (
    <div>
      <Link
        href={`/hosts?host=${host.id}`}
        title={hostTitle(host)}
        className="block max-w-full truncate rounded-sm font-medium hover:text-primary-ink hover:underline"
      >
        {hostTitle(host)}
      </Link>
      <CopyableText text={host.ucloudId} label="资源 ID" className="-my-1 text-muted-foreground" />
    </div>
  );
}

function HeldSince({ at }: { at: number }) {
  return (
    <time className="whitespace-nowrap" title={formatDateTime(at)}>
      {formatAgo(at, useNow())}
    </time>
  );
}
