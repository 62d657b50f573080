import { z } from "zod";
import { HostStatus } from "./hosts.ts";

/** Months of the years as they are in China (UTC+8, without daylight saving), whatever the caller's or the server's zone. */
export const EXPIRY_MONTHS = 12;

/** `month` as `2026-12`. */
export const MonthlyExpiries = z.object({ month: z.string(), count: z.int() });
export type MonthlyExpiries = z.infer<typeof MonthlyExpiries>;

/** `Other` is every status that is neither of the two. */
export const RegionCounts = z.object({ region: z.string(), Running: z.int(), Stopped: z.int(), Other: z.int() });
export type RegionCounts = z.infer<typeof RegionCounts>;

/** Hosts whose end has passed, is within 7 days, and within 30 days (those within 7 included). */
export const ExpiryCounts = z.object({ expired: z.int(), expiring7: z.int(), expiring30: z.int() });
export type ExpiryCounts = z.infer<typeof ExpiryCounts>;

/**
 * How many hosts the caller can see, and by what. `provider` counts ends as the caller's list shows them in `expireTime`: the provider's
 * (prepaid hosts only), for a client those of the own assignments. `assigned` counts hosts with an assignment that ends so, of those that
 * the caller may know of. `expired`, `expiringSoon` and `expiringMonth` are the provider's for a super admin, the assignments' for others.
 * `expiriesByMonth` counts the same ends, each host by the first of its assignments. `unassigned` and `gone` are the super admin's.
 */
export const HostSummary = z.object({
  total: z.int(),
  byStatus: z.record(HostStatus, z.int()),
  expired: z.int(),
  /** Ends within 7 days. */
  expiringSoon: z.int(),
  /** Ends within 30 days, those within 7 included. */
  expiringMonth: z.int(),
  provider: ExpiryCounts,
  assigned: ExpiryCounts,
  unassigned: z.int().nullable(),
  gone: z.int().nullable(),
  /** What is still to end, by month: this one and the next eleven, those without any included. */
  expiriesByMonth: z.array(MonthlyExpiries),
  /** Every region with hosts, most hosts first. */
  regions: z.array(RegionCounts),
});
export type HostSummary = z.infer<typeof HostSummary>;
