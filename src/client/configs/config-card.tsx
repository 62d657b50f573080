import type { Config } from "@shared/configs.ts";
import { isLiveSync } from "@shared/sync.ts";
import { Pencil, PlugZap, RefreshCw, Star, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { CopyableText, Mono } from "@/components/ui/copyable-text";
import { DescriptionList } from "@/components/ui/description-list";
import { Tooltip } from "@/components/ui/tooltip";
import { useStartSync } from "@/sync/use-sync";
import { ConfigDialog } from "./config-dialog";
import { ConfigLastSync, useLastSync } from "./config-last-sync";
import { regionLabel } from "./region-picker";
import { TestSteps } from "./test-steps";
import { useConfigChanges } from "./use-config-changes";
import { useConnectionTest } from "./use-connection-test";

export function ConfigCard({ config }: { config: Config }) {
  const test = useConnectionTest(config);
  const lastSync = useLastSync(config);
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
          <CardTools config={config} onOtherConnection={test.forget} />
        </CardAction>
      </CardHeader>
      {/* The column may be narrower than its longest line. */}
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pt-2">
        <DescriptionList items={facts(config)} />
        {test.isRunning || test.result ? <TestSteps result={test.result} shown={test.shown} /> : null}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 pt-1">
          <h3 className="text-sm text-muted-foreground">最近同步</h3>
          <ConfigLastSync run={lastSync} />
        </div>
      </CardContent>
      <CardFooter>
        <Button variant="outline" loading={test.isRunning} onClick={test.run}>
          <PlugZap aria-hidden="true" />
          测试连接
        </Button>
        <SyncThis config={config} isLive={lastSync !== null && isLiveSync(lastSync.status)} />
      </CardFooter>
    </Card>
  );
}

function facts(config: Config) {
  return [
    { label: "公钥", value: <Mono>{config.publicKey}</Mono> },
    { label: "API地址", value: <CopyableText text={config.apiUrl} label="接口地址" /> },
    { label: "默认地域", value: regionLabel(config.defaultRegion) },
    {
      label: "项目",
      value: config.projectIds.length === 0 ? "密钥可见的全部项目" : <Mono>{config.projectIds.join("，")}</Mono>,
    },
    ...(config.remark ? [{ label: "备注", value: config.remark }] : []),
  ];
}

function SyncThis({ config, isLive }: { config: Config; isLive: boolean }) {
  const { start, isStarting } = useStartSync();
  return (
    <Button
      variant="outline"
      loading={isStarting || isLive}
      disabled={!config.isActive}
      onClick={() => start(config.id)}
    >
      <RefreshCw aria-hidden="true" />
      {isLive ? "同步中" : "同步"}
    </Button>
  );
}

function CardTools({ config, onOtherConnection }: { config: Config; onOtherConnection: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const { makeDefault, remove, confirmDialog } = useConfigChanges(config);
  const editButton = useRef<HTMLButtonElement>(null);
  return (
    <>
      {config.isDefault ? null : (
        <Tooltip content="设为默认">
          <Button
            variant="ghost"
            icon
            aria-label={`将 ${config.name} 设为默认`}
            // The button goes with the default: the focus moves to its neighbour instead of getting lost.
            onClick={({ currentTarget: star }) =>
              makeDefault(() => {
                if (document.activeElement === star || document.activeElement === document.body)
                  editButton.current?.focus();
              })
            }
          >
            <Star aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
      <Tooltip content="编辑">
        <Button
          ref={editButton}
          variant="ghost"
          icon
          aria-label={`编辑 ${config.name}`}
          onClick={() => setEditing(true)}
        >
          <Pencil aria-hidden="true" />
        </Button>
      </Tooltip>
      {config.isDefault ? null : (
        <Tooltip content="删除">
          <Button variant="ghost" icon aria-label={`删除 ${config.name}`} onClick={remove}>
            <Trash2 aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
      <ConfigDialog config={config} open={isEditing} onOpenChange={setEditing} onOtherConnection={onOtherConnection} />
      {confirmDialog}
    </>
  );
}
