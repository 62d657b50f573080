import type { Config } from "@shared/configs.ts";
import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { KeyRound, Pencil, PlugZap, RefreshCw, Trash2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { lastRunOf } from "@/components/sync/run-summary";
import { useStartSync, useSyncRuns } from "@/components/sync/use-sync";
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
import { useDialog } from "@/lib/use-dialog";
import { useTestAtOnce } from "@/lib/use-test-at-once";
import { ConfigFacts } from "./config-facts";
import { ConfigNumbers } from "./config-numbers";
import { ConfigStatus } from "./config-status";
import { ConnectionTestSteps, useConnectionTest } from "./connection-test";
import { EditConfigDialog } from "./edit-config-dialog";
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
  onDelete: () => void;
};

export function ConfigCard(props: ConfigCardProps) {
  const { config, lookAlikes, isTestedAtOnce, isAskedFor } = props;
  const card = useScrollIntoView(isAskedFor);
  const lastRun = lastRunOf(config, useSyncRuns().recent);
  const test = useConnectionTest(config);
  const hasResult = test.result !== undefined;
  useTestAtOnce({ card, isAsked: isTestedAtOnce, hasResult, run: test.run });
  const { show, dialog } = useDialog<"edit" | "keys", Config>();
  useOpensOnce(props, (kind) => show(kind, config));
  const edit = dialog("edit");
  const keys = dialog("keys");

  return (
    <Card
      ref={card}
      role="group"
      tabIndex={-1}
      aria-labelledby={titleIdOf(config)}
      className="scroll-mt-18 scroll-mb-4"
    >
      <ConfigHeader config={config} onEdit={() => show("edit", config)} onDelete={props.onDelete} />
      {/* The column may be narrower than its longest line. */}
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pt-1 pb-2">
        <ConfigNumbers config={config} />
        <ConfigStatus config={config} lastRun={lastRun} />
        {test.isRunning || test.result ? <ConnectionTestSteps result={test.result} /> : null}
        <ConfigFacts config={config} lookAlikes={lookAlikes} />
      </CardContent>
      <CardFooter className="flex-wrap">
        {config.schedulePausedReason === null ? null : (
          <Button aria-describedby={titleIdOf(config)} onClick={() => show("keys", config)}>
            <KeyRound />
            更新密钥
          </Button>
        )}
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
        <AuditLink subject={{ type: "config", id: config.id }} />
      </CardFooter>
      {edit === null ? null : <EditConfigDialog {...edit} onSaved={test.forget} />}
      {keys === null ? null : <UpdateKeysDialog {...keys} onSaved={test.forget} />}
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
