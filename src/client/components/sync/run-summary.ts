import type { Config } from "@shared/configs.ts";
import { regionName } from "@shared/regions.ts";
import {
  HELD_CODES,
  isLiveSync,
  MASS_REMOVAL,
  MORE_ERRORS,
  type SyncRun,
  type SyncRunError,
  type SyncStatus,
} from "@shared/sync.ts";
import type { BadgeTone } from "@/components/ui/badge";
import { formatNumber } from "@/lib/format-number";

/** In a line; the details name more. */
const NAMED_REGIONS = 3;

/** In the order of the console. `kind` is that of the changes that a count leads to. */
const COUNTS = [
  { key: "created", label: "新增", tone: "text-success-ink", kind: "created" },
  { key: "updated", label: "变更", tone: "text-foreground", kind: "changed" },
  { key: "unchanged", label: "未变", tone: "text-foreground", kind: null },
  { key: "gone", label: "消失", tone: "text-warning-ink", kind: "gone" },
  { key: "rejected", label: "异常", tone: "text-danger-ink", kind: null },
] as const;

/** The number of hosts by result so far. */
export function hostCounts(run: SyncRun) {
  return COUNTS.map(({ key, ...column }) => ({ ...column, count: run[key] }));
}

export const SYNC_STATUS_TONES: Readonly<Record<SyncStatus, BadgeTone>> = {
  queued: "neutral",
  running: "accent",
  succeeded: "success",
  partial: "warning",
  failed: "danger",
  cancelled: "neutral",
  interrupted: "warning",
};

/**
 * 0…1: half by regions, half by the hosts that the last whole run of the configuration read;
 * without one, by regions alone. Neither total changes during a run, so the progress never falls.
 * Null before the regions are known.
 */
export function runProgress(run: SyncRun, recent: readonly SyncRun[]): number | null {
  if (run.status === "succeeded") return 1;
  if (run.regionsTotal === 0) return isLiveSync(run.status) ? null : 0;

  const regions = run.regionsDone / run.regionsTotal;
  const whole = recent.find(
    ({ configId, status }) => configId === run.configId && status === "succeeded",
  );
  if (whole === undefined || whole.hostsSeen === 0) return regions;

  const hosts = Math.min(run.hostsSeen / whole.hostsSeen, 1);
  return (regions + hosts) / 2;
}

/** Of all runs; null before the regions are known. */
export function overallProgress(
  runs: readonly SyncRun[],
  recent: readonly SyncRun[],
): number | null {
  const known = runs.map((run) => runProgress(run, recent)).filter((progress) => progress !== null);
  if (known.length === 0) return null;

  // Those whose progress is unknown count as not begun.
  const sum = known.reduce((total, progress) => total + progress, 0);
  return sum / runs.length;
}

/** The newest word on a configuration: what the live stream says, else what its list said. */
export function lastRunOf(config: Config, recent: readonly SyncRun[]): SyncRun | null {
  return recent.find(({ configId }) => configId === config.id) ?? config.lastSync;
}

/** `新增 12，变更 30，未变 578，消失 2，异常 1`; what is zero is left out. */
export function countsText(run: SyncRun): string {
  const counts = hostCounts(run).filter(({ count }) => count > 0);
  if (counts.length === 0) return "没有读到主机";
  return counts.map(({ label, count }) => `${label} ${formatNumber(count)} 台`).join("，");
}

/** Whether the run kept hosts that it did not find. */
export function hasHeldHosts({ errors }: Pick<SyncRun, "errors">): boolean {
  return errors.some(isHeld);
}

function isHeld({ code }: SyncRunError): boolean {
  return HELD_CODES.includes(code);
}

/** The one line of a run that has ended: a mass removal, or what went wrong and then its counts. */
export function resultText(run: SyncRun): string {
  const massRemoval = run.errors.find(({ code }) => code === MASS_REMOVAL);
  if (massRemoval !== undefined) return massRemoval.message;

  const trouble = problemText(run);
  if (trouble === null) return countsText(run);
  return run.hostsSeen === 0 ? trouble : `${trouble}；${countsText(run)}`;
}

