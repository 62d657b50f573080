import { z } from "zod";
import { HeldReason } from "./held-hosts.ts";
import { Id } from "./ids.ts";
import { PageQuery, Pagination } from "./page.ts";
import { labelledEnum, wholeNumber } from "./text.ts";
import { UnixSeconds } from "./time.ts";
import { ActorReference } from "./users.ts";

export const SyncTrigger = z
  .enum(["manual", "schedule"])
  .meta({ id: "SyncTrigger", description: "触发方式：manual 手动、schedule 定时" });
export type SyncTrigger = z.infer<typeof SyncTrigger>;

export const SYNC_STATUS_LABELS = {
  queued: "排队中",
  running: "同步中",
  succeeded: "已完成",
  partial: "部分完成",
  failed: "失败",
  cancelled: "已取消",
  interrupted: "已中断",
} as const;
export const SyncStatus = labelledEnum("SyncStatus", "同步状态", SYNC_STATUS_LABELS);
export type SyncStatus = z.infer<typeof SyncStatus>;

/** Of a run that waits or is under way; a configuration has one such run at most. */
export const LIVE_SYNC_STATUSES: readonly SyncStatus[] = ["queued", "running"];

export function isLiveSync(status: SyncStatus): boolean {
  return LIVE_SYNC_STATUSES.includes(status);
}

/** The code of the error of a run that holds hosts because too many would be gone at once. */
export const MASS_REMOVAL = HeldReason.enum["mass-removal"];
/** The codes of errors that say that hosts are held: kept although they may be gone. */
export const HELD_CODES: readonly string[] = HeldReason.options;

/** The code of the last error of a run that has more of them than it keeps. */
export const MORE_ERRORS = "more-errors";

export const SyncRunError = z
  .object({
    region: z.string().nullable().describe("地域，例如 hk；与地域无关时为 null"),
    projectId: z.string().nullable().describe("项目 ID，例如 org-abc123；与项目无关时为 null"),
    code: z.string().meta({ description: "问题的简短代码", examples: ["timeout"] }),
    message: z.string().describe("说明，可直接显示给用户"),
  })
  .meta({ id: "SyncRunError", description: "同步中遇到的一个问题" });
export type SyncRunError = z.infer<typeof SyncRunError>;

export const SyncRun = z
  .object({
    id: Id,
    configId: Id.describe("所属云账号的配置的标识，配置删除后仍保留"),
    configName: z
      .string()
      .meta({ description: "配置名称，配置删除后仍保留", examples: ["生产账号"] }),
    trigger: SyncTrigger,
    status: SyncStatus,
    requestedBy: ActorReference.nullable().describe("发起人，定时同步为 null"),
    startedAt: UnixSeconds.describe("开始时间"),
    finishedAt: UnixSeconds.nullable().describe("结束时间，未结束时为 null"),
    regionsTotal: z.int().describe("地域总数"),
    regionsDone: z.int().describe("已完成的地域数"),
    hostsTotal: z.int().describe("云服务商目前报告的主机总数，同步过程中会增长，不小于 hostsSeen"),
    hostsSeen: z.int().describe("已读取的主机数"),
    created: z.int().describe("新增的主机数"),
    updated: z.int().describe("更新的主机数"),
    unchanged: z.int().describe("无变化的主机数"),
    gone: z.int().describe("标记为已不存在的主机数"),
    rejected: z.int().describe("无法识别而跳过的记录数"),
    errors: z.array(SyncRunError).describe("同步中遇到的问题"),
  })
  .meta({ id: "SyncRun", description: "一次同步的进度与结果" });
export type SyncRun = z.infer<typeof SyncRun>;

export const SyncHostsInput = z
  .strictObject({
    configId: Id.optional().describe("只同步该配置；不填同步全部启用的配置"),
    wait: wholeNumber("等待时间", { min: 0, max: 25, unit: "秒" })
      .default(20)
      .describe("最多等待同步完成的秒数，0-25；0 表示立即返回"),
  })
  .prefault({})
  .meta({ id: "SyncHostsInput" });
export type SyncHostsInput = z.infer<typeof SyncHostsInput>;

export const SyncRuns = z
  .object({ runs: z.array(SyncRun).describe("同步记录") })
  .meta({ id: "SyncRuns", description: "各配置的同步" });
export type SyncRuns = z.infer<typeof SyncRuns>;

export const ListSyncRunsInput = z
  .strictObject({
    ...PageQuery.shape,
    configId: Id.optional().describe("云服务商配置的标识"),
    status: SyncStatus.optional(),
  })
  .prefault({})
  .meta({ id: "ListSyncRunsInput" });
export type ListSyncRunsInput = z.infer<typeof ListSyncRunsInput>;

export const SyncRunList = z
  .object({ runs: z.array(SyncRun).describe("同步记录"), pagination: Pagination })
  .meta({ id: "SyncRunList", description: "一页同步记录" });
export type SyncRunList = z.infer<typeof SyncRunList>;
