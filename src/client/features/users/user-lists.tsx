import type { Assignment } from "@shared/assignments.ts";
import type { Host } from "@shared/hosts.ts";
import type { Pagination } from "@shared/page.ts";
import type { Renewal } from "@shared/renewals.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock, History, type LucideIcon, Server } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { trpc } from "@/api/trpc";
import { type Column, DataTable } from "@/components/data-table";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { HostStatusBadge, providerExpiry } from "@/components/hosts/host-display";
import { HostName } from "@/components/hosts/host-name";
import { ListView } from "@/components/list-view";
import { Remark } from "@/components/remark";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { formatDate, formatDateTime, NOTHING } from "@/lib/format";
import { useCurrentUser } from "@/session/session";

type ListProps = { userId: string };
type PageOfList = { pagination: Pagination };
type ListSectionProps<Row extends { id: string }, List extends PageOfList> = {
  noun: string;
  unit?: string;
  icon: LucideIcon;
  list: ComponentProps<typeof ListView<List>>["list"] & { isPlaceholderData: boolean };
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  /** A list on this page keeps its page number to itself: three lists share the address. */
  setPage: (page: number) => void;
};

function ListSection<Row extends { id: string }, List extends PageOfList>(
  props: ListSectionProps<Row, List>,
) {
  const { noun, unit = "条", icon, list, rows, columns, setPage } = props;
  return (
    <section aria-label={noun} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-lg font-semibold">{noun}</h2>
      <ListView
        list={list}
        search={{ isNarrowed: false, clear: () => setPage(1), setPage }}
        noun={noun}
        unit={unit}
        empty={{ icon, title: `没有${noun}`, description: `该用户的${noun}会显示在这里。` }}
      >
        {() => (
          <DataTable
            columns={columns}
            rows={rows}
            label={`该用户的${noun}`}
            isStale={list.isPlaceholderData}
          />
        )}
      </ListView>
    </section>
  );
}

export function UserHosts({ userId }: ListProps) {
  const [page, setPage] = useState(1);
  const input = { userId, sort: "assignedExpireTime", limit: 10, page } as const;
  const list = trpc.hosts.list.useQuery(input, { placeholderData: keepPreviousData });

  return (
    <ListSection
      noun="主机"
      unit="台"
      icon={Server}
      list={list}
      rows={list.data?.hosts}
      columns={userHostColumns(userId)}
      setPage={setPage}
    />
  );
}

const HOST = { id: "host", header: "主机", className: "max-w-72 min-w-36" } as const;
/** On a phone the badge stands below the date. */
const EXPIRY = { className: "max-sm:*:flex-col max-sm:*:items-start" } as const;

function userHostColumns(userId: string): Column<Host>[] {
  return [
    {
      ...HOST,
      cell: (host) => <HostName href={`/hosts?userId=${userId}&host=${host.id}`} host={host} />,
    },
    { id: "status", header: "状态", cell: (host) => <HostStatusBadge host={host} /> },
    {
      ...EXPIRY,
      id: "userExpiry",
      header: "用户到期",
      cell: ({ users }) => (
        <ExpiryDate at={users.find(({ id }) => id === userId)?.assignedExpireTime ?? null} />
      ),
    },
    {
      ...EXPIRY,
      id: "providerExpiry",
      header: "云端到期",
      cell: (host) => <ExpiryDate at={providerExpiry(host)} />,
    },
  ];
}

export function UserRenewals({ userId }: ListProps) {
  const isSuper = isSuperAdmin(useCurrentUser().role);
  const [page, setPage] = useState(1);
  const list = trpc.renewals.list.useQuery(
    { userId, limit: 10, page },
    { placeholderData: keepPreviousData },
  );

  return (
    <ListSection
      noun="续费申请"
      icon={CalendarClock}
      list={list}
      rows={list.data?.requests}
      columns={userRenewalColumns(isSuper ? "/renewals" : "/admin/renewals")}
      setPage={setPage}
    />
  );
}

function userRenewalColumns(requestsPage: string): Column<Renewal>[] {
  return [
    {
      ...HOST,
      cell: ({ id, status, host }) => (
        <HostName href={`${requestsPage}?status=${status}&renewal=${id}`} host={host} />
      ),
    },
    { id: "status", header: "状态", cell: ({ status }) => <RenewalStatusBadge status={status} /> },
    {
      id: "days",
      header: "天数",
      className: "whitespace-nowrap",
      cell: ({ requestedDuration }) => `${requestedDuration} 天`,
    },
    { id: "created", header: "提交时间", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
}

export function UserAssignments({ userId }: ListProps) {
  const [page, setPage] = useState(1);
  const list = trpc.users.assignments.useQuery(
    { id: userId, limit: 10, page },
    { placeholderData: keepPreviousData },
  );

  return (
    <ListSection
      noun="分配记录"
      icon={History}
      list={list}
      rows={list.data?.assignments}
      columns={ASSIGNMENT_COLUMNS}
      setPage={setPage}
    />
  );
}

const ASSIGNMENT_COLUMNS: readonly Column<Assignment>[] = [
  { ...HOST, cell: ({ host }) => <HostName href={`/hosts?search=${host.ucloudId}`} host={host} /> },
  {
    id: "period",
    header: "期限",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ assignedAt, assignedExpireTime }) =>
      `${formatDate(assignedAt)} 至 ${formatDate(assignedExpireTime)}`,
  },
  { id: "ended", header: "收回时间", cell: ({ endedAt }) => <Moment at={endedAt} /> },
  { id: "by", header: "分配人", cell: ({ assignedBy }) => assignedBy?.name ?? NOTHING },
  {
    id: "remark",
    header: "备注",
    className: "min-w-40 max-w-60",
    cell: ({ remark }) => (remark ? <Remark text={remark} /> : NOTHING),
  },
];

function Moment({ at }: { at: number | null }) {
  return <span className="whitespace-nowrap tabular-nums">{formatDateTime(at)}</span>;
}
