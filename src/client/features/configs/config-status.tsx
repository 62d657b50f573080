import type { Config } from "@shared/configs.ts";
import type { SyncRun } from "@shared/sync.ts";
import { Link } from "wouter";
import { RunItem } from "@/components/sync/run-item";
import { pauseText } from "@/components/sync/use-configs";
import { useHeldHosts } from "@/components/sync/use-sync";
import { Alert } from "@/components/ui/alert";
import { formatAgo } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";

type ConfigStatusProps = { config: Config; lastRun: SyncRun | null };

/**
 * How it stands with a configuration, once: a paused schedule says why, and its last run would only
 * say the same again. Below it what waits for a person.
 */
export function ConfigStatus({ config, lastRun }: ConfigStatusProps) {
  const heldHosts = useHeldHosts(config.id);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <SyncStatus config={config} lastRun={lastRun} />
      {heldHosts === 0 ? null : (
        <p className="text-sm text-warning-ink">
          有 {formatNumber(heldHosts)} 台主机待确认消失，请
          <Link href={`/hosts/held?configId=${config.id}`} className="underline underline-offset-2">
            确认或保留
          </Link>
        </p>
      )}
    </div>
  );
}

function SyncStatus({ config, lastRun }: ConfigStatusProps) {
  const now = useNow();
  const whyPaused = pauseText(config);
  if (whyPaused !== null) {
    return (
      <Alert tone="danger" title="自动同步已暂停">
        {`${whyPaused}。`}
      </Alert>
    );
  }

  return (
    <>
      {lastRun === null ? (
        <p className="text-sm text-muted-foreground">还没有同步过</p>
      ) : (
        <div className="overflow-hidden rounded-md border">
          <RunItem key={lastRun.id} run={lastRun} label="最近同步" />
        </div>
      )}
      {config.isStale && config.isActive ? (
        <p className="text-sm text-warning-ink">{staleText(config, now)}</p>
      ) : null}
    </>
  );
}

function staleText({ lastSuccessAt }: Config, now: number): string {
  return lastSuccessAt === null
    ? "数据可能已过时：还没有成功同步过"
    : `数据可能已过时：最近一次成功同步于 ${formatAgo(lastSuccessAt, now)}`;
}
