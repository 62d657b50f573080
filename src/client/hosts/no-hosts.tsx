import type { Pagination } from "@shared/page.ts";
import { isAdmin, isSuperAdmin, type Role } from "@shared/roles.ts";
import { Plus, Server } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { ListEmpty } from "@/components/list-empty";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { SyncButton } from "@/sync/sync-button";
import { type HostsSearchState, isNarrowed, NO_FILTERS } from "./use-hosts-search";

type NoHostsProps = { role: Role; search: HostsSearchState; pagination: Pagination };

export function NoHosts({ role, search, pagination }: NoHostsProps) {
  const configs = trpc.configs.list.useQuery(undefined, { enabled: isSuperAdmin(role) });
  const hasNoConfig = configs.data?.length === 0;
  return (
    <Card>
      <ListEmpty
        pagination={pagination}
        isNarrowed={isNarrowed(search.params)}
        onPage={(page) => search.setParams({ page })}
        onClear={() => search.setFilters(NO_FILTERS)}
        noun="主机"
        icon={Server}
        title="暂无主机"
        description={hasNoConfig ? "请先同步主机。还没有配置，需要先新增一个。" : explanation(role)}
        action={isSuperAdmin(role) && <FirstStep configs={configs.data?.length} isLoading={configs.isLoading} />}
      />
    </Card>
  );
}

function FirstStep({ configs, isLoading }: { configs: number | undefined; isLoading: boolean }) {
  if (isLoading) return <Skeleton className="h-8.5 w-28" />;
  if (configs !== 0) return <SyncButton />;
  return (
    <Button asChild>
      <Link href="/configs">
        <Plus aria-hidden="true" />
        新增配置
      </Link>
    </Button>
  );
}

function explanation(role: Role): string {
  if (isSuperAdmin(role)) return "请先同步主机";
  return isAdmin(role)
    ? "您负责的用户还没有分配到主机。超级管理员同步并分配主机后，会显示在这里。"
    : "还没有主机分配给您。管理员同步并分配主机后，会显示在这里。";
}
