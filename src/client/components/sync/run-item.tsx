import { isLiveSync, SYNC_STATUS_LABELS, type SyncRun } from "@shared/sync.ts";
import { ChevronRight, RotateCw, Square, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { RelativeTime } from "@/components/relative-time";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { cn } from "@/lib/cn";
import { endsTextSelection } from "@/lib/follow";
import { formatDateTime, formatDuration } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";
import type { ChosenChanges } from "./run-changes-dialog";
import {
  countsText,
  END_TEXTS,
  hasHeldHosts,
  hostCounts,
  isWorthAnotherRun,
  problemsOf,
  resultText,
  runProgress,
  SYNC_STATUS_TONES,
} from "./run-summary";
import { useHeldHosts, useStartSync, useSyncRuns } from "./use-sync";

const RunChangesDialog = lazyDialog(() =>
  import("./run-changes-dialog").then((m) => m.RunChangesDialog),
);

type RunItemProps = {
  run: SyncRun;
  /** Read when it is drawn first. */
  isOpen?: boolean;
  /** What it is called; by default as its configuration. */
  label?: string;
  /** Shows what the run changed; in a dialog of its own by default. */
  onShowChanges?: (changes: ChosenChanges) => void;
};

/** One run: a line with its progress or its result, which opens to counts, problems and actions. */
export function RunItem(props: RunItemProps) {
  const { run, isOpen = false, label = run.configName, onShowChanges } = props;
  const [isWhole, setWhole] = useState(isOpen);
  const isLive = isLiveSync(run.status);

  return (
    <div className="@container relative min-w-0 flex-1">
      <details
        open={isWhole}
        onToggle={({ currentTarget }) => setWhole(currentTarget.open)}
        className="group/run"
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary reacts to clicks by itself */}
        <summary
          onClick={(event) => {
            if (endsTextSelection(event)) event.preventDefault();
          }}
          className="flex list-none flex-wrap items-center gap-x-3 gap-y-0.5 px-3.5 py-2.5 text-sm hover:bg-muted/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden"
        >
          <ChevronRight className="size-4 shrink-0 text-muted-foreground transition-transform group-open/run:rotate-90" />
          <span
            className="min-w-0 truncate text-base font-medium @max-3xl:max-w-1/2 @3xl:max-w-1/3"
            title={label}
          >
            {label}
          </span>
          <Badge tone={SYNC_STATUS_TONES[run.status]}>{SYNC_STATUS_LABELS[run.status]}</Badge>
          {run.trigger === "schedule" ? <Badge>自动</Badge> : null}
          <span className="min-w-0 flex-1 text-muted-foreground tabular-nums [overflow-wrap:anywhere] @max-3xl:order-last @max-3xl:basis-full @max-3xl:pl-7 @3xl:truncate">
            {lineText(run, isWhole)}
          </span>
          <span className="ml-auto shrink-0 text-xs text-muted-foreground">
            {isLive ? <RunElapsed run={run} /> : <RelativeTime at={run.startedAt} />}
          </span>
        </summary>
        {isWhole ? <RunDetails run={run} onShowChanges={onShowChanges} /> : null}
      </details>
      {isLive ? (
        <div className="absolute inset-x-0 bottom-0">
          <RunBar run={run} />
        </div>
      ) : null}
    </div>
  );
}

/** Beside the status of a run; what its open details say is left out. */
function lineText(run: SyncRun, isWhole: boolean): string | null {
  if (!isLiveSync(run.status)) return isWhole ? null : resultText(run);
  if (run.hostsSeen === 0 || isWhole) return progressText(run);
  return `${progressText(run)} · ${countsText(run)}`;
}

type RunDetailsProps = {
  run: SyncRun;
  onShowChanges: RunItemProps["onShowChanges"] | undefined;
};

function RunDetails({ run, onShowChanges }: RunDetailsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3.5 pt-1 pb-3.5 @md:pl-10.5">
      <RunCounts run={run} onShowChanges={onShowChanges} />
      <RunProblems run={run} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted-foreground">
        <p className="tabular-nums">
          {isLiveSync(run.status) ? null : (
            <span className="block">
              {progressText(run)} · 用时 <RunElapsed run={run} />
            </span>
          )}
          <span className="block">
            {formatDateTime(run.startedAt)} · {startedBy(run)}
          </span>
        </p>
        <RunAction run={run} />
      </div>
    </div>
  );
}

