import { HELD_REASON_LABELS, type HeldHost } from "@shared/held-hosts.ts";
import type { Host } from "@shared/hosts.ts";
import type { Column } from "@/components/data-table";
import { ConfigName } from "@/components/hosts/config-name";
import { hostTitle } from "@/components/hosts/host-facts";
import { HostName } from "@/components/hosts/host-name";
import { UsersCell } from "@/components/hosts/users-cell";
import { RelativeTime } from "@/components/relative-time";
import { Button } from "@/components/ui/button";
import { DECISION_LABELS, REMOVAL_DECISIONS, type RemovalDecision } from "./removal-decisions";

export type HeldRow = HeldHost & { id: string };

type OnDecide = (decision: RemovalDecision, host: Host) => void;

/** Not sortable: those that were held last come first. A phone shows host and reason. */
export function heldColumns(onDecide: OnDecide): Column<HeldRow>[] {
  return [
    ...FACTS,
    {
      id: "actions",
      header: "操作",
      align: "right",
      pinned: "right",
      cell: ({ host }) => (
        <div className="flex justify-end gap-1.5">
          {REMOVAL_DECISIONS.map((decision) => (
            <Button
              key={decision}
              variant="outline"
              size="sm"
              className={decision === "confirm" ? "text-danger-ink" : ""}
              aria-label={`${DECISION_LABELS[decision]} ${hostTitle(host)}`}
              onClick={() => onDecide(decision, host)}
            >
              {DECISION_LABELS[decision]}
            </Button>
          ))}
        </div>
      ),
    },
  ];
}

const FACTS: readonly Column<HeldRow>[] = [
  {
    id: "host",
    isRowHead: true,
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
    header: "发现时间",
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
