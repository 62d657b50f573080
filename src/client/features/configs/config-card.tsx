import type { Config } from "@shared/configs.ts";
import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { Pencil, PlugZap, RefreshCw, Trash2 } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { CopyableText, Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { Remark } from "@/components/remark";
import { RunItem } from "@/components/sync/run-item";
import { useHeldHosts, useStartSync, useSyncRuns } from "@/components/sync/use-sync";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import {
  Card,
  CardAction,
  CardContent,
  CardFooter,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";
import { Tooltip } from "@/components/ui/tooltip";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { type DialogState, useDialog } from "@/lib/use-dialog";
import { ConfigDialog, regionLabel } from "./config-dialog";
import { ConnectionTestSteps, useConnectionTest } from "./connection-test";

export function ConfigCard({ config }: { config: Config }) {
  const test = useConnectionTest(config);
  const lastSync = useLastSync(config);
  const heldHosts = useHeldHosts(config.id);
  const isSyncing = lastSync !== null && isLiveSync(lastSync.status);
  const { start, isStarting } = useStartSync();
  const { show, dialog } = useDialog<"edit" | "delete", Config>();
  const edit = dialog("edit");
  const removal = dialog("delete");

  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex min-h-8.5 flex-wrap items-center gap-2">
          <span className="min-w-0 truncate" title={config.name}>
            {config.name}
          </span>
          {config.isDefault ? <Badge tone="accent">默认</Badge> : null}
          {config.isActive ? <Badge tone="success">启用</Badge> : <Badge>已停用</Badge>}
        </CardTitle>
        <CardAction className="-mr-1.5 gap-0.5">
          <Tooltip content="编辑">
            <Button
              variant="ghost"
              icon
              aria-label={`编辑 ${config.name}`}
              onClick={() => show("edit", config)}
            >
              <Pencil />
            </Button>
          </Tooltip>
          {config.isDefault ? null : (
            <Tooltip content="删除">
              <Button
                variant="ghost"
                icon
                aria-label={`删除 ${config.name}`}
                onClick={() => show("delete", config)}
              >
                <Trash2 />
              </Button>
            </Tooltip>
          )}
        </CardAction>
      </CardHeader>
      {/* The column may be narrower than its longest line. */}
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pt-2">
        <DescriptionList
          items={[
            { label: "公钥", value: <Mono>{config.publicKey}</Mono> },
            { label: "API地址", value: <CopyableText text={config.apiUrl} label="接口地址" /> },
            { label: "默认地域", value: regionLabel(config.defaultRegion) },
            {
              label: "项目",
              value:
                config.projectIds.length === 0 ? (
                  "密钥可见的全部项目"
                ) : (
                  <Mono>{config.projectIds.join("，")}</Mono>
                ),
            },
            ...(config.remark
              ? [
                  {
                    label: "备注",
                    value: <Remark text={config.remark} className="block text-left" />,
                  },
                ]
              : []),
          ]}
        />
        {test.isRunning || test.result ? <ConnectionTestSteps result={test.result} /> : null}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 pt-1">
          <h3 className="text-sm text-muted-foreground">最近同步</h3>
          {lastSync === null ? (
            <p className="text-sm text-muted-foreground">还没有同步过</p>
          ) : (
            <div className="overflow-hidden rounded-md border">
              <RunItem key={lastSync.id} run={lastSync} />
            </div>
          )}
          {heldHosts === 0 ? null : (
            <p className="text-sm text-warning-ink">
              有 {formatNumber(heldHosts)} 台主机暂缓移除，请
              <Link
                href={`/hosts/held?configId=${config.id}`}
                className="underline underline-offset-2"
              >
                确认或保留
              </Link>
            </p>
          )}
        </div>
      </CardContent>
      <CardFooter>
        <Button variant="outline" loading={test.isRunning} onClick={test.run}>
          <PlugZap />
          测试连接
        </Button>
        <Button
          variant="outline"
          loading={isStarting || isSyncing}
          disabled={!config.isActive}
          onClick={() => start(config.id)}
        >
          <RefreshCw />
          {isSyncing ? "同步中" : "同步"}
        </Button>
      </CardFooter>
      {edit && <ConfigDialog {...edit} onSaved={test.forget} />}
      {removal && <DeleteConfigDialog {...removal} />}
    </Card>
  );
}

/** The newest word on this configuration: what the live stream says, else what the list said. */
function useLastSync(config: Config): SyncRun | null {
  const { recent } = useSyncRuns();
  return recent.find(({ configId }) => configId === config.id) ?? config.lastSync;
}

function DeleteConfigDialog({ subject: config, ...dialog }: DialogState<Config>) {
  const remove = trpc.configs.delete.useMutation({ meta: { errorTitle: "删除失败" } });
  return (
    <ConfirmDialog
      {...dialog}
      title="删除配置"
      description={
        <>
          确定删除配置 <strong>{config.name}</strong>
          ？由它同步来的主机会保留并标记为“已消失”，分配和历史记录不受影响；这些主机以后由其他配置同步到时会自动恢复。正在进行的同步会立即停止，保存的密钥会被销毁。
        </>
      }
      confirmLabel="删除配置"
      onConfirm={async () => {
        await remove.mutateAsync({ id: config.id });
        notify.success("删除成功", { message: `配置“${config.name}”已删除` });
      }}
    />
  );
}
