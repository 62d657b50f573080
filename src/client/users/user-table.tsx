import type { User } from "@shared/users.ts";
import { useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { Card } from "@/components/ui/card";
import { DataTable } from "@/components/ui/data-table";
import { dataTableFeatures } from "@/components/ui/data-table-features";
import type { UserTasks } from "./use-user-tasks";
import { userColumns } from "./user-columns";

export type UserRowsProps = {
  /** Undefined draws skeleton rows. */
  users: readonly User[] | undefined;
  ownId: string;
  tasks: UserTasks;
  isStale: boolean;
  empty: ReactNode;
};

const none: readonly User[] = [];

export function UserTable({ users, ownId, tasks, isStale, empty }: UserRowsProps) {
  const columns = useMemo(() => userColumns(ownId, tasks), [ownId, tasks]);
  const table = useTable({
    features: dataTableFeatures,
    columns,
    data: users ?? none,
    getRowId: (user) => user.id,
  });
  return (
    <Card className="overflow-hidden">
      <DataTable table={table} label="用户列表" isLoading={users === undefined} isStale={isStale} empty={empty} />
    </Card>
  );
}
