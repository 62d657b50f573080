import { ROLE_LABELS } from "@shared/roles.ts";
import { type User, UserRole } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Plus, Users } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { FilterSelect, SearchBox } from "@/components/list-filters";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { RefreshButton } from "@/components/refresh-button";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useDialog } from "@/lib/use-dialog";
import { CreateUserDialog } from "./create-user-dialog";
import { type UserAction, UserDialogs } from "./user-dialogs";
import { UserRows } from "./user-rows";

const useUserSearch = listSearch({
  input: { search: SearchParam, role: UserRole.optional().catch(undefined) },
  urlOnly: {},
});

export function UsersPage() {
  const search = useUserSearch();
  const { params, setFilters } = search;
  const list = trpc.users.list.useQuery(search.input, { placeholderData: keepPreviousData });
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
        actions={createButton}
      />
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <SearchBox
          label="搜索用户"
          placeholder="搜索用户名、姓名或邮箱"
          value={params.search}
          onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
          className="min-w-0 basis-full md:max-w-72 md:flex-1 md:basis-48"
        />
        <FilterSelect
          label="角色"
          all="全部角色"
          className="min-w-0 flex-1 md:w-32 md:flex-none"
          value={params.role}
          onValueChange={(role) => setFilters({ role })}
          options={UserRole.options.map((value) => ({ value, label: ROLE_LABELS[value] }))}
        />
        <Button variant="outline" disabled={!search.isNarrowed} onClick={search.clear}>
          重置
        </Button>
        <RefreshButton refetch={list.refetch} />
      </div>
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
        {(page) => <UserRows users={page?.users} isStale={list.isPlaceholderData} onAct={show} />}
      </ListView>
      <CreateUserDialog open={isCreating} onOpenChange={setCreating} />
      <UserDialogs dialog={dialog} />
    </div>
  );
}
