import { Inbox, Plus } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { ScrollArea } from "@/components/ui/scroll-area";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { Row, Section } from "./section";

const logLines = Array.from(
  { length: 12 },
  (_, line) => `第 ${line + 1} 行：华北（北京）已读取 ${(line + 1) * 100} 台`,
);

export function StateExamples() {
  return (
    <Section title="状态">
      <div className="grid gap-3 md:grid-cols-2">
        <Alert tone="info" title="管理员将在 1-2 个工作日内处理">
          付款完成后到期时间自动顺延。
        </Alert>
        <Alert tone="success">连接正常，可以访问 3 个项目。</Alert>
        <Alert tone="warning" title="结束时间晚于云平台的到期时间" onClose={() => undefined}>
          主机将在 2026-12-01 到期，早于分配的结束时间。
        </Alert>
        <Alert
          tone="danger"
          title="同步失败"
          action={
            <Button size="sm" variant="outline">
              重试
            </Button>
          }
        >
          香港：请求超时
        </Alert>
      </div>
      <Alert look="banner" tone="warning">
        网络已断开，正在重新连接…
      </Alert>
      <Row label="加载">
        <Spinner size="sm" />
        <Spinner />
        <Spinner size="lg" />
      </Row>
      <div className="grid gap-4 md:grid-cols-3">
        <Card>
          <EmptyState
            icon={Inbox}
            title="暂无续费申请"
            description="到期前提交申请，管理员会尽快处理"
            action={
              <Button>
                <Plus aria-hidden="true" />
                申请续费
              </Button>
            }
          />
        </Card>
        <Card>
          <ErrorState
            message="网络连接失败，请检查网络"
            onRetry={() => new Promise((resolve) => setTimeout(resolve, 1200))}
          />
        </Card>
        <Card aria-busy="true">
          <CardContent className="grid gap-4">
            <div className="flex items-center gap-3">
              <Skeleton className="size-8 rounded-full" />
              <Skeleton className="h-4 w-32" />
            </div>
            <SkeletonText lines={4} />
            <Skeleton className="h-8.5 w-24 rounded-md" />
          </CardContent>
        </Card>
      </div>
      <Card>
        <ScrollArea aria-label="同步日志" className="max-h-28 p-4 text-sm text-muted-foreground">
          {logLines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </ScrollArea>
      </Card>
    </Section>
  );
}
