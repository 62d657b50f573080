import { RENEWAL_SORT_LABELS, type Renewal, RenewalSort } from "@shared/renewals.ts";
import { Mono } from "@/components/copyable-text";
import type { Column } from "@/components/data-table";
import { hostSize } from "@/components/hosts/host-facts";
import { HostName } from "@/components/hosts/host-name";
import { PersonName } from "@/components/person-name";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { formatDateTime } from "@/lib/format";
import { DecisionButtons, DetailsLink, detailsLabel, type OnAct } from "./decision-buttons";
import { EndOfRequest, RequestedDays, WaitingAge } from "./renewal-display";
import type { StatusFilter } from "./renewal-search";

type ColumnOptions = {
  status: StatusFilter;
  hrefTo: (id: string) => string;
  onAct: OnAct | null;
};

export function renewalColumns({ status, hrefTo, onAct }: ColumnOptions): Column<Renewal>[] {
  const actions: Column<Renewal> = {
    id: "actions",
    header: "操作",
    align: "right",
    pinned: "right",
    cell: (renewal) => (
      <div className="flex justify-end gap-1.5">
        {onAct === null ? null : <DecisionButtons renewal={renewal} onAct={onAct} size="sm" />}
        <DetailsLink
          href={hrefTo(renewal.id)}
          size="sm"
          variant="ghost"
          // The word, not the button's edge, is aligned with the head.
          className="-mr-3"
          aria-label={detailsLabel(renewal)}
        />
      </div>
    ),
  };

  if (status === "all") return [USER, HOST, STATUS, REQUEST, EXPIRY, CREATED, actions];
  return [USER, HOST, REQUEST, EXPIRY, CREATED, actions];
}

/** As wide as the names, which are cut only where they are very long. */
const USER: Column<Renewal> = {
  id: "user",
  header: "申请人",
  cell: ({ user }) => (
    <PersonName person={user} href={`/users/${user.id}`} className="w-max max-w-40 2xl:max-w-56" />
  ),
};

/** Takes what the other columns leave. */
const HOST: Column<Renewal> = {
  id: "host",
  isRowHead: true,
  header: "主机",
  className: "w-full min-w-36 max-w-0",
  cell: ({ host }) => (
    <HostName host={host} href={`/hosts?host=${host.id}`}>
      <p className="truncate text-sm text-muted-foreground tabular-nums">
        <Mono>{host.ucloudId}</Mono> · {hostSize(host)}
      </p>
    </HostName>
  ),
};

const STATUS: Column<Renewal> = {
  id: "status",
  header: "状态",
  cell: ({ status }) => <RenewalStatusBadge status={status} />,
};

const REQUEST: Column<Renewal> = {
  id: "request",
  header: "申请",
  cell: (renewal) => <RequestedDays renewal={renewal} />,
};

const EXPIRY: Column<Renewal> = {
  id: "expiry",
  header: RENEWAL_SORT_LABELS.expireTime,
  sort: RenewalSort.enum.expireTime,
  // The badge stands below its date where that keeps the submission time in sight.
  className: "max-2xl:[&_span]:flex-wrap",
  cell: (renewal) => <EndOfRequest renewal={renewal} />,
};

const CREATED: Column<Renewal> = {
  id: "created",
  header: RENEWAL_SORT_LABELS.createdAt,
  sort: RenewalSort.enum.createdAt,
  cell: (renewal) => (
    <div className="grid gap-0.5 text-sm whitespace-nowrap tabular-nums">
      {formatDateTime(renewal.createdAt)}
      <WaitingAge renewal={renewal} />
    </div>
  ),
};
