import type { User } from "@shared/users.ts";
import { FileUp, Plus, Users } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { ExportButton, shownTotal } from "@/components/export/export-button";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { type UserAction, UserDialogs } from "./user-dialogs";
import { UserFilters } from "./user-filters";
import { UserRows } from "./user-rows";
import { userListInput, useUserList, useUserSearch } from "./user-search";

/** With what a form needs. */
const CreateUserDialog = lazyDialog(() =>
  import("./create-user-dialog").then((m) => m.CreateUserDialog),
);

export function UsersPage() {
  const search = useUserSearch();
  const list = useUserList(search);
  const { show, dialog } = useDialog<UserAction, User>();
  const [isCreating, setCreating] = useState(false);
  const createButton = (
    <Button onClick={() => setCreating(true)}>
      <Plus />
      创建用户
    </Button>
  );

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="用户管理"
        aside={
          list.data ? (
            <Badge className="tabular-nums">{formatNumber(list.data.pagination.total)} 人</Badge>
          ) : null
        }
        actions={
          <>
            <ExportButton list="users" input={userListInput(search)} total={shownTotal(list)} />
            <Button variant="outline" asChild>
              <Link href="/users/import">
                <FileUp />
                <span>导入</span>
              </Link>
            </Button>
            {createButton}
          </>
        }
      />
      <UserFilters search={search} refetch={list.refetch} />
      <ListView
        list={list}
        search={search}
        noun="用户"
        unit="人"
        empty={{
          icon: Users,
          title: "暂无用户",
          description: "创建管理员和C端用户后，会显示在这里。",
          action: createButton,
        }}
      >
        {(page) => (
          <UserRows
            users={page?.users}
            search={search}
            isStale={list.isPlaceholderData}
            onAct={show}
          />
        )}
      </ListView>
      <CreateUserDialog open={isCreating} onOpenChange={setCreating} />
      <UserDialogs dialog={dialog} />
    </div>
  );
}
