import { z } from "zod";
import { ErrorCode } from "./errors.ts";
import { ASSIGNMENT_DAYS_MESSAGE, AssignedPeriod, AssigneeId, isAssignablePeriod } from "./hosts.ts";
import { Id } from "./ids.ts";
import { limitedText } from "./text.ts";

export const MAX_BATCH_HOSTS = 100;

export const HostIds = z
  .array(Id, "主机必须是列表")
  .min(1, "请至少选择一台主机")
  .max(MAX_BATCH_HOSTS, `每次最多选择${MAX_BATCH_HOSTS}台主机`)
  .refine((ids) => new Set(ids).size === ids.length, "主机不能重复")
  .describe("主机的标识，1-100个，不能重复");

function operation<Word extends string>(word: Word, label: string) {
  return z.literal(word).describe(`操作：${word} ${label}`);
}

/**
 * One operation on many hosts, each on its own. `unassign` without `userId` takes every client off the hosts.
 * Times in Unix seconds, as for a single assignment.
 */
export const BatchHostsInput = z
  .discriminatedUnion(
    "operation",
    [
      z.strictObject({ operation: operation("sync", "同步"), hostIds: HostIds }),
      z
        .strictObject({
          operation: operation("assign", "分配"),
          hostIds: HostIds,
          userId: AssigneeId,
          ...AssignedPeriod.shape,
          remark: limitedText("备注", 500).nullish().describe("备注"),
        })
        .refine(
          ({ assignedAt, assignedExpireTime }) =>
            assignedAt === undefined || isAssignablePeriod(assignedAt, assignedExpireTime),
          { error: ASSIGNMENT_DAYS_MESSAGE, path: ["assignedExpireTime"] },
        ),
      z.strictObject({
        operation: operation("unassign", "取消分配"),
        hostIds: HostIds,
        userId: Id.optional().describe("C端用户的标识；不填表示取消全部用户"),
      }),
    ],
    "请选择操作",
  )
  .meta({ id: "BatchHostsInput" });
export type BatchHostsInput = z.infer<typeof BatchHostsInput>;

export const BatchHostResult = z
  .object({
    hostId: Id.describe("主机的标识"),
    ok: z.boolean().describe("是否成功"),
    code: ErrorCode.optional().describe("失败时的错误码"),
    message: z.string().optional().describe("说明：失败的原因，或主机已不存在"),
  })
  .meta({ id: "BatchHostResult", description: "批量操作中一台主机的结果；失败不影响其他主机" });
export type BatchHostResult = z.infer<typeof BatchHostResult>;

export const BatchHosts = z
  .object({ results: z.array(BatchHostResult).describe("每台主机的结果，顺序与 hostIds 相同") })
  .meta({ id: "BatchHosts", description: "批量操作的结果" });
export type BatchHosts = z.infer<typeof BatchHosts>;
