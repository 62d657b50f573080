import {
  Activity,
  AuditList,
  ExportAuditInput,
  ListActivityInput,
  ListAuditInput,
} from "../../../shared/audit.ts";
import {
  exportProcedure,
  permittedProcedure,
  router,
  signedInSessionProcedure,
} from "../../platform/trpc/trpc.ts";
import { exportAudit } from "./export-audit.ts";
import { listActivity, listAudit } from "./queries.ts";

export const auditRouter = router({
  list: permittedProcedure("audit:read")
    .meta({
      rest: { method: "GET", path: "/api/audit" },
      summary: "审计日志",
      description:
        "谁在什么时候、从哪里做了什么，包括被拒绝与失败的；最新的在前。记录不能修改或删除，到期后自动清理。总数最多数到 10,000，更早的请缩小时间范围或增加条件查看。没有写明起始时间的搜索，在没有索引可用时（一两个字的，以及使用内置数据库时）只看最新的 20 万条。",
    })
    .input(ListAuditInput)
    .output(AuditList)
    .query(({ ctx, input }) => listAudit(ctx.deps, input)),

  export: exportProcedure("audit:read")
    .meta({
      rest: { method: "GET", path: "/api/audit/export" },
      summary: "导出审计日志",
      description:
        "与审计日志相同的筛选，CSV 文件（UTF-8，带 BOM）含全部记录，最新的在前。与列表不同，不受 10,000 条的限制，搜索也总是查看全部时间。导出本身也是一条记录。",
    })
    .input(ExportAuditInput)
    .query(({ ctx, input }) => exportAudit(ctx.deps, input)),
});

/** Among the calls of `auth`. */
export const activityRouter = router({
  activity: signedInSessionProcedure
    .meta({
      rest: { method: "GET", path: "/api/auth/activity" },
      summary: "自己账号的活动",
      description:
        "自己的登录（包括失败的），以及密码、两步验证与 API 令牌的改动，最近 90 天，最新的在前。",
    })
    .input(ListActivityInput)
    .output(Activity)
    .query(({ ctx, input }) => listActivity(ctx.deps, ctx.caller, input)),
});
