import { ROLE_LABELS, type Role } from "@shared/roles.ts";
import type { ListedUser, User } from "@shared/users.ts";
import { KeyRound, LogOut, Pencil, Trash2 } from "lucide-react";
import { Link } from "wouter";
import { CardGrid } from "@/components/card-grid";
import { EmailLink, PhoneLink } from "@/components/contact-links";
import { type Column, DataTable } from "@/components/data-table";
import { DescriptionList } from "@/components/description-list";
import { PersonName } from "@/components/person-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { Tooltip } from "@/components/ui/tooltip";
import { formatDate, NOTHING } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import type { UserAction } from "./user-dialogs";

type OnUserAction = (action: UserAction, user: User) => void;

type UserRowsProps = {
  users: readonly ListedUser[] | undefined;
  isStale: boolean;
  onAct: OnUserAction;
};

/** A table, or cards where it has no room. */
export function UserRows({ users, isStale, onAct }: UserRowsProps) {
  const shared = { rows: users, label: "用户列表", isStale };
  if (useIsLargeScreen()) return <DataTable {...shared} columns={userColumns(onAct)} />;

  return (
    <CardGrid
      {...shared}
      className="gap-3 sm:grid-cols-2"
      skeleton={<Skeleton className="m-4 h-55" />}
    >
      {(user) => <UserCard user={user} onAct={onAct} />}
    </CardGrid>
  );
}

/** Not sortable: the server lists the newest first. */
function userColumns(onAct: OnUserAction): Column<ListedUser>[] {
  return [
    {
      id: "user",
      header: "用户信息",
      className: "min-w-48 max-w-72",
      cell: (user) => <UserName user={user} />,
    },
    { id: "role", header: "角色", className: "max-w-48", cell: (user) => <UserRole user={user} /> },
    {
      id: "contact",
      header: "联系方式",
      className: "max-w-72 max-xl:max-w-50",
      cell: (user) => <UserContact user={user} />,
    },
    {
      id: "hosts",
      header: "主机",
      className: "whitespace-nowrap tabular-nums",
      cell: (user) => <HostCount user={user} />,
    },
    { id: "status", header: "状态", cell: (user) => <UserStatus user={user} /> },
    {
      id: "created",
      header: "创建时间",
      className: "whitespace-nowrap tabular-nums not-print:max-xl:hidden",
      cell: ({ createdAt }) => formatDate(createdAt),
    },
    {
      id: "actions",
      header: "操作",
      align: "right",
      pinned: "right",
      cell: (user) => <UserActions user={user} onAct={onAct} variant="icons" />,
    },
  ];
}

function UserCard({ user, onAct }: { user: ListedUser; onAct: OnUserAction }) {
  return (
    <Card>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pb-2">
        <div className="flex items-start justify-between gap-3">
          <UserName user={user} />
          <UserStatus user={user} />
        </div>
        <UserRole user={user} />
        <DescriptionList
          className="tabular-nums"
          items={[
            { label: "邮箱", value: <EmailLink email={user.email} /> },
            { label: "手机号", value: <PhoneLink phone={user.phone} /> },
            ...(user.role === "client"
              ? [{ label: "主机", value: <HostCount user={user} /> }]
              : []),
            { label: "创建时间", value: formatDate(user.createdAt) },
          ]}
        />
      </CardContent>
      <CardFooter>
        <UserActions user={user} onAct={onAct} variant="words" />
      </CardFooter>
    </Card>
  );
}

type UserActionsProps = {
  user: User;
  onAct: OnUserAction;
  variant: "icons" | "words";
};

/** Nobody resets the own password or deletes the own account here; only clients leave. */
export function UserActions({ user, onAct, variant }: UserActionsProps) {
  const isSelf = useCurrentUser().id === user.id;
  const isOffered = (action: UserAction) => {
    if (action === "edit") return true;
    return action === "leave" ? user.role === "client" : !isSelf;
  };
  const actions = ACTIONS.filter(({ action }) => isOffered(action));

  if (variant === "icons") {
    return (
      <div className="-mr-2.25 flex justify-end gap-0.5">
        {actions.map(({ action, label, icon: Icon }) => (
          <Tooltip key={action} content={label}>
            <Button
              variant="ghost"
              icon
              aria-label={`${label} ${user.name}`}
              className={action === "delete" ? "hover:text-danger-ink" : ""}
              onClick={() => onAct(action, user)}
            >
              <Icon />
            </Button>
          </Tooltip>
        ))}
      </div>
    );
  }

  return (
    <div className="flex flex-1 flex-wrap gap-2 *:flex-1">
      {actions.map(({ action, label, icon: Icon }) => (
        <Button
          key={action}
          variant="outline"
          aria-label={`${label} ${user.name}`}
          onClick={() => onAct(action, user)}
        >
          <Icon />
          {label}
        </Button>
      ))}
    </div>
  );
}

const ACTIONS = [
  { action: "edit", label: "编辑", icon: Pencil },
  { action: "resetPassword", label: "重置密码", icon: KeyRound },
  { action: "leave", label: "离场", icon: LogOut },
  { action: "delete", label: "删除", icon: Trash2 },
] as const;

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

const ROLE_TONES: Readonly<Record<Role, BadgeTone>> = {
  super_admin: "accent",
  admin: "info",
  client: "neutral",
};

function UserRole({ user: { role, admin } }: { user: User }) {
  const adminText = admin === null ? "未分配管理员" : `负责人：${admin.name}`;
  return (
    // No grid: the table would make the column as narrow as the badge.
    <div className="min-w-0">
      <Badge tone={ROLE_TONES[role]}>{ROLE_LABELS[role]}</Badge>
      {role === "client" ? (
        <p className="mt-0.5 truncate text-xs text-muted-foreground" title={adminText}>
          {adminText}
        </p>
      ) : null}
    </div>
  );
}

function UserContact({ user: { email, phone } }: { user: User }) {
  if (email === null && phone === null) {
    return <span className="text-subtle-foreground">{NOTHING}</span>;
  }
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
