import { ROLE_LABELS, type Role } from "@shared/roles.ts";
import type { ListedUser, User } from "@shared/users.ts";
import { useMemo } from "react";
import { Link } from "wouter";
import { CardGrid } from "@/components/card-grid";
import { DataTable, dataColumns } from "@/components/data-table";
import { DescriptionList } from "@/components/description-list";
import { PersonName } from "@/components/person-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card, CardContent, CardFooter } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDate, NOTHING } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import { type OnUserAction, UserActions } from "./user-actions";

type UserRowsProps = {
  /** Undefined draws skeleton rows. */
  users: readonly ListedUser[] | undefined;
  isStale: boolean;
  onAct: OnUserAction;
};

/** A table, or cards where it has no room. */
export function UserRows({ users, isStale, onAct }: UserRowsProps) {
  const columns = useMemo(() => userColumns(onAct), [onAct]);
  const shared = { rows: users, label: "用户列表", isStale };
  if (useIsLargeScreen()) return <DataTable {...shared} columns={columns} />;
  return (
    <CardGrid {...shared} className="gap-3 sm:grid-cols-2" skeleton={<UserCardSkeleton />}>
      {(user) => <UserCard user={user} onAct={onAct} />}
    </CardGrid>
  );
}

const column = dataColumns<ListedUser>();

/** Not sortable: the server lists the newest first. */
function userColumns(onAct: OnUserAction) {
  return column.columns([
    column.display({
      id: "user",
      header: "用户信息",
      meta: { className: "min-w-48 max-w-72" },
      cell: ({ row }) => <UserName user={row.original} />,
    }),
    column.display({
      id: "role",
      header: "角色",
      meta: { className: "max-w-48" },
      cell: ({ row }) => <UserRole user={row.original} />,
    }),
    column.display({
      id: "contact",
      header: "联系方式",
      meta: { className: "max-w-60" },
      cell: ({ row }) => <UserContact user={row.original} />,
    }),
    column.display({
      id: "hosts",
      header: "主机",
      meta: { className: "whitespace-nowrap tabular-nums" },
      cell: ({ row }) => <HostCount user={row.original} />,
    }),
    column.display({ id: "status", header: "状态", cell: ({ row }) => <UserStatus user={row.original} /> }),
    column.display({
      id: "created",
      header: "创建时间",
      meta: { className: "whitespace-nowrap tabular-nums" },
      cell: ({ row }) => formatDate(row.original.createdAt),
    }),
    column.display({
      id: "actions",
      header: "操作",
      meta: { align: "right", isPinned: true },
      cell: ({ row }) => <UserActions user={row.original} onAct={onAct} variant="icons" />,
    }),
  ]);
}

function UserCard({ user, onAct }: { user: ListedUser; onAct: OnUserAction }) {
  const { email, phone, createdAt } = user;
  return (
    <Card>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pb-2">
        <div className="flex items-start justify-between gap-3">
          <UserName user={user} />
          <UserStatus user={user} />
        </div>
        <UserRole user={user} />
        <DescriptionList
          items={[
            { label: "邮箱", value: email },
            { label: "手机号", value: phone === null ? null : <span className="tabular-nums">{phone}</span> },
            ...(user.role === "client" ? [{ label: "主机", value: <HostCount user={user} /> }] : []),
            { label: "创建时间", value: <span className="tabular-nums">{formatDate(createdAt)}</span> },
          ]}
        />
      </CardContent>
      <CardFooter>
        <UserActions user={user} onAct={onAct} variant="words" />
      </CardFooter>
    </Card>
  );
}

function UserCardSkeleton() {
  return (
    <CardContent className="grid gap-3">
      <div className="flex items-center gap-3">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-5 w-32" />
      </div>
      <Skeleton className="h-5 w-20" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-8.5 w-full" />
    </CardContent>
  );
}

function UserName({ user }: { user: User }) {
  const { id: ownId } = useCurrentUser();
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={user.name} />
      <PersonName person={user} href={`/users/${user.id}`}>
        {user.id === ownId ? <Badge>我</Badge> : null}
      </PersonName>
    </div>
  );
}

const roleTones: Readonly<Record<Role, BadgeTone>> = { super_admin: "accent", admin: "info", client: "neutral" };

/** Leads to the hosts; only clients have any. */
function HostCount({ user: { id, name, role, hostCount } }: { user: ListedUser }) {
  if (role !== "client") return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <Link
      href={`/hosts?userId=${id}`}
      aria-label={`${name} 的 ${hostCount} 台主机`}
      className="rounded-sm text-primary-ink hover:underline"
    >
      {formatNumber(hostCount)} 台
    </Link>
  );
}

export function UserRole({ user: { role, admin } }: { user: User }) {
  const keeper = admin === null ? "未分配管理员" : `负责人：${admin.name}`;
  return (
    // No grid: the table would make the column as narrow as the badge.
    <div className="min-w-0">
      <Badge tone={roleTones[role]}>{ROLE_LABELS[role]}</Badge>
      {role === "client" ? (
        <p className="mt-0.5 truncate text-xs text-muted-foreground" title={keeper}>
          {keeper}
        </p>
      ) : null}
    </div>
  );
}

function UserContact({ user: { email, phone } }: { user: User }) {
  if (email === null && phone === null) return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <div className="min-w-0 text-sm">
      {email === null ? null : (
        <p className="truncate" title={email}>
          {email}
        </p>
      )}
      {phone === null ? null : <p className="text-muted-foreground tabular-nums">{phone}</p>}
    </div>
  );
}

export function UserStatus({ user: { isActive } }: { user: User }) {
  return (
    <Badge dot tone={isActive ? "success" : "neutral"}>
      {isActive ? "启用" : "停用"}
    </Badge>
  );
}
