import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun, type SyncRunError } from "@shared/sync.ts";
import { RotateCw, Square, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { ProgressText, RunBar, RunElapsed, RunPercent } from "./run-progress";
import {
  type ErrorGroup,
  endText,
  groupErrors,
  hasHeldHosts,
  hostCounts,
  isWorthAnotherRun,
  resultText,
  SYNC_STATUS_TONES,
} from "./run-summary";
import { useStartSync } from "./use-sync";

/** One run in full: its progress, then its summary. */
export function RunCard({ run }: { run: SyncRun }) {
  const isLive = isLiveSync(run.status);
  return (
    <article
      aria-label={`${run.configName} 的同步`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-md border bg-card p-4 shadow-xs"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 truncate font-semibold" title={run.configName}>
          {run.configName}
        </h3>
        <Badge tone={SYNC_STATUS_TONES[run.status]}>{SYNC_STATUS_LABELS[run.status]}</Badge>
        <div className="ml-auto flex items-center gap-2">
          <span className="text-sm text-muted-foreground">
            <span className="sr-only">已用时 </span>
            <RunElapsed run={run} />
          </span>
          <RunActions run={run} />
        </div>
      </div>
      <div className="grid gap-1.5">
        <RunBar run={run} />
        <p className="flex justify-between gap-3 text-sm text-muted-foreground tabular-nums">
          <span>
            <ProgressText run={run} />
          </span>
          <span className="font-medium text-foreground">
            <RunPercent run={run} />
          </span>
        </p>
      </div>
      <RunDetails run={run} />
      <p role="status" className="sr-only">
        {isLive ? "" : `${run.configName} ${SYNC_STATUS_LABELS[run.status]}：${resultText(run)}`}
      </p>
    </article>
  );
}

/** Counts, what the end means, and errors. */
export function RunDetails({ run }: { run: SyncRun }) {
  const text = endText(run);
  // The run's errors say it in more detail.
  const isSaid = (run.status === "interrupted" && run.errors.length > 0) || hasHeldHosts(run);
  return (
    <>
      <dl className="grid grid-cols-5 divide-x rounded-md border bg-muted/50">
        {hostCounts(run).map(({ label, count, tone }) => (
          <div key={label} className="min-w-0 px-2 py-1.5 text-center">
            <dt className="text-xs text-muted-foreground">{label}</dt>
            <dd className={cn("truncate font-medium tabular-nums", count === 0 ? "text-subtle-foreground" : tone)}>
              {formatNumber(count)}
            </dd>
          </div>
        ))}
      </dl>
      {text === null || isSaid ? null : <p className="text-sm text-muted-foreground">{text}</p>}
      <RunErrors errors={run.errors} />
      {hasHeldHosts(run) && run.configId !== null ? (
        <Button variant="outline" size="sm" className="w-fit" asChild>
          <Link href={`/hosts/held?configId=${run.configId}`}>处理待确认的主机</Link>
        </Button>
      ) : null}
    </>
  );
}

/** 取消 while it goes on, 重新同步 after an end that is not a full one. */
export function RunActions({ run }: { run: SyncRun }) {
  if (isLiveSync(run.status)) return <CancelButton run={run} />;
  if (isWorthAnotherRun(run) && run.configId !== null) return <AgainButton configId={run.configId} />;
  return null;
}

function CancelButton({ run }: { run: SyncRun }) {
  const cancel = trpc.hosts.cancelSync.useMutation({ meta: { errorTitle: "取消失败" } });
  return (
    <Button
      variant="outline"
      size="sm"
      loading={cancel.isPending}
      aria-label={`取消 ${run.configName} 的同步`}
      onClick={() => cancel.mutate({ id: run.id })}
    >
      <Square aria-hidden="true" />
      取消
    </Button>
  );
}

function AgainButton({ configId }: { configId: string }) {
  const { start, isStarting } = useStartSync();
  return (
    <Button variant="outline" size="sm" loading={isStarting} onClick={() => start(configId)}>
      <RotateCw aria-hidden="true" />
      重新同步
    </Button>
  );
}

const SHOWN = 4;
const SHOWN_REGIONS = 6;

/** Each message once, with its regions and projects. */
function RunErrors({ errors }: { errors: readonly SyncRunError[] }) {
  const [isWhole, setWhole] = useState(false);
  const groups = groupErrors(errors);
  if (groups.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <ul aria-label="同步问题" className="grid gap-1.5">
        {(isWhole ? groups : groups.slice(0, SHOWN)).map((group) => (
          <ErrorLine key={group.message} group={group} />
        ))}
      </ul>
      {groups.length > SHOWN && !isWhole ? (
        <Button variant="ghost" size="sm" className="w-fit" onClick={() => setWhole(true)}>
          显示其余 {groups.length - SHOWN} 条
        </Button>
      ) : null}
    </div>
  );
}

function ErrorLine({ group }: { group: ErrorGroup }) {
  const { partitionLabels, isHeld } = group;
  const more = partitionLabels.length - SHOWN_REGIONS;
  return (
    <li className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-ink" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {partitionLabels.length > 0 ? (
          <p className="font-medium text-warning-ink" title={more > 0 ? partitionLabels.join("、") : undefined}>
            {partitionLabels.slice(0, SHOWN_REGIONS).join("、")}
            {more > 0 ? ` 等 ${partitionLabels.length} 处` : ""}
          </p>
        ) : null}
        <p>
          {isHeld ? (
            <Badge tone="warning" className="mr-1.5 border">
              暂缓移除
            </Badge>
          ) : null}
          {group.message}
        </p>
      </div>
    </li>
  );
}
