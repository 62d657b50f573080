import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
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
      {/* They would move: nobody knows how many cards there are above them. */}
      {configs.isPending ? null : <UsageNotes />}
      <ConfigDialog config={null} isFirst={configs.data?.length === 0} open={isAdding} onOpenChange={setAdding} />
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

/** As tall as the cards will be. */
function CardsSkeleton() {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      <span className="sr-only">加载中...</span>
      {["a", "b"].map((key) => (
        <Card key={key}>
          <CardHeader>
            <div className="flex h-8.5 items-center">
              <Skeleton className="h-5 w-40" />
            </div>
          </CardHeader>
          <CardContent className="grid content-start gap-3 pt-2">
            <div>
              {["1", "2", "3", "4", "5"].map((line) => (
                <div key={line} className="flex h-9.25 items-center justify-between border-b last:border-0">
                  <Skeleton className="h-4 w-16" />
                  <Skeleton className="h-4 w-40" />
                </div>
              ))}
            </div>
            <div className="grid gap-1.5 pt-1">
              <Skeleton className="my-0.5 h-4 w-16" />
              <Skeleton className="h-5 w-full" />
            </div>
          </CardContent>
          <CardFooter>
            <Skeleton className="h-8.5 w-26" />
            <Skeleton className="h-8.5 w-19" />
          </CardFooter>
        </Card>
      ))}
    </div>
  );
}
