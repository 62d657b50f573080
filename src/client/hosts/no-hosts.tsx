import type { Pagination } from "@shared/page.ts";
import { isAdmin, isSuperAdmin, type Role } from "@shared/roles.ts";
import { Server } from "lucide-react";
import { ListEmpty } from "@/components/list-empty";
import { Card } from "@/components/ui/card";
import { SyncButton } from "@/sync/sync-button";
import { type HostsSearchState, isNarrowed, NO_FILTERS } from "./use-hosts-search";

type NoHostsProps = { role: Role; search: HostsSearchState; pagination: Pagination };

export function NoHosts({ role, search, pagination }: NoHostsProps) {
  return (
    <Card>
      <ListEmpty
        pagination={pagination}
        isNarrowed={isNarrowed(search.params)}
        onFirstPage={() => search.setParams({ page: 1 })}
        onClear={() => search.setFilters(NO_FILTERS)}
        noun="主机"
        icon={Server}
        title="暂无主机"
        description={explanation(role)}
        action={isSuperAdmin(role) && <SyncButton />}
      />
    </Card>
  );
}

function explanation(role: Role): string {
  if (isSuperAdmin(role)) return "请先同步主机";
  return isAdmin(role)
    ? "您负责的用户还没有分配到主机。超级管理员同步并分配主机后，会显示在这里。"
    : "还没有主机分配给您。管理员同步并分配主机后，会显示在这里。";
}