/** `香港、新加坡：云服务商内部错误，请稍后重试；另有 2 个问题`; null without problems. */
function problemText(run: SyncRun): string | null {
  const { status } = run;
  if (status !== "partial" && status !== "failed" && status !== "interrupted") return null;

  const [first, ...others] = problemsOf(run);
  if (first === undefined) return null;

  const what = status === "partial" ? withRegions(first) : first.message;
  return others.length === 0 ? what : `${what}；另有 ${others.length} 个问题`;
}

/** Only what comes before the first stop; the details have the rest. */
function withRegions({ message, regions }: ErrorGroup): string {
  const [reason = message] = message.split(/[。；]/);
  if (regions.length === 0) return reason;

  const more = regions.length > NAMED_REGIONS ? ` 等 ${regions.length} 个地域` : "";
  return `${regions.slice(0, NAMED_REGIONS).join("、")}${more}：${reason}`;
}

/** What the end of a run means for the hosts. */
export const END_TEXTS: Partial<Record<SyncStatus, string>> = {
  partial: "部分内容未能读取，已读到的主机均已更新；未读取完整的地域，不会把主机标记为已消失。",
  failed: "未能完成读取，已写入的主机仍然有效，请处理后重新同步。",
  cancelled: "已按要求停止，停止前写入的主机仍然有效。",
  interrupted: "服务重启或失去响应，同步中途停止。已写入的主机仍然有效，请重新同步。",
};

/** Ended without reading everything. */
export function isWorthAnotherRun(run: SyncRun): boolean {
  return !isLiveSync(run.status) && run.status !== "succeeded";
}

type ErrorGroup = {
  message: string;
  /** Says that hosts are held. */
  isHeld: boolean;
  /** `香港（3 个项目）`, `新加坡 · org-1a2b3c`; empty for errors of the whole run. */
  partitions: readonly string[];
  /** Without the projects. */
  regions: readonly string[];
};

/** What a run reads instead of all that its key may not list: not said of one that read nothing. */
const INSTEAD = /，只读取默认(项目|地域)/;

/** The problems of a run, as its status leaves them true. */
export function problemsOf({ status, errors }: Pick<SyncRun, "status" | "errors">): ErrorGroup[] {
  if (status !== "failed") return groupErrors(errors);
  return groupErrors(
    errors.map((error) => ({ ...error, message: error.message.replace(INSTEAD, "") })),
  );
}

/** One entry per text, with the regions and projects it concerns. */
function groupErrors(errors: readonly SyncRunError[]): ErrorGroup[] {
  const ordered = errors.toSorted((a, b) => rankOf(a) - rankOf(b));
  const byMessage = Map.groupBy(ordered, ({ message }) => message);

  return [...byMessage].map(([message, same]) => ({
    message,
    isHeld: same.some(isHeld),
    partitions: partitionsOf(same),
    regions: [
      ...new Set(same.flatMap(({ region }) => (region === null ? [] : [regionName(region)]))),
    ],
  }));
}

/**
 * Held hosts first, then the whole run, then its regions; that there are more errors comes last.
 */
function rankOf(error: SyncRunError): number {
  if (error.code === MORE_ERRORS) return 3;
  if (isHeld(error)) return 0;
  return error.region === null ? 1 : 2;
}

function partitionsOf(errors: readonly SyncRunError[]): string[] {
  const byRegion = Map.groupBy(errors, ({ region }) => region);
  return [...byRegion].flatMap(([region, same]) => {
    const projects = [...new Set(same.flatMap(({ projectId }) => (projectId ? [projectId] : [])))];
    if (region === null) return projects;

    const [first, ...others] = projects;
    if (first === undefined) return [regionName(region)];

    return [
      others.length === 0
        ? `${regionName(region)} · ${first}`
        : `${regionName(region)}（${projects.length} 个项目）`,
    ];
  });
}
