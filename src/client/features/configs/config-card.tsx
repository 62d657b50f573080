import type { Config } from "@shared/configs.ts";
import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { Pencil, PlugZap, RefreshCw, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { Link } from "wouter";
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
import { useDialog } from "@/lib/use-dialog";
import { ConfigFacts } from "./config-facts";
import { ConnectionTestSteps, useConnectionTest } from "./connection-test";
import { DeleteConfigDialog } from "./delete-config-dialog";
import { EditConfigDialog } from "./edit-config-dialog";
import { SyncSchedule } from "./sync-schedule";
import { titleIdOf } from "./title-id";
import { UpdateKeysDialog } from "./update-keys-dialog";

type ConfigCardProps = {
  config: Config;
  /** The others whose key is masked alike. */
  lookAlikes: readonly Config[];
  /** A new one that was saved to be tested. */
  isTestedAtOnce: boolean;
  /** The one that the address names. */
  isAskedFor: boolean;
  /** The dialog that the address asks for, which the card opens once. */
  opens: "edit" | "keys" | undefined;
  onOpened: () => void;
};

export function ConfigCard(props: ConfigCardProps) {
  const { config, lookAlikes, isTestedAtOnce, isAskedFor } = props;
  const card = useScrollIntoView(isAskedFor);
  const lastRun = lastRunOf(config, useSyncRuns().recent);
  const test = useConnectionTest(config);
  useTestAtOnce(isTestedAtOnce, test.run);
  const { show, dialog } = useDialog<"edit" | "keys" | "delete", Config>();
  useOpensOnce(props, (kind) => show(kind, config));
  const edit = dialog("edit");
  const keys = dialog("keys");
  const deletion = dialog("delete");

  return (
    <Card
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleIdOf(config)}
      className="scroll-mt-18"
    >
      <ConfigHeader
        config={config}
        onEdit={() => show("edit", config)}
        onDelete={() => show("delete", config)}
      />
      {/* The column may be narrower than its longest line. */}
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pt-2">
        <ConfigFacts config={config} lookAlikes={lookAlikes} />
        <SyncSchedule config={config} onUpdateKeys={() => show("keys", config)} />
        {test.isRunning || test.result ? <ConnectionTestSteps result={test.result} /> : null}
        <LastSync config={config} run={lastRun} />
      </CardContent>
      <CardFooter>
        <Button
          variant="outline"
          loading={test.isRunning}
          aria-describedby={titleIdOf(config)}
          onClick={test.run}
        >
          <PlugZap />
          测试连接
        </Button>
        <SyncConfigButton config={config} lastRun={lastRun} />
      </CardFooter>
      {edit === null ? null : <EditConfigDialog {...edit} onSaved={test.forget} />}
      {keys === null ? null : <UpdateKeysDialog {...keys} onSaved={test.forget} />}
      {deletion === null ? null : <DeleteConfigDialog {...deletion} />}
    </Card>
  );
}

function useOpensOnce(
  { opens, onOpened }: Pick<ConfigCardProps, "opens" | "onOpened">,
  show: (kind: "edit" | "keys") => void,
): void {
  const open = useEffectEvent((kind: "edit" | "keys") => {
    show(kind);
    onOpened();
  });
  useEffect(() => {
    if (opens !== undefined) open(opens);
  }, [opens]);
}

/** Runs the test once, as soon as it is asked for. */
function useTestAtOnce(isAsked: boolean, run: () => void): void {
  const runTest = useEffectEvent(run);
  useEffect(() => {
    if (isAsked) runTest();
  }, [isAsked]);
}

/** Brings a card into view, with the focus; after the shell, which begins each page at its top. */
function useScrollIntoView(isAsked: boolean) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isAsked) return;
    const frame = requestAnimationFrame(() => {
      card.current?.scrollIntoView();
      // One of its dialogs may have opened with it.
      const isInDialog = document.activeElement?.closest("[role='dialog']") != null;
      if (!isInDialog) card.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [isAsked]);

  return card;
}

type ConfigHeaderProps = { config: Config; onEdit: () => void; onDelete: () => void };

function ConfigHeader({ config, onEdit, onDelete }: ConfigHeaderProps) {
  const { name, isDefault, isActive } = config;
  return (
    <CardHeader>
      <CardTitle className="flex min-h-8.5 flex-wrap items-center gap-2">
        <span id={titleIdOf(config)} className="min-w-0 truncate" title={name}>
          {name}
        </span>
        {isDefault ? <Badge tone="accent">默认</Badge> : null}
        {isActive ? null : <Badge>已停用</Badge>}
      </CardTitle>
      <CardAction className="-mr-1.5 gap-0.5">
        <Tooltip content="编辑">
          <Button variant="ghost" icon aria-label={`编辑 ${name}`} onClick={onEdit}>
            <Pencil />
          </Button>
        </Tooltip>
        {isDefault ? null : (
          <Tooltip content="删除">
            <Button variant="ghost" icon aria-label={`删除 ${name}`} onClick={onDelete}>
              <Trash2 />
            </Button>
          </Tooltip>
        )}
      </CardAction>
    </CardHeader>
  );
}

type LastSyncProps = { config: Config; run: SyncRun | null };

/** The last run, and the hosts that wait for a person since one of the runs. */
function LastSync({ config, run }: LastSyncProps) {
  const heldHosts = useHeldHosts(config.id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 pt-1">
      <h3 className="text-sm text-muted-foreground">最近同步</h3>
      {run === null ? (
        <p className="text-sm text-muted-foreground">还没有同步过</p>
      ) : (
        <div className="overflow-hidden rounded-md border">
          <RunItem key={run.id} run={run} />
        </div>
      )}
      {heldHosts === 0 ? null : (
        <p className="text-sm text-warning-ink">
          有 {formatNumber(heldHosts)} 台主机暂缓移除，请
          <Link href={`/hosts/held?configId=${config.id}`} className="underline underline-offset-2">
            确认或保留
          </Link>
        </p>
      )}
    </div>
  );
}

type SyncConfigButtonProps = { config: Config; lastRun: SyncRun | null };

function SyncConfigButton({ config, lastRun }: SyncConfigButtonProps) {
  const { start, isStarting } = useStartSync();
  const isSyncing = lastRun !== null && isLiveSync(lastRun.status);
  const label = isSyncing ? "同步中" : "同步";

  return (
    <Button
      variant="outline"
      loading={isStarting || isSyncing}
      disabled={!config.isActive}
      aria-describedby={titleIdOf(config)}
      onClick={() => start(config.id)}
    >
      <RefreshCw />
      {label}
    </Button>
  );
}