/** The counts of what the run changed lead to the hosts that it changed. */
function RunCounts({ run, onShowChanges }: RunDetailsProps) {
  const { show, dialog } = useDialog<"changes", ChosenChanges>();
  const showChanges = onShowChanges ?? ((chosen) => show("changes", chosen));
  const changes = dialog("changes");

  return (
    <>
      <dl className="grid grid-cols-5 divide-x rounded-md border bg-muted/50">
        {hostCounts(run).map(({ label, count, tone, kind }) => (
          <div key={label} className="relative min-w-0 px-2 py-1.5 text-center">
            <dt className="text-xs text-muted-foreground">{label}</dt>
            <dd
              className={cn(
                "truncate font-medium tabular-nums",
                count === 0 ? "text-subtle-foreground" : tone,
              )}
            >
              {count === 0 || kind === null ? (
                formatNumber(count)
              ) : (
                <button
                  type="button"
                  aria-label={`${formatNumber(count)} 台，查看${label}的主机`}
                  onClick={() => showChanges({ run, kind })}
                  // The whole cell can be clicked.
                  className="inline-flex max-w-full items-center gap-0.5 rounded-sm text-primary-ink underline underline-offset-4 after:absolute after:inset-0 hover:after:bg-primary/5"
                >
                  {formatNumber(count)}
                  <ChevronRight className="size-3.5 shrink-0" />
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {changes === null ? null : <RunChangesDialog {...changes} />}
    </>
  );
}

/** What the end means for the hosts, and each message once, with its regions and projects. */
function RunProblems({ run }: { run: SyncRun }) {
  const wasHolding = hasHeldHosts(run);
  const heldHosts = useHeldHosts(run.configId, wasHolding);
  const text = END_TEXTS[run.status];
  const groups = problemsOf(run);

  return (
    <>
      {text === undefined || wasHolding ? null : (
        <p className="text-sm text-muted-foreground">{text}</p>
      )}
      {groups.length === 0 ? null : (
        <ul aria-label="同步问题" className="grid gap-1.5">
          {groups.map(({ message, isHeld, partitions }) => (
            <li key={message} className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm">
              <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning-ink" />
              <div className="min-w-0 [overflow-wrap:anywhere]">
                {partitions.length > 0 ? (
                  <p className="font-medium text-warning-ink">{partitions.join("、")}</p>
                ) : null}
                <p>
                  {isHeld ? (
                    <Badge tone="warning" className="mr-1.5 border">
                      待确认消失
                    </Badge>
                  ) : null}
                  <span>{message}</span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {wasHolding && heldHosts > 0 ? (
        <Button variant="outline" size="sm" className="w-fit" asChild>
          <Link href={`/hosts/held?configId=${run.configId}`}>处理待确认的主机</Link>
        </Button>
      ) : null}
    </>
  );
}

/** 取消 while it goes on, 重新同步 after an end that is not a full one. */
function RunAction({ run }: { run: SyncRun }) {
  const cancel = trpc.hosts.cancelSync.useMutation({ meta: { errorTitle: "取消失败" } });
  const { start, isStarting } = useStartSync();
  const { id, configId } = run;
  if (isLiveSync(run.status)) {
    return (
      <Button
        variant="outline"
        size="sm"
        loading={cancel.isPending}
        aria-label={`取消 ${run.configName} 的同步`}
        onClick={() => cancel.mutate({ id })}
      >
        <Square />
        取消
      </Button>
    );
  }
  if (!isWorthAnotherRun(run)) return null;

  return (
    <Button variant="outline" size="sm" loading={isStarting} onClick={() => start(configId)}>
      <RotateCw />
      重新同步
    </Button>
  );
}

function startedBy(run: SyncRun): string {
  if (run.trigger === "schedule") return "自动同步";
  return run.requestedBy === null ? "手动同步" : `手动同步 · ${run.requestedBy.name}`;
}

function RunBar({ run }: { run: SyncRun }) {
  return (
    <Progress
      value={runProgress(run, useSyncRuns().recent)}
      size="xs"
      label={`${run.configName} 的同步进度`}
      valueText={progressText(run)}
      tone={SYNC_STATUS_TONES[run.status]}
    />
  );
}

function progressText(run: SyncRun): string {
  if (run.status === "queued") return "正在排队，等待开始";
  if (run.regionsTotal === 0) return isLiveSync(run.status) ? "正在读取地域和项目" : "尚未读到地域";
  return `已读取 ${formatNumber(run.hostsSeen)} 台 · 地域 ${run.regionsDone}/${run.regionsTotal}`;
}

/** Ticks while the run goes on. */
function RunElapsed({ run: { startedAt, finishedAt } }: { run: SyncRun }) {
  const now = useNow(finishedAt === null ? 1000 : undefined);
  return <span className="tabular-nums">{formatDuration((finishedAt ?? now) - startedAt)}</span>;
}
