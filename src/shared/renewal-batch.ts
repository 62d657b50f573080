import { z } from "zod";
import { HostIds, MAX_BATCH_HOSTS } from "./batch.ts";
import { ErrorCode } from "./errors.ts";
import { Id } from "./ids.ts";
import { CreateRenewalInput, needsReason, ProcessRenewalFields, REASON_MISSING } from "./renewals.ts";
import { UnixSeconds } from "./time.ts";

/** Several of the client's own hosts, by the same number of days or to one common day. */
export const BatchCreateRenewalsInput = z
  .strictObject({
    hostIds: HostIds,
    requestedDuration: CreateRenewalInput.shape.requestedDuration.optional(),
    untilDate: UnixSeconds.optional().describe(
      "各主机续费后的到期时间落在此时间之前的24小时内，例如某日的23:59:59；与 requestedDuration 二选一",
    ),
    remark: CreateRenewalInput.shape.remark,
  })
  .refine(({ requestedDuration, untilDate }) => (requestedDuration === undefined) !== (untilDate === undefined), {
    error: "续费天数与统一到期日必须且只能填写一个",
    path: ["requestedDuration"],
  })
  .meta({
    id: "BatchCreateRenewalsInput",
    examples: [{ hostIds: ["019a9f00-0000-7000-8000-000000000002"], requestedDuration: 30, remark: "请续费" }],
  });
export type BatchCreateRenewalsInput = z.infer<typeof BatchCreateRenewalsInput>;

const Outcome = {
  ok: z.boolean().describe("是否成功"),
  code: ErrorCode.optional().describe("失败时的错误码"),
  message: z.string().optional().describe("失败的原因"),
};

export const BatchCreateRenewals = z
  .object({
    results: z
      .array(
        z.object({
          hostId: Id.describe("主机的标识"),
          id: Id.optional().describe("成功时新申请的标识"),
          ...Outcome,
        }),
      )
      .describe("每台主机的结果，顺序与 hostIds 相同"),
  })
  .meta({ id: "BatchCreateRenewals", description: "批量申请续费的结果" });
export type BatchCreateRenewals = z.infer<typeof BatchCreateRenewals>;

export const BatchProcessRenewalsInput = z
  .strictObject({
    ids: z
      .array(Id, "申请必须是列表")
      .min(1, "请至少选择一个申请")
      .max(MAX_BATCH_HOSTS, `每次最多选择${MAX_BATCH_HOSTS}个申请`)
      .refine((ids) => new Set(ids).size === ids.length, "申请不能重复")
      .describe("续费申请的标识，1-100个，不能重复"),
    ...ProcessRenewalFields,
  })
  .refine((decision) => !needsReason(decision), REASON_MISSING)
  .meta({ id: "BatchProcessRenewalsInput" });
export type BatchProcessRenewalsInput = z.infer<typeof BatchProcessRenewalsInput>;

export const BatchProcessRenewals = z
  .object({
    results: z.array(z.object({ id: Id, ...Outcome })).describe("每个申请的结果，顺序与 ids 相同"),
  })
  .meta({ id: "BatchProcessRenewals", description: "批量处理续费申请的结果" });
export type BatchProcessRenewals = z.infer<typeof BatchProcessRenewals>;
