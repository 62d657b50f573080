import { RENEWAL_SORT_LABELS, type Renewal, RenewalSort } from "@shared/renewals.ts";
import { PersonName } from "@/components/person-name";
import { Button } from "@/components/ui/button";
import { dataColumns } from "@/components/ui/data-table-features";
import { hostTitle } from "@/hosts/host-tab";
import { formatDateTime } from "@/lib/format";
import { OperatorActions } from "./operator-actions";
import { ExpiryChange, RequestedHost } from "./renewal-facts";
import { RenewalStatusBadge } from "./renewal-status";
import type { RenewalDecisions } from "./use-renewal-decisions";
import { WaitingNote } from "./waiting-note";

type ColumnContext = {
  /** Null for those who only read. */
  decisions: RenewalDecisions | null;
  onOpen: (id: string) => void;
};

const column = dataColumns<Renewal>();
const sorts = RenewalSort.enum;

/** What decides comes first: where the box is narrow, the later columns scroll. */
export function renewalColumns({ decisions, onOpen }: ColumnContext) {
  return column.columns([
    column.display({
      id: "user",
      header: "申请人",
      meta: { className: "max-w-44" },
      cell: ({ row: { original: renewal } }) => <PersonName person={renewal.user} />,
    }),
    column.display({
      id: "host",
      header: "主机",
      meta: { className: "max-w-64 min-w-36" },
      cell: ({ row: { original: renewal } }) => <RequestedHost renewal={renewal} />,
    }),
    column.display({
      id: "status",
      header: "状态",
      cell: ({ row: { original: renewal } }) => <RenewalStatusBadge status={renewal.status} />,
    }),
    column.display({
      id: "days",
      header: "续费天数",
      meta: { align: "right", className: "tabular-nums" },
      cell: ({ row: { original: renewal } }) => `${renewal.requestedDuration} 天`,
    }),
    column.display({
      id: "expiry",
      header: RENEWAL_SORT_LABELS.expireTime,
      meta: { sort: sorts.expireTime },
      cell: ({ row: { original: renewal } }) => <ExpiryChange renewal={renewal} />,
    }),
    column.display({
      id: "created",
      header: RENEWAL_SORT_LABELS.createdAt,
      meta: { sort: sorts.createdAt },
      cell: ({ row: { original: renewal } }) => (
        <div className="grid gap-0.5 text-sm whitespace-nowrap tabular-nums">
          {formatDateTime(renewal.createdAt)}
          <WaitingNote renewal={renewal} isJudged />
        </div>
      ),
    }),
    column.display({
      id: "actions",
      header: "操作",
      meta: { align: "right", isPinned: true },
      cell: ({ row: { original: renewal } }) => (
        <div className="flex justify-end gap-1.5">
          {decisions === null ? null : <OperatorActions renewal={renewal} decisions={decisions} size="sm" />}
          <Button
            size="sm"
            variant="ghost"
            // Its word, not its edge, which only the pointer shows, stands under the head.
            className="-mr-3"
            aria-label={`${renewal.user.name} 的 ${hostTitle(renewal.host)} 续费申请详情`}
            onClick={() => onOpen(renewal.id)}
          >
            详情
          </Button>
        </div>
      ),
    }),
  ]);
}
