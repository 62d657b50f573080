import type { User } from "@shared/users.ts";
import { dataColumns } from "@/components/ui/data-table-features";
import { formatDate } from "@/lib/format";
import type { UserTasks } from "./use-user-tasks";
import { UserActions } from "./user-actions";
import { ContactCell, RoleCell, StatusCell, UserName } from "./user-facts";

const column = dataColumns<User>();

/** Sorting is left out: the server pages the list, newest first. */
export function userColumns(ownId: string, tasks: UserTasks) {
  return column.columns([
    column.display({
      id: "user",
      header: "用户信息",
      meta: { className: "min-w-48 max-w-72" },
      cell: ({ row: { original: user } }) => <UserName user={user} isSelf={user.id === ownId} />,
    }),
    column.display({
      id: "role",
      header: "角色",
      meta: { className: "max-w-48" },
      cell: ({ row: { original: user } }) => <RoleCell user={user} />,
    }),
    column.display({
      id: "contact",
      header: "联系方式",
      meta: { className: "max-w-60" },
      cell: ({ row: { original: user } }) => <ContactCell user={user} />,
    }),
    column.display({
      id: "status",
      header: "状态",
      cell: ({ row: { original: user } }) => <StatusCell user={user} />,
    }),
    column.display({
      id: "created",
      header: "创建时间",
      meta: { className: "whitespace-nowrap tabular-nums" },
      cell: ({ row: { original: user } }) => formatDate(user.createdAt),
    }),
    column.display({
      id: "actions",
      header: "操作",
      meta: { align: "right", isPinned: true },
      cell: ({ row: { original: user } }) => (
        <UserActions user={user} isSelf={user.id === ownId} tasks={tasks} look="icons" />
      ),
    }),
  ]);
}
