import {
  HostHistory,
  ListHostHistoryInput,
  ListRecentChangesInput,
  ListSyncRunChangesInput,
  RecentChangeList,
  SyncRunChangeList,
} from "../../../shared/host-history.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { listRecentChanges, listSyncRunChanges } from "./list-changes.ts";
import { listHostHistory } from "./queries.ts";

export const historyRouter = router({
  history: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts/{id}/history" },
      summary: "主机历史",
      description:
        "最新的在前，同一秒的按发生的先后：同步发现的变化（保留 400 天）和人的操作，每次操作一条，以后不再改变。管理员看到主机的全部变化和涉及自己负责的用户的操作；C端用户看到涉及自己的操作，以及分配给自己期间（从分配开始与登记分配中较晚的时间起）的变化，不含云服务商的状态与日期、配置、项目，地址只在主机详情也显示时可见。",
    })
    .input(ListHostHistoryInput)
    .output(HostHistory)
    .query(({ ctx, input }) => listHostHistory(ctx.deps, ctx.caller, input)),

  changes: permittedProcedure("hosts:sync")
    .meta({
      tag: "sync",
      rest: { method: "GET", path: "/api/hosts/changes" },
      summary: "最近变更",
      description:
        "所有同步、单独同步和配置变更对主机的变化，最新的在前，保留 400 天；名称是主机现在的名称。",
    })
    .input(ListRecentChangesInput)
    .output(RecentChangeList)
    .query(({ ctx, input }) => listRecentChanges(ctx.deps, input)),

  syncRunChanges: permittedProcedure("hosts:sync")
    .meta({
      tag: "sync",
      rest: { method: "GET", path: "/api/hosts/sync-runs/{id}/changes" },
      summary: "一次同步的变化",
      description: "逐台主机、逐个字段，按种类排列；进行中的同步返回到目前为止的变化。",
    })
    .input(ListSyncRunChangesInput)
    .output(SyncRunChangeList)
    .query(({ ctx, input }) => listSyncRunChanges(ctx.deps, input)),
});
