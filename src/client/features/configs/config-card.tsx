import type { Config } from "@shared/configs.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { isLiveSync } from "@shared/sync.ts";
import { Pencil, PlugZap, RefreshCw, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { CopyableText, Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { Remark } from "@/components/remark";
import { RunItem } from "@/components/sync/run-item";
import { lastRunOf } from "@/components/sync/run-summary";
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
import { ConnectionTestSteps, useConnectionTest } from "./connection-test";
import { EditConfigDialog } from "./edit-config-dialog";
import { regionLabel } from "./region-label";
import { SyncSchedule } from "./sync-schedule";

type ConfigCardProps = {
  config: Config;
  /** The others whose key is masked alike. */
  lookAlikes: readonly Config[];
  /** A new one that was saved to be tested. */
  isTestedAtOnce: boolean;
};

export function ConfigCard({ config, lookAlikes, isTestedAtOnce }: ConfigCardProps) {
  const test = useConnectionTest(config);
  const runTest = useEffectEvent(test.run);
  useEffect(() => {
    if (isTestedAtOnce) runTest();
  }, [isTestedAtOnce]);
  const lastSync = lastRunOf(config, useSyncRuns().recent);
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
            { label: "主机", value: <HostCountLink config={config} /> },
            { label: "公钥", value: <MaskedKey config={config} lookAlikes={lookAlikes} /> },
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
        <SyncSchedule config={config} onEdit={() => show("edit", config)} />
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
      {edit && <EditConfigDialog {...edit} onSaved={test.forget} />}
      {removal && <DeleteConfigDialog {...removal} />}
    </Card>
  );
}

function HostCountLink({ config: { id, hostCount } }: Pick<ConfigCardProps, "config">) {
  return (
    <Link
      href={`/hosts?configId=${id}`}
      className="inline-block py-0.5 text-primary-ink tabular-nums hover:underline"
    >
      {formatNumber(hostCount)} 台
    </Link>
  );
}

/** Masked, the keys of two accounts may look the same: then the card says what sets them apart. */
function MaskedKey({
  config: { publicKey, projectIds },
  lookAlikes,
}: Pick<ConfigCardProps, "config" | "lookAlikes">) {
  const names = lookAlikes.map(({ name }) => `“${name}”`).join("、");
  const projects = projectIds.length === 0 ? "全部项目" : `项目 ${projectIds.join("，")}`;

  return (
    <>
      <Mono>{publicKey}</Mono>
      {names === "" ? null : (
        <span className="block text-xs text-muted-foreground">
          首尾与{names}相同；这一个读取{projects}
        </span>
      )}
    </>
  );
}

/** So many pages of hosts are read to count what ends; beyond, the numbers are "at least". */
const COUNTED_PAGES = 10;

/** What ends with a configuration: the assignments of its hosts and the requests that are open. */
function useWhatEnds(config: Config, enabled: boolean) {
  const input = { configId: config.id, assigned: true, limit: MAX_PAGE_SIZE };
  const first = trpc.hosts.list.useQuery(input, { enabled });
  const pageCount = Math.min(first.data?.pagination.totalPages ?? 1, COUNTED_PAGES);
  const others = trpc.useQueries((t) =>
    Array.from({ length: pageCount - 1 }, (_, index) =>
      t.hosts.list({ ...input, page: index + 2 }, { enabled }),
    ),
  );
  const pages = [first, ...others].map(({ data }) => data);
  const hosts = pages.flatMap((page) => page?.hosts ?? []);

  return {
    isCounted: pages.every((page) => page !== undefined),
    isCutOff: (first.data?.pagination.totalPages ?? 0) > COUNTED_PAGES,
    assignments: hosts.reduce((sum, { users }) => sum + users.length, 0),
    requests: hosts.filter(({ openRenewal }) => openRenewal !== null).length,
  };
}

function WhatEnds({ config, open }: { config: Config; open: boolean }) {
  const { isCounted, isCutOff, assignments, requests } = useWhatEnds(config, open);
  if (!isCounted) return <p>正在统计受影响的主机…</p>;

  const atLeast = isCutOff ? "至少 " : "";
  return (
    <p>
      涉及 <strong>{formatNumber(config.hostCount)} 台主机</strong>、
      <strong>{`${atLeast}${formatNumber(assignments)} 个分配`}</strong>、
      <strong>{`${atLeast}${formatNumber(requests)} 个未完成的续费申请`}</strong>。
    </p>
  );
}

function DeleteConfigDialog({ subject: config, ...dialog }: DialogState<Config>) {
  const remove = trpc.configs.delete.useMutation({ meta: { errorTitle: "删除失败" } });
  return (
    <ConfirmDialog
      {...dialog}
      title="删除配置"
      description={
        <>
          <p>
            确定删除云账号 <strong>{config.name}</strong> 的配置？
          </p>
          <WhatEnds config={config} open={dialog.open} />
          <p>
            由它同步来的主机会保留并标记为“已消失”，分配和历史记录不受影响；这些主机以后由其他配置同步到时会自动恢复。正在进行的同步会立即停止，保存的密钥会被销毁。
          </p>
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
