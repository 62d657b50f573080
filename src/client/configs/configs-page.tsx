import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { failureText } from "@/failure";
import { trpc } from "@/trpc";
import { ConfigCard } from "./config-card";
import { ConfigDialog } from "./config-dialog";
import { UsageNotes } from "./usage-notes";

export function ConfigsPage() {
  const configs = trpc.configs.list.useQuery();
  // The dialog is the page's, not a button's: which buttons there are changes with the list, and what was typed must not go with them.
  const [isAdding, setAdding] = useState(false);
  const addButton = <AddButton onClick={() => setAdding(true)} />;
  return (
    <div className="grid gap-4">
      <PageHeader
        title="配置管理"
        description="云服务商的 API 密钥，用于同步主机"
        aside={configs.data === undefined ? null : <Badge className="tabular-nums">{configs.data.length} 个</Badge>}
        actions={configs.data?.length === 0 ? null : addButton}
      />
      {configs.data !== undefined ? (
        configs.data.length === 0 ? (
          <Card>
            <EmptyState
              icon={KeyRound}
              title="暂无配置"
              description="添加云服务商的 API 密钥后，就可以同步主机了。"
              action={addButton}
            />
          </Card>
        ) : (
          <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
            {configs.data.map((config) => (
              <ConfigCard key={config.id} config={config} />
            ))}
          </div>
        )
      ) : configs.isError ? (
        <Card>
          <ErrorState
            message={failureText(configs.error)}
            onRetry={() => configs.refetch()}
            isRetrying={configs.isFetching}
          />
        </Card>
      ) : (
        <CardsSkeleton />
      )}
      <UsageNotes />
      <ConfigDialog config={null} open={isAdding} onOpenChange={setAdding} />
    </div>
  );
}

function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button onClick={onClick}>
      <Plus aria-hidden="true" />
      新增配置
    </Button>
  );
}

function CardsSkeleton() {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      <span className="sr-only">加载中...</span>
      {["a", "b"].map((key) => (
        <Card key={key} className="gap-4 p-4">
          <Skeleton className="h-5 w-40" />
          {["1", "2", "3", "4"].map((line) => (
            <div key={line} className="flex justify-between">
              <Skeleton className="h-4 w-16" />
              <Skeleton className="h-4 w-40" />
            </div>
          ))}
          <Skeleton className="h-8 w-48" />
        </Card>
      ))}
    </div>
  );
}
