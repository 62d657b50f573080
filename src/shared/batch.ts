import { z } from "zod";
import { ErrorCode } from "./errors.ts";
import { ASSIGNMENT_DAYS_MESSAGE, AssigneeId, isAssignablePeriod } from "./hosts.ts";
import { Id } from "./ids.ts";
import { limitedText } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const MAX_BATCH_HOSTS = 100;

const HostIds = z
  .array(Id, "主机必须是列表")
  .min(1, "请至少选择一台主机")
  .max(MAX_BATCH_HOSTS, `每次最多选择${MAX_BATCH_HOSTS}台主机`)
  .refine((ids) => new Set(ids).size === ids.length, "主机不能重复");

/** Nothing was chosen, which is another mistake than choosing what there is not. */
const WithoutOperation = z.looseObject({ operation: z.literal("").nullish() });

/**
 * One operation on many hosts, each on its own. `unassign` without `userId` takes every client off the hosts.
 * Times in Unix seconds, as for a single assignment.
 */
export const BatchHostsInput = z.discriminatedUnion(
  "operation",
  [
    z.strictObject({ operation: z.literal("sync"), hostIds: HostIds }),
    z
      .strictObject({
        operation: z.literal("assign"),
        hostIds: HostIds,
        userId: AssigneeId,
        assignedAt: UnixSeconds.optional(),
        assignedExpireTime: UnixSeconds,
        remark: limitedText("备注", 500).nullish(),
      })
      .refine(
        ({ assignedAt, assignedExpireTime }) =>
          assignedAt === undefined || isAssignablePeriod(assignedAt, assignedExpireTime),
        { error: ASSIGNMENT_DAYS_MESSAGE, path: ["assignedExpireTime"] },
      ),
    z.strictObject({ operation: z.literal("unassign"), hostIds: HostIds, userId: Id.optional() }),
  ],
  {
    error: ({ input }) => (WithoutOperation.safeParse(input).success ? "请选择操作" : "操作必须是同步、分配或取消分配"),
  },
);
export type BatchHostsInput = z.infer<typeof BatchHostsInput>;

/** `code` and `message` say why a host was left as it is; the others are not touched by that. */
export const BatchHostResult = z.object({
  hostId: Id,
  ok: z.boolean(),
  code: ErrorCode.optional(),
  message: z.string().optional(),
});
export type BatchHostResult = z.infer<typeof BatchHostResult>;

/** In the order of `hostIds`. */
export const BatchHosts = z.object({ results: z.array(BatchHostResult) });
export type BatchHosts = z.infer<typeof BatchHosts>;
