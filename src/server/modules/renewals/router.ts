import {
  BatchCreateRenewals,
  BatchCreateRenewalsInput,
  BatchProcessRenewals,
  BatchProcessRenewalsInput,
} from "../../../shared/batch.ts";
import { IdInput, Nothing } from "../../../shared/ids.ts";
import {
  CreateRenewalInput,
  ListRenewalsInput,
  ProcessRenewalInput,
  Renewal,
  RenewalList,
} from "../../../shared/renewals.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { createRenewals, processRenewals } from "./batch-renewals.ts";
import { cancelRenewal } from "./cancel-renewals.ts";
import { createRenewal } from "./create-renewal.ts";
import { processRenewal } from "./process-renewal.ts";
import { getRenewal, listRenewals } from "./queries.ts";

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

  get: permittedProcedure("renewals:read")
    .meta({ rest: { method: "GET", path: "/api/renewals/{id}" }, summary: "续费申请详情" })
    .input(IdInput)
    .output(Renewal)
    .query(({ ctx, input }) => getRenewal(ctx.deps, ctx.caller, input)),

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
