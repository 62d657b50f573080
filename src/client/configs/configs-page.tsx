import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { CardGrid } from "@/components/card-grid";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { ConfigCard } from "./config-card";
import { ConfigDialog } from "./config-dialog";
import { UsageNotes } from "./usage-notes";

export function ConfigsPage() {
  const list = trpc.configs.list.useQuery();
  const [isAdding, setAdding] = useState(false);
  const isEmpty = list.data?.length === 0;
  const addButton = (
    <Button onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" />
      新增配置
    </Button>
  );
  return (
    <div className="grid gap-4">
      <PageHeader
        title="配置管理"
        description="云服务商的 API 密钥，用于同步主机"
        aside={list.data === undefined ? null : <Badge className="tabular-nums">{list.data.length} 个</Badge>}
        actions={isEmpty ? null : addButton}
      />
      {list.data === undefined && list.isError ? (
        <Card>
          <QueryError query={list} />
        </Card>
      ) : isEmpty ? (
        <Card>
          <EmptyState
            icon={KeyRound}
            title="暂无配置"
            description="添加云服务商的 API 密钥后，就可以同步主机了。"
            action={addButton}
          />
        </Card>
      ) : (
        <CardGrid
          rows={list.data}
          label="配置列表"
          className="lg:grid-cols-2 2xl:grid-cols-3"
          // As tall as a card.
          skeleton={<Skeleton className="m-4 h-85" />}
        >
          {(config) => <ConfigCard config={config} />}
        </CardGrid>
      )}
      {/* Not while loading: the cards above would move them. */}
      {list.isPending ? null : <UsageNotes />}
      <ConfigDialog config={null} isFirst={isEmpty} open={isAdding} onOpenChange={setAdding} />
    </div>
  );
}
