import { z } from "zod";
import { BatchHosts, HostIds } from "./batch.ts";
import { Host } from "./hosts.ts";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, searchText } from "./page.ts";
import { labelledEnum } from "./text.ts";
import { UnixSeconds } from "./time.ts";

/**
 * Why a host that was not found is kept until a person decides. Also the codes of the errors of a
 * run that hold hosts.
 */
export const HELD_REASON_LABELS = {
  "mass-removal": "大批主机同时消失",
  empty: "地域列表为空",
  unavailable: "地域或项目不可用",
} as const;
export const HeldReason = labelledEnum(
  "HeldReason",
  "待确认消失的原因",
  HELD_REASON_LABELS,
  "原因不正确",
);
export type HeldReason = z.infer<typeof HeldReason>;

export const HeldHost = z
  .object({
    host: Host,
    configId: Id.describe("所属云账号的配置的标识"),
    runId: Id.nullable().describe("使它待确认消失的同步；单独同步时发现的为 null"),
    heldAt: UnixSeconds.describe("从何时起待确认消失"),
    reason: HeldReason,
  })
  .meta({ id: "HeldHost", description: "一台待确认消失的主机" });
export type HeldHost = z.infer<typeof HeldHost>;

export const ListHeldHostsInput = z
  .strictObject({
    ...PageQuery.shape,
    configId: Id.optional().describe("云服务商配置的标识"),
    search: searchText("主机名称、云服务商主机 ID、IP 地址"),
    reason: HeldReason.optional(),
  })
  .prefault({})
  .meta({ id: "ListHeldHostsInput" });
export type ListHeldHostsInput = z.infer<typeof ListHeldHostsInput>;

export const HeldHostList = z
  .object({ hosts: z.array(HeldHost).describe("待确认的主机"), pagination: Pagination })
  .meta({ id: "HeldHostList", description: "一页待确认的主机" });
export type HeldHostList = z.infer<typeof HeldHostList>;

/** Some hosts, or all held ones of a configuration. */
export const HeldHostsInput = z
  .discriminatedUnion(
    "all",
    [
      z.strictObject({
        all: z.literal(false).optional().describe("省略：只处理 hostIds 中的主机"),
        hostIds: HostIds,
      }),
      z.strictObject({
        all: z.literal(true).describe("该配置下全部待确认的主机"),
        configId: Id.describe("云服务商配置的标识"),
      }),
    ],
    "all 只能是 true 或省略",
  )
  .meta({ id: "HeldHostsInput" });
export type HeldHostsInput = z.infer<typeof HeldHostsInput>;

/** More are counted, not named: their results would be megabytes. */
export const MAX_NAMED_RESULTS = 1_000;

export const HeldHostsDecision = BatchHosts.extend({
  counts: z
    .object({ succeeded: z.int().describe("成功的台数"), failed: z.int().describe("失败的台数") })
    .optional()
    .describe(`处理的主机超过 ${MAX_NAMED_RESULTS} 台时，results 为空，只有台数`),
}).meta({ id: "HeldHostsDecision", description: "对待确认的主机所做决定的结果" });
export type HeldHostsDecision = z.infer<typeof HeldHostsDecision>;
