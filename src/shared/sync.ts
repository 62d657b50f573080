import { z } from "zod";
import { Id } from "./ids.ts";
import { PageQuery, Pagination } from "./page.ts";
import { UnixSeconds } from "./time.ts";

export const SyncTrigger = z.enum(["manual", "schedule"]);
export type SyncTrigger = z.infer<typeof SyncTrigger>;

export const SyncStatus = z.enum(["queued", "running", "succeeded", "partial", "failed", "cancelled", "interrupted"]);
export type SyncStatus = z.infer<typeof SyncStatus>;

export const SYNC_STATUS_LABELS: Readonly<Record<SyncStatus, string>> = {
  queued: "排队中",
  running: "同步中",
  succeeded: "已完成",
  partial: "部分完成",
  failed: "失败",
  cancelled: "已取消",
  interrupted: "已中断",
};

export function isLiveSync(status: SyncStatus): boolean {
  return status === "queued" || status === "running";
}

/** The code of the error of a run that holds hosts because too many would be gone at once. */
export const MASS_REMOVAL = "mass-removal";
/** The codes of errors that say that hosts are held: kept although they may be gone. */
export const HELD_CODES: readonly string[] = [MASS_REMOVAL, "empty", "unavailable"];

/** The code of the last error of a run that has more of them than it tells. */
export const MORE_ERRORS = "more-errors";

/** `region` and `projectId` are null when the trouble is not that of one of them; `code` is a short machine word. */
export const SyncRunError = z.object({
  region: z.string().nullable(),
  projectId: z.string().nullable(),
  code: z.string(),
  message: z.string(),
});
export type SyncRunError = z.infer<typeof SyncRunError>;

/** `hostsTotal` is what the provider has announced so far; it grows while regions are opened, and is never less than `hostsSeen`. */
export const SyncRun = z.object({
  id: Id,
  configId: Id.nullable(),
  configName: z.string(),
  trigger: SyncTrigger,
  status: SyncStatus,
  requestedBy: z.object({ id: Id, name: z.string() }).nullable(),
  startedAt: UnixSeconds,
  finishedAt: UnixSeconds.nullable(),
  regionsTotal: z.int(),
  regionsDone: z.int(),
  hostsTotal: z.int(),
  hostsSeen: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  gone: z.int(),
  rejected: z.int(),
  errors: z.array(SyncRunError),
});
export type SyncRun = z.infer<typeof SyncRun>;

export const MAX_SYNC_WAIT_SECONDS = 25;
export const DEFAULT_SYNC_WAIT_SECONDS = 20;

/** Without `configId`: every active configuration. `wait` in seconds: how long the answer may wait for the runs to finish. */
export const SyncHostsInput = z
  .strictObject({
    configId: Id.optional(),
    wait: z
      .int("等待时间必须是整数")
      .min(0, "等待时间不能为负数")
      .max(MAX_SYNC_WAIT_SECONDS, `等待时间最多为${MAX_SYNC_WAIT_SECONDS}秒`)
      .default(DEFAULT_SYNC_WAIT_SECONDS),
  })
  .prefault({});
export type SyncHostsInput = z.infer<typeof SyncHostsInput>;

export const SyncRuns = z.object({ runs: z.array(SyncRun) });
export type SyncRuns = z.infer<typeof SyncRuns>;

export const ListSyncRunsInput = z
  .strictObject({
    ...PageQuery.shape,
    configId: Id.optional(),
    status: SyncStatus.optional(),
  })
  .prefault({});
export type ListSyncRunsInput = z.infer<typeof ListSyncRunsInput>;

export const SyncRunList = z.object({ runs: z.array(SyncRun), pagination: Pagination });
export type SyncRunList = z.infer<typeof SyncRunList>;
