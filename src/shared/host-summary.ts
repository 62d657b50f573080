import { z } from "zod";

/**
 * Months of the years as they are in China (UTC+8, without daylight saving), whatever the caller's
 * or the server's zone.
 */
export const EXPIRY_MONTHS = 12;

export const MonthlyExpiries = z
  .object({
    month: z.string().meta({ description: "月份，例如 2026-12", examples: ["2026-12"] }),
    count: z.int().describe("该月到期的主机数"),
  })
  .meta({ id: "MonthlyExpiries", description: "一个自然月（北京时间）内到期的主机数" });
export type MonthlyExpiries = z.infer<typeof MonthlyExpiries>;

export const RegionCounts = z
  .object({
    region: z.string().meta({ description: "地域，例如 cn-bj2", examples: ["cn-bj2"] }),
    Running: z.int().describe("运行中的主机数"),
    Stopped: z.int().describe("已停止的主机数"),
    Other: z.int().describe("其余状态的主机数"),
  })
  .meta({ id: "RegionCounts", description: "一个地域中各状态的主机数" });
export type RegionCounts = z.infer<typeof RegionCounts>;

export const ExpiryCounts = z
  .object({
    expired: z.int().describe("已到期的主机数"),
    expiring7: z.int().describe("7 天内到期的主机数"),
    expiring30: z.int().describe("30 天内到期的主机数，包括 7 天内的"),
  })
  .meta({ id: "ExpiryCounts", description: "已到期与即将到期的主机数" });
export type ExpiryCounts = z.infer<typeof ExpiryCounts>;

export const ProviderExpiryCounts = z
  .object({
    expired: z.int().describe("已到期的主机数，包括自动续费未成功的"),
    expiring7: z.int().describe("7 天内到期、不自动续费的主机数"),
    expiring30: z.int().describe("30 天内到期、不自动续费的主机数，包括 7 天内的"),
    renewing7: z.int().describe("7 天内到期、将自动续费的主机数"),
    renewing30: z.int().describe("30 天内到期、将自动续费的主机数，包括 7 天内的"),
  })
  .meta({
    id: "ProviderExpiryCounts",
    description: "在云服务商处已到期与即将到期的主机数，自动续费的另计",
  });
export type ProviderExpiryCounts = z.infer<typeof ProviderExpiryCounts>;

/**
 * `expired`, `expiringSoon`, `expiringMonth` and `expiriesByMonth` count the provider's ends for a
 * super admin, renewed or not, and the assignments' for others, each host by the first of its
 * assignments.
 */
export const HostSummary = z
  .object({
    total: z.int().describe("主机总数"),
    byStatus: z
      .object({
        Running: z.int().describe("运行中的主机数"),
        Stopped: z.int().describe("已停止的主机数"),
        Starting: z.int().describe("启动中的主机数"),
        Stopping: z.int().describe("停止中的主机数"),
        Rebooting: z.int().describe("重启中的主机数"),
        Unknown: z.int().describe("未知的主机数"),
      })
      .describe("各状态的主机数"),
    expired: z.int().describe("已到期的主机数"),
    expiringSoon: z.int().describe("7 天内到期的主机数"),
    expiringMonth: z.int().describe("30 天内到期的主机数，包括 7 天内的"),
    provider: ProviderExpiryCounts.describe(
      "按云服务商的到期时间统计的主机数，只计包年包月；对C端用户是自己的分配到期时间，没有自动续费",
    ),
    assigned: ExpiryCounts.describe("有分配已到期或即将到期的主机数，只针对看得到的分配"),
    providerEndsFirst: z
      .int()
      .nullable()
      .describe(
        "有分配晚于云服务商到期、不自动续费的包年包月主机数，只针对看得到的分配；对C端用户为 null",
      ),
    unassigned: z.int().nullable().describe("未分配的主机数；对其他角色为 null"),
    gone: z.int().nullable().describe("在云服务商处已不存在的主机数；对其他角色为 null"),
    held: z.int().nullable().describe("待确认消失的主机数；对其他角色为 null"),
    expiriesByMonth: z
      .array(MonthlyExpiries)
      .describe("从本月起 12 个月中每月到期的主机数，已到期的不计"),
    regions: z.array(RegionCounts).describe("各地域的主机数，从多到少"),
  })
  .meta({ id: "HostSummary", description: "看得到的主机的数量概况" });
export type HostSummary = z.infer<typeof HostSummary>;
