import {
  HeldHostList,
  HeldHostsDecision,
  HeldHostsInput,
  ListHeldHostsInput,
} from "../../../shared/held-hosts.ts";
import { Host } from "../../../shared/hosts.ts";
import { IdInput } from "../../../shared/ids.ts";
import {
  ListSyncRunsInput,
  SyncHostsInput,
  SyncRun,
  SyncRunList,
  SyncRuns,
} from "../../../shared/sync.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { listHeldHosts } from "../hosts/held-hosts.ts";
import { cancelSync } from "./end-run.ts";
import { confirmRemovals } from "./held/confirm-removals.ts";
import { dismissRemovals } from "./held/dismiss-removals.ts";
import { getSyncRun, listSyncRuns } from "./queries.ts";
import { syncOneHost } from "./refresh/refresh-hosts.ts";
import { syncHosts } from "./sync-hosts.ts";

const syncProcedure = permittedProcedure("hosts:sync").meta({ tag: "sync" });

export const syncRouter = router({
  sync: syncProcedure
    .meta({
      rest: { method: "POST", path: "/api/hosts/sync", query: ["configId", "wait"] },
      summary: "同步主机",
      description:
        "已在同步的配置返回正在进行的那次同步。在 `wait` 秒内未完成时返回当前进度，可稍后再查。",
      errors: ["NOT_FOUND", "STATE_CONFLICT"],
    })
    .input(SyncHostsInput)
    .output(SyncRuns)
    .mutation(({ ctx, input, signal }) => syncHosts(ctx.deps, ctx.caller, { ...input, signal })),

  syncOne: syncProcedure
    .meta({
      rest: { method: "POST", path: "/api/hosts/{id}/sync" },
      summary: "同步一台主机",
      description: "向云服务商读取这一台主机；按 ID、按完整列表都找不到才标记为已不存在。",
      errors: ["STATE_CONFLICT", "PROVIDER_ERROR", "PROVIDER_TIMEOUT"],
    })
    .input(IdInput)
    .output(Host)
    .mutation(({ ctx, input }) => syncOneHost(ctx.deps, ctx.caller, input)),

  syncRuns: syncProcedure
    .meta({
      rest: { method: "GET", path: "/api/hosts/sync-runs" },
      summary: "同步记录列表",
      description: "最新的在前。",
    })
    .input(ListSyncRunsInput)
    .output(SyncRunList)
    .query(({ ctx, input }) => listSyncRuns(ctx.deps, input)),

  syncRun: syncProcedure
    .meta({ rest: { method: "GET", path: "/api/hosts/sync-runs/{id}" }, summary: "同步记录详情" })
    .input(IdInput)
    .output(SyncRun)
    .query(({ ctx, input }) => getSyncRun(ctx.deps, input)),

  cancelSync: syncProcedure
    .meta({
      rest: { method: "POST", path: "/api/hosts/sync-runs/{id}/cancel" },
      summary: "停止同步",
      description: "已写入的主机保留，不会标记任何主机为已不存在。",
      errors: ["STATE_CONFLICT"],
    })
    .input(IdInput)
    .output(SyncRun)
    .mutation(({ ctx, input }) => cancelSync(ctx.deps, input)),

  heldRemovals: syncProcedure
    .meta({
      rest: { method: "GET", path: "/api/hosts/held-removals" },
      summary: "待确认消失的主机",
      description:
        "同步没有找到、但不敢标记为已不存在的主机，等待人工确认；最近发现的在前。再次出现的主机自动移出。",
    })
    .input(ListHeldHostsInput)
    .output(HeldHostList)
    .query(({ ctx, input }) => listHeldHosts(ctx.deps, ctx.caller, input)),

  confirmRemovals: syncProcedure
    .meta({
      rest: { method: "POST", path: "/api/hosts/held-removals/confirm" },
      summary: "确认主机已消失",
      description:
        "先向云服务商按 ID 逐台核实（地域未开通、项目不存在视为没有），找不到的标记为已不存在，仍能找到的恢复为正常并附说明；没有得到应答的保持待确认。处理不完的在各自的结果里说明，可再次确认。",
      errors: ["NOT_FOUND"],
    })
    .input(HeldHostsInput)
    .output(HeldHostsDecision)
    .mutation(({ ctx, input }) => confirmRemovals(ctx.deps, input)),

  dismissRemovals: syncProcedure
    .meta({
      rest: { method: "POST", path: "/api/hosts/held-removals/dismiss" },
      summary: "保留待确认的主机",
      description:
        "主机保持存在；在重新出现之前，同步不再将其列为待确认，也不标记为已不存在，但会报告为部分完成。",
      errors: ["NOT_FOUND"],
    })
    .input(HeldHostsInput)
    .output(HeldHostsDecision)
    .mutation(({ ctx, input }) => dismissRemovals(ctx.deps, input)),
});
