import type { Assignment } from "@shared/assignments.ts";
import type { Renewal } from "@shared/renewals.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock, History } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import type { Column } from "@/components/data-table";
import { HostName } from "@/components/hosts/host-name";
import { Remark } from "@/components/remark";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { formatDate, formatDateTime, NOTHING } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { HOST_COLUMN, ListSection, PAGE_LENGTH } from "./list-section";

type ListProps = { userId: string };

export function UserRenewals({ userId }: ListProps) {
  const isSuper = isSuperAdmin(useCurrentUser().role);
  const [page, setPage] = useState(1);
  const list = trpc.renewals.list.useQuery(
    { userId, limit: PAGE_LENGTH, page },
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
      ...HOST_COLUMN,
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
    { id: userId, limit: PAGE_LENGTH, page },
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
  {
    ...HOST_COLUMN,
    cell: ({ host }) => <HostName href={`/hosts?search=${host.ucloudId}`} host={host} />,
  },
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
