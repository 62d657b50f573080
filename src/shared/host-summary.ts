import { z } from "zod";
import { HostStatus } from "./hosts.ts";

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
});
export type HostSummary = z.infer<typeof HostSummary>;
