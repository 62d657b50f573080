import { keepPreviousData } from "@tanstack/react-query";
import { Plus, Users } from "lucide-react";
import { useState } from "react";
import { ListEmpty } from "@/components/list-empty";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { failureText } from "@/failure";
import { formatNumber } from "@/lib/format-number";
import { useIsLargeScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
import { CreateUserDialog } from "./create-user-dialog";
import { useUserTasks } from "./use-user-tasks";
import { isNarrowed, NO_FILTERS, usersListInput, useUsersSearch } from "./use-users-search";
import { UserCards } from "./user-cards";
import { UserFilters } from "./user-filters";
import { UserTable } from "./user-table";

export function UsersPage() {
  const { id: ownId } = useCurrentUser();
  const search = useUsersSearch();
  const { params, setParams, setFilters } = search;
  const list = trpc.users.list.useQuery(usersListInput(params), { placeholderData: keepPreviousData });
  const isWide = useIsLargeScreen();
  const { tasks, dialogs } = useUserTasks(ownId);
  const UserRows = isWide ? UserTable : UserCards;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="用户管理"
        aside={list.data ? <Badge className="tabular-nums">{formatNumber(list.data.pagination.total)} 人</Badge> : null}
        actions={<CreateButton />}
      />
      <UserFilters state={search} refetch={list.refetch} />
      {list.isError && list.data === undefined ? (
        <Card>
          <ErrorState message={failureText(list.error)} onRetry={() => list.refetch()} isRetrying={list.isFetching} />
        </Card>
      ) : (
        <UserRows
          users={list.data?.users}
          ownId={ownId}
          tasks={tasks}
          isStale={list.isPlaceholderData}
          empty={
            list.data === undefined ? null : (
              <ListEmpty
                pagination={list.data.pagination}
                isNarrowed={isNarrowed(params)}
                onPage={(page) => setParams({ page })}
                onClear={() => setFilters(NO_FILTERS)}
                noun="用户"
                icon={Users}
                title="暂无用户"
                description="创建管理员和C端用户后，会显示在这里。"
                action={<CreateButton />}
              />
            )
          }
        />
      )}
      {list.data === undefined ? null : (
        <Pagination label="用户分页" unit="人" {...list.data.pagination} onPageChange={(page) => setParams({ page })} />
      )}
      {dialogs}
    </div>
  );
}

function CreateButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        创建用户
      </Button>
      <CreateUserDialog open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
