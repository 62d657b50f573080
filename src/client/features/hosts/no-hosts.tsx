import type { Pagination } from "@shared/page.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { Plus, Server } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { ListEmpty } from "@/components/list-view";
import { SyncButton } from "@/components/sync/sync-button";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useCurrentUser } from "@/session/session";
import type { HostSearch } from "./host-search";

/** An empty list; for a super admin without hosts the first step: a configuration, then a sync. */
export function NoHosts({ search, pagination }: { search: HostSearch; pagination: Pagination }) {
  const { role } = useCurrentUser();
  const configs = trpc.configs.list.useQuery(undefined, { enabled: isSuperAdmin(role) });
  const hasNoConfig = configs.data?.length === 0;
  const description = hasNoConfig
    ? "请先同步主机。还没有配置，需要先新增一个。"
    : EXPLANATIONS[role];
  const firstStep = hasNoConfig ? (
    <Button asChild>
      <Link href="/configs">
        <Plus />
        新增配置
      </Link>
    </Button>
  ) : (
    <SyncButton />
  );
  const action = configs.isLoading ? <Skeleton className="h-8.5 w-28" /> : firstStep;

  return (
    <Card>
      <ListEmpty
        search={search}
        pagination={pagination}
        noun="主机"
        empty={{
          icon: Server,
          title: "暂无主机",
          description,
          action: isSuperAdmin(role) && action,
        }}
      />
    </Card>
  );
}

const EXPLANATIONS = {
  super_admin: "请先同步主机",
  admin: "您负责的用户还没有分配到主机。超级管理员同步并分配主机后，会显示在这里。",
  client: "还没有主机分配给您。管理员同步并分配主机后，会显示在这里。",
} as const;
