import type { Pagination } from "@shared/page.ts";
import { isAdmin, isSuperAdmin, type Role } from "@shared/roles.ts";
import { SearchX, Server } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { SyncButton } from "@/sync/sync-button";
import { type HostsSearchState, isNarrowed, NO_FILTERS } from "./use-hosts-search";

type NoHostsProps = { role: Role; search: HostsSearchState; pagination: Pagination };

/** Three kinds of nothing: a page behind the last, filters that match nothing, and no hosts at all. */
export function NoHosts({ role, search, pagination }: NoHostsProps) {
  if (pagination.total > 0) {
    return (
      <Card>
        <EmptyState
          icon={SearchX}
          title="这一页没有主机"
          description={`列表目前只有 ${pagination.totalPages} 页。`}
          action={<Button onClick={() => search.setParams({ page: 1 })}>回到第 1 页</Button>}
        />
      </Card>
    );
  }
  if (isNarrowed(search.params)) {
    return (
      <Card>
        <EmptyState
          icon={SearchX}
          title="没有符合条件的主机"
          description="换一个关键词，或放宽筛选条件后再试。"
          action={
            <Button variant="outline" onClick={() => search.setFilters(NO_FILTERS)}>
              清除筛选
            </Button>
          }
        />
      </Card>
    );
  }
  return (
    <Card>
      {isSuperAdmin(role) ? (
        <EmptyState icon={Server} title="暂无主机" description="请先同步主机" action={<SyncButton />} />
      ) : (
        <EmptyState icon={Server} title="暂无主机" description={explanation(role)} />
      )}
    </Card>
  );
}

function explanation(role: Role): string {
  return isAdmin(role)
    ? "您负责的用户还没有分配到主机。超级管理员同步并分配主机后，会显示在这里。"
    : "还没有主机分配给您。管理员同步并分配主机后，会显示在这里。";
}
