import { z } from "zod";
import { Tags, tagKey } from "./annotations.ts";
import { ErrorCode } from "./errors.ts";
import { AssignedPeriod, AssigneeId, hasOneEnd, ONE_END } from "./hosts.ts";
import { Id } from "./ids.ts";
import { CreateRenewalInput, ProcessRenewalFields, withReason } from "./renewals.ts";
import { limitedText } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const MAX_BATCH_HOSTS = 100;

/** What one call acts on, each on its own. `label` and `unit` name it in messages. */
function chosenIds(label: string, unit: string) {
  return z
    .array(Id, `${label}必须是列表`)
    .min(1, `请至少选择一${unit}`)
    .max(MAX_BATCH_HOSTS, `每次最多选择 ${MAX_BATCH_HOSTS} ${unit}`)
    .refine((ids) => new Set(ids).size === ids.length, `${label}不能重复`)
    .meta({ description: `${label}的标识，1-${MAX_BATCH_HOSTS} 个，不能重复`, uniqueItems: true });
}

export const HostIds = chosenIds("主机", "台主机");

function operation<Word extends string>(word: Word, label: string) {
  return z.literal(word).describe(`操作：${word} ${label}`);
}

const AT_MOST_ONE_END = {
  error: "分配到期时间与分配天数最多填写一个",
  path: ["assignedExpireTime"],
};

interface TagChange {
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

function namesTags({ add = [], remove = [] }: TagChange): boolean {
  return add.length + remove.length > 0;
}
const NO_TAGS = { error: "请填写要添加或移除的标签", path: ["add"] };

function areApart({ add = [], remove = [] }: TagChange): boolean {
  const removed = new Set(remove.map(tagKey));
  return !add.some((tag) => removed.has(tagKey(tag)));
}
const NOT_APART = { error: "同一个标签不能既添加又移除", path: ["remove"] };

/**
 * `unassign` without `userId` takes every client off the hosts. Times in Unix seconds, as for a
 * single assignment.
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
          ...AssignedPeriod,
          allowShorter: z
            .boolean()
            .optional()
            .describe(
              "是否也修改该用户现有到期时间更晚的主机，默认 false：这些主机的结果为 STATE_CONFLICT，有效期不变",
            ),
          remark: limitedText("备注", 500).nullish().describe("备注"),
        })
        .refine(hasOneEnd, ONE_END),
      z.strictObject({
        operation: operation("unassign", "取消分配"),
        hostIds: HostIds,
        userId: Id.optional().describe("C端用户的标识；不填表示取消全部用户"),
      }),
      z
        .strictObject({
          operation: operation("transfer", "转移给另一个用户"),
          hostIds: HostIds,
          fromUserId: Id.describe("原C端用户的标识，其分配现在结束"),
          userId: AssigneeId.describe("接收的C端用户的标识，其分配从现在开始，不能与原用户相同"),
          assignedExpireTime: AssignedPeriod.assignedExpireTime.describe(
            "接收用户的分配到期时间，1 天之后 365 天之内；与 days 最多填写一个，都不填则与原用户的到期时间相同",
          ),
          days: AssignedPeriod.days.describe(
            "接收用户的分配天数，1-365，由服务器从现在起计算；与 assignedExpireTime 最多填写一个",
          ),
        })
        .refine(
          ({ assignedExpireTime, days }) => assignedExpireTime === undefined || days === undefined,
          AT_MOST_ONE_END,
        ),
      z
        .strictObject({
          operation: operation("tag", "添加或移除标签"),
          hostIds: HostIds,
          add: Tags.optional().describe("添加的标签；主机已有的（不区分大小写）不变"),
          remove: Tags.optional().describe("移除的标签，不区分大小写；主机没有的不变"),
        })
        .refine(namesTags, NO_TAGS)
        .refine(areApart, NOT_APART),
    ],
    "请选择操作",
  )
  .meta({ id: "BatchHostsInput" });
export type BatchHostsInput = z.infer<typeof BatchHostsInput>;

const Outcome = {
  ok: z.boolean().describe("是否成功"),
  code: ErrorCode.optional().describe("失败时的错误码"),
  message: z.string().optional().describe("失败的原因，或对结果的说明"),
};

export const BatchHostResult = z
  .object({ hostId: Id.describe("主机的标识"), ...Outcome })
  .meta({ id: "BatchHostResult", description: "批量操作中一台主机的结果；失败不影响其他主机" });

export const BatchHosts = z
  .object({ results: z.array(BatchHostResult).describe("每台主机的结果，顺序与 hostIds 相同") })
  .meta({ id: "BatchHosts", description: "批量操作的结果" });
export type BatchHosts = z.infer<typeof BatchHosts>;

/** Several of the client's own hosts, by the same number of days or to one common day. */
export const BatchCreateRenewalsInput = z
  .strictObject({
    hostIds: HostIds,
    requestedDuration: CreateRenewalInput.shape.requestedDuration.optional(),
    untilDate: UnixSeconds.optional().describe(
      "各主机续费后的到期时间落在此时间之前的 24 小时内，例如某日的 23:59:59；与 requestedDuration 二选一",
    ),
    remark: CreateRenewalInput.shape.remark,
  })
  .refine(
    ({ requestedDuration, untilDate }) =>
      (requestedDuration === undefined) !== (untilDate === undefined),
    {
      error: "续费天数与统一到期日必须且只能填写一个",
      path: ["requestedDuration"],
    },
  )
  .meta({
    id: "BatchCreateRenewalsInput",
    examples: [
      {
        hostIds: ["019a9f00-0000-7000-8000-000000000002"],
        requestedDuration: 30,
        remark: "请续费",
      },
    ],
  });
export type BatchCreateRenewalsInput = z.infer<typeof BatchCreateRenewalsInput>;

const CreatedRenewal = BatchHostResult.extend({ id: Id.optional().describe("成功时新申请的标识") });

export const BatchCreateRenewals = z
  .object({ results: z.array(CreatedRenewal).describe("每台主机的结果，顺序与 hostIds 相同") })
  .meta({ id: "BatchCreateRenewals", description: "批量申请续费的结果" });
export type BatchCreateRenewals = z.infer<typeof BatchCreateRenewals>;

export const BatchProcessRenewalsInput = withReason(
  z.strictObject({ ids: chosenIds("申请", "个申请"), ...ProcessRenewalFields }),
).meta({ id: "BatchProcessRenewalsInput" });
export type BatchProcessRenewalsInput = z.infer<typeof BatchProcessRenewalsInput>;

export const BatchProcessRenewals = z
  .object({
    results: z.array(z.object({ id: Id, ...Outcome })).describe("每个申请的结果，顺序与 ids 相同"),
  })
  .meta({ id: "BatchProcessRenewals", description: "批量处理续费申请的结果" });
export type BatchProcessRenewals = z.infer<typeof BatchProcessRenewals>;
