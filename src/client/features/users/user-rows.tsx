import { ROLE_LABELS, type Role } from "@shared/roles.ts";
import { type ListedUser, type User, UserSort } from "@shared/users.ts";
import { PhoneLink } from "@/components/contact-links";
import { type Column, DataTable } from "@/components/data-table";
import { NoteMark } from "@/components/notes/note-mark";
import { PersonName } from "@/components/person-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { HostCount, NextEnd } from "@/components/users/user-facts";
import { UserLines } from "@/components/users/user-lines";
import { formatDate, NOTHING } from "@/lib/format";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import { UserActions } from "./user-actions";
import type { UserAction } from "./user-dialogs";
import type { UserSearch } from "./user-search";

type OnUserAction = (action: UserAction, user: User) => void;

type UserRowsProps = {
  users: readonly ListedUser[] | undefined;
  search: UserSearch;
  isStale: boolean;
  onAct: OnUserAction;
};

/** A table, or lines where it has no room. */
export function UserRows({ users, search, isStale, onAct }: UserRowsProps) {
  const { params, setFilters } = search;
  const shared = { label: "用户列表", isStale };
  if (useIsLargeScreen()) {
    return (
      <DataTable
        {...shared}
        rows={users}
        columns={userColumns(onAct)}
        sorting={{
          by: params.sort,
          order: params.order,
          onChange: (by, order) =>
            setFilters({ sort: UserSort.options.find((sort) => sort === by) ?? "name", order }),
        }}
      />
    );
  }

  return (
    <UserLines
      {...shared}
      users={users}
      badges={(user) => <LineBadges user={user} />}
      menu={(user) => <UserActions user={user} onAct={onAct} isCompact />}
    />
  );
}

function userColumns(onAct: OnUserAction): Column<ListedUser>[] {
  return [
    {
      id: "user",
      isRowHead: true,
      header: "用户信息",
      sort: "name",
      className: "min-w-44 max-w-72",
      cell: (user) => <UserName user={user} />,
    },
    { id: "role", header: "角色", className: "max-w-44", cell: (user) => <UserRole user={user} /> },
    {
      id: "contact",
      header: "联系方式",
      className: "max-w-64 max-xl:max-w-48",
      cell: (user) => <UserContact user={user} />,
    },
    {
      id: "hosts",
      header: "主机",
      sort: "hostCount",
      className: "whitespace-nowrap tabular-nums",
      cell: (user) => <HostCount user={user} />,
    },
    {
      id: "nextEnd",
      header: "下次到期",
      sort: "nextEnd",
      className: "whitespace-nowrap",
      cell: (user) => <NextEnd user={user} />,
    },
    { id: "status", header: "状态", cell: (user) => <UserStatus user={user} /> },
    {
      id: "created",
      header: "创建时间",
      sort: "createdAt",
      className: "whitespace-nowrap tabular-nums not-print:max-xl:hidden",
      cell: ({ createdAt }) => formatDate(createdAt),
    },
    {
      id: "actions",
      header: "操作",
      align: "right",
      pinned: "right",
      // The open menu lies above the cells of the rows below.
      className: "has-data-[state=open]:z-2",
      cell: (user) => <UserActions user={user} onAct={onAct} />,
    },
  ];
}

/** What is not as usual: another role than client, an account that is off. */
function LineBadges({ user }: { user: User }) {
  return (
    <>
      <OwnBadge user={user} />
      <NoteMark note={user.note} />
      {user.role === "client" ? null : (
        <Badge tone={ROLE_TONES[user.role]}>{ROLE_LABELS[user.role]}</Badge>
      )}
      {user.isActive ? null : <UserStatus user={user} />}
    </>
  );
}

function UserName({ user }: { user: User }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={user.name} />
      <PersonName person={user} href={`/users/${user.id}`}>
        <OwnBadge user={user} />
        <NoteMark note={user.note} />
      </PersonName>
    </div>
  );
}

function OwnBadge({ user }: { user: User }) {
  const { id: ownId } = useCurrentUser();
  return user.id === ownId ? <Badge>我</Badge> : null;
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
      {phone === null ? null : <PhoneLink phone={phone} />}
      {email === null ? null : (
        <p className="truncate text-muted-foreground" title={email}>
          {email}
        </p>
      )}
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
