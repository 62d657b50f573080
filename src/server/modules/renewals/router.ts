import {
  BatchCreateRenewals,
  BatchCreateRenewalsInput,
  BatchProcessRenewals,
  BatchProcessRenewalsInput,
} from "../../../shared/batch.ts";
import { IdInput, Nothing } from "../../../shared/ids.ts";
import {
  CreateRenewalInput,
  ExportRenewalsInput,
  ListRenewalsInput,
  ProcessRenewalInput,
  Renewal,
  RenewalList,
  UndoRenewalInput,
} from "../../../shared/renewals.ts";
import { exportProcedure, permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { createRenewals, processRenewals } from "./batch-renewals.ts";
import { cancelRenewal } from "./cancel-renewals.ts";
import { createRenewal } from "./create-renewal.ts";
import { getRenewalDetails } from "./details.ts";
import { exportRenewals } from "./export-renewals.ts";
import { processRenewal } from "./process-renewal.ts";
import { listRenewals } from "./queries.ts";
import { undoRenewal } from "./undo-renewal.ts";

export const renewalsRouter = router({
  create: permittedProcedure("renewals:create")
    .meta({
      rest: { method: "POST", path: "/api/renewals", status: 201 },
      summary: "提交续费申请",
      description:
        "每台主机同时只能有一个未完成（待处理或已批准）的申请。分配已到期的主机可以申请；分配已结束的、在云服务商处已不存在的不可以。每个用户 24 小时内最多提交 50 个申请。",
      errors: ["NOT_FOUND", "CONFLICT", "STATE_CONFLICT", "TOO_MANY_REQUESTS"],
    })
    .input(CreateRenewalInput)
    .output(Renewal)
    .mutation(({ ctx, input }) => createRenewal(ctx.deps, ctx.caller, input)),

  createBatch: permittedProcedure("renewals:create")
    .meta({
      rest: { method: "POST", path: "/api/renewals/batch" },
      summary: "为多台主机申请续费",
      description: "每台主机单独处理，一台失败不影响其他。可以都续相同的天数，也可以都续到同一天。",
    })
    .input(BatchCreateRenewalsInput)
    .output(BatchCreateRenewals)
    .mutation(({ ctx, input }) => createRenewals(ctx.deps, ctx.caller, input)),

  list: permittedProcedure("renewals:read")
    .meta({ rest: { method: "GET", path: "/api/renewals" }, summary: "续费申请列表" })
    .input(ListRenewalsInput)
    .output(RenewalList)
    .query(({ ctx, input }) => listRenewals(ctx.deps, ctx.caller, input)),

  export: exportProcedure("renewals:read")
    .meta({
      rest: { method: "GET", path: "/api/renewals/export" },
      summary: "导出续费申请",
      description:
        "与续费申请列表相同的筛选与排序，CSV 文件（UTF-8，带 BOM）含看得到的全部申请，列取决于角色：C端用户的文件里没有申请人、云端到期时间与处理人。",
    })
    .input(ExportRenewalsInput)
    .query(({ ctx, input }) => exportRenewals(ctx.deps, ctx.caller, input)),

  get: permittedProcedure("renewals:read")
    .meta({ rest: { method: "GET", path: "/api/renewals/{id}" }, summary: "续费申请详情" })
    .input(IdInput)
    .output(Renewal)
    .query(({ ctx, input }) => getRenewalDetails(ctx.deps, ctx.caller, input)),

  process: permittedProcedure("renewals:process")
    .meta({
      rest: { method: "PUT", path: "/api/renewals/{id}/process" },
      summary: "处理续费申请",
      description:
        "待处理 → 批准、拒绝或完成；已批准 → 完成，或拒绝（未付款）。完成时，到期时间从当前到期时间与现在中较晚的一个顺延申请的天数。主机在云服务商处已不存在的申请不能完成，可以拒绝。",
      errors: ["STATE_CONFLICT"],
    })
    .input(ProcessRenewalInput)
    .output(Renewal)
    .mutation(({ ctx, input }) => processRenewal(ctx.deps, ctx.caller, input)),

  processBatch: permittedProcedure("renewals:process")
    .meta({
      rest: { method: "PUT", path: "/api/renewals/batch" },
      summary: "处理多个续费申请",
      description: "每个申请单独处理，一个失败不影响其他。规则与单个处理相同。",
    })
    .input(BatchProcessRenewalsInput)
    .output(BatchProcessRenewals)
    .mutation(({ ctx, input }) => processRenewals(ctx.deps, ctx.caller, input)),

  undo: permittedProcedure("renewals:process")
    .meta({
      rest: { method: "POST", path: "/api/renewals/{id}/undo" },
      summary: "撤销对续费申请的处理",
      description:
        "处理后 10 分钟内可以撤销最后一次处理，申请恢复为处理前的状态；撤销完成时到期时间也恢复。到期时间已被再次改动的、分配已结束的、该用户对该主机另有未完成申请的不能撤销。",
      errors: ["STATE_CONFLICT"],
    })
    .input(UndoRenewalInput)
    .output(Renewal)
    .mutation(({ ctx, input }) => undoRenewal(ctx.deps, ctx.caller, input)),

  cancel: permittedProcedure("renewals:delete")
    .meta({
      rest: { method: "DELETE", path: "/api/renewals/{id}" },
      summary: "取消续费申请",
      description: "只能取消自己待处理的申请；申请保留在历史中，状态为已取消。",
      errors: ["STATE_CONFLICT"],
    })
    .input(IdInput)
    .output(Nothing)
    .mutation(({ ctx, input }) => cancelRenewal(ctx.deps, ctx.caller, input)),
});
