import type { Assignment } from "@shared/assignments.ts";
import type { Host } from "@shared/hosts.ts";
import type { Renewal } from "@shared/renewals.ts";
import { isSuperAdmin, type Role } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarClock, History, Server } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { DataTable, dataColumns } from "@/components/data-table";
import { ListView } from "@/components/list-view";
import { billedUntil, ExpiryBadge, HostStatusBadge, hostTitle } from "@/hosts/host-facts";
import { formatDate, formatDateTime, NOTHING } from "@/lib/format";
import { RenewalStatusBadge } from "@/renewals/renewal-facts";
import { useCurrentUser } from "@/session/session";

type SectionProps = { title: string; more?: { href: string; label: string }; children: ReactNode };

function Section({ title, more, children }: SectionProps) {
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-lg font-semibold">{title}</h2>
        {more === undefined ? null : (
          <Link href={more.href} className="text-sm text-primary-ink hover:underline">
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** A list on this page keeps its page number to itself: three lists share the address. */
function usePage() {
  const [page, setPage] = useState(1);
  return { page, search: { isNarrowed: false, clear: () => setPage(1), setPage } };
}

export function UserHosts({ user: { id } }: { user: User }) {
  const { page, search } = usePage();
  const input = { userId: id, sort: "assignedExpireTime", limit: 10, page } as const;
  const list = trpc.hosts.list.useQuery(input, { placeholderData: keepPreviousData });
  return (
    <Section title="主机" more={{ href: `/hosts?userId=${id}`, label: "在主机列表中查看" }}>
      <ListView
        list={list}
        search={search}
        noun="主机"
        unit="台"
        empty={{ icon: Server, title: "没有主机", description: "分配给该用户的主机会显示在这里。" }}
      >
        {(found) => <HostTable userId={id} hosts={found?.hosts} isStale={list.isPlaceholderData} />}
      </ListView>
    </Section>
  );
}

const hostColumn = dataColumns<Host>();

function HostTable({ userId, hosts, isStale }: { userId: string; hosts: Host[] | undefined; isStale: boolean }) {
  const { role } = useCurrentUser();
  const columns = useMemo(() => hostColumns(role, userId), [role, userId]);
  return <DataTable columns={columns} rows={hosts} label="该用户的主机" isStale={isStale} />;
}

function hostColumns(role: Role, userId: string) {
  return hostColumn.columns([
    hostColumn.display({
      id: "name",
      header: "主机",
      meta: { className: "max-w-72 min-w-36" },
      cell: ({ row: { original: host } }) => (
        <HostLink href={`/hosts?userId=${userId}&host=${host.id}`} title={hostTitle(host)} code={host.ucloudId} />
      ),
    }),
    hostColumn.display({ id: "status", header: "状态", cell: ({ row }) => <HostStatusBadge host={row.original} /> }),
    hostColumn.display({
      id: "userEnd",
      header: "用户到期",
      cell: ({ row }) => <End at={row.original.users.find(({ id }) => id === userId)?.assignedExpireTime ?? null} />,
    }),
    hostColumn.display({
      id: "providerEnd",
      header: "云端到期",
      cell: ({ row }) => <End at={billedUntil(role, row.original)} />,
    }),
  ]);
}

export function UserRenewals({ user: { id } }: { user: User }) {
  const isOperator = isSuperAdmin(useCurrentUser().role);
  const { page, search } = usePage();
  const list = trpc.renewals.list.useQuery({ userId: id, limit: 10, page }, { placeholderData: keepPreviousData });
  const columns = useMemo(() => renewalColumns(isOperator ? "/renewals" : "/admin/renewals"), [isOperator]);
  return (
    <Section title="续费申请">
      <ListView
        list={list}
        search={search}
        noun="续费申请"
        empty={{ icon: CalendarClock, title: "没有续费申请", description: "该用户提交的申请会显示在这里。" }}
      >
        {(found) => (
          <DataTable
            columns={columns}
            rows={found?.requests}
            label="该用户的续费申请"
            isStale={list.isPlaceholderData}
          />
        )}
      </ListView>
    </Section>
  );
}

const renewalColumn = dataColumns<Renewal>();

function renewalColumns(requestsPage: string) {
  return renewalColumn.columns([
    renewalColumn.display({
      id: "host",
      header: "主机",
      meta: { className: "max-w-72 min-w-36" },
      cell: ({ row: { original: renewal } }) => (
        <HostLink
          href={`${requestsPage}?${new URLSearchParams({ status: renewal.status, renewal: renewal.id })}`}
          title={hostTitle(renewal.host)}
          code={renewal.host.ucloudId}
        />
      ),
    }),
    renewalColumn.display({
      id: "status",
      header: "状态",
      cell: ({ row }) => <RenewalStatusBadge status={row.original.status} />,
    }),
    renewalColumn.accessor("requestedDuration", {
      header: "天数",
      cell: ({ getValue }) => <span className="whitespace-nowrap">{getValue()} 天</span>,
    }),
    renewalColumn.accessor("createdAt", { header: "提交时间", cell: ({ getValue }) => <Moment at={getValue()} /> }),
  ]);
}

export function UserAssignments({ user: { id } }: { user: User }) {
  const { page, search } = usePage();
  const list = trpc.users.assignments.useQuery({ id, limit: 10, page }, { placeholderData: keepPreviousData });
  return (
    <Section title="分配记录">
      <ListView
        list={list}
        search={search}
        noun="分配记录"
        empty={{ icon: History, title: "没有分配记录", description: "分配给该用户的主机会记录在这里。" }}
      >
        {(found) => (
          <DataTable
            columns={ASSIGNMENT_COLUMNS}
            rows={found?.assignments}
            label="该用户的分配记录"
            isStale={list.isPlaceholderData}
          />
        )}
      </ListView>
    </Section>
  );
}

const assignmentColumn = dataColumns<Assignment>();

const ASSIGNMENT_COLUMNS = assignmentColumn.columns([
  assignmentColumn.display({
    id: "host",
    header: "主机",
    meta: { className: "max-w-72 min-w-36" },
    cell: ({ row: { original: row } }) => (
      <HostLink href={`/hosts?search=${row.host.ucloudId}`} title={hostTitle(row.host)} code={row.host.ucloudId} />
    ),
  }),
  assignmentColumn.display({
    id: "period",
    header: "期限",
    cell: ({ row: { original: row } }) => (
      <span className="whitespace-nowrap tabular-nums">
        {formatDate(row.assignedAt)} 至 {formatDate(row.assignedExpireTime)}
      </span>
    ),
  }),
  assignmentColumn.accessor("endedAt", {
    header: "收回时间",
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
  assignmentColumn.accessor((row) => row.assignedBy?.name ?? NOTHING, { id: "by", header: "分配人" }),
  assignmentColumn.accessor("remark", {
    header: "备注",
    meta: { className: "max-w-60 truncate" },
    cell: ({ getValue }) => <span title={getValue() ?? ""}>{getValue() ?? NOTHING}</span>,
  }),
]);

function HostLink({ href, title, code }: { href: string; title: string; code: string }) {
  return (
    <div className="min-w-0">
      <Link
        href={href}
        title={title}
        className="block truncate rounded-sm font-medium text-primary-ink hover:underline"
      >
        {title}
      </Link>
      <span className="block truncate font-mono text-xs text-muted-foreground">{code}</span>
    </div>
  );
}

function End({ at }: { at: number | null }) {
  if (at === null) return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <span className="flex items-center gap-2 whitespace-nowrap tabular-nums">
      {formatDate(at)}
      <ExpiryBadge expiry={at} />
    </span>
  );
}

function Moment({ at }: { at: number | null }) {
  return <span className="whitespace-nowrap tabular-nums">{at === null ? NOTHING : formatDateTime(at)}</span>;
}
