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

/**
 * How many hosts the caller can see, and by what. Ends are the provider's for a super admin (prepaid hosts only) and the assignments' for
 * the others; a host with several assignments counts by the one that ends first. `unassigned` and `gone` are the super admin's.
 */
export const HostSummary = z.object({
  total: z.int(),
  byStatus: z.record(HostStatus, z.int()),
  expired: z.int(),
  /** Ends within 7 days. */
  expiringSoon: z.int(),
  /** Ends within 30 days, those within 7 included. */
  expiringMonth: z.int(),
  unassigned: z.int().nullable(),
  gone: z.int().nullable(),
  /** What is still to end, by month: this one and the next eleven, those without any included. */
  expiriesByMonth: z.array(MonthlyExpiries),
  /** Every region with hosts, most hosts first. */
  regions: z.array(RegionCounts),
});
export type HostSummary = z.infer<typeof HostSummary>;
