import { z } from "zod";

const Fields = z.record(z.string(), z.unknown()).optional();

/** What goes wrong with a call. */
export const Fault = z.discriminatedUnion("kind", [
  // instead of the answer
  /** A business error: HTTP 200 with this RetCode. */
  z.strictObject({ kind: z.literal("retCode"), retCode: z.int(), message: z.string().optional() }),
  /** This HTTP response. Default: status 200, the JSON content type and an HTML page. */
  z.strictObject({
    kind: z.literal("http"),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
  }),
  /** Never answers; the connection stays open. */
  z.strictObject({ kind: z.literal("hang") }),
  /** TCP reset before the first byte. */
  z.strictObject({ kind: z.literal("reset") }),

  // the content of a success: set fields, drop fields, add to numbers
  /** Changes top-level fields. */
  z.strictObject({ kind: z.literal("patchBody"), set: Fields, add: z.record(z.string(), z.int()).optional() }),
  /** Changes each n-th host of a page, counted from the first (default: all), or replaces it by any JSON value. */
  z.strictObject({
    kind: z.literal("patchHosts"),
    set: Fields,
    drop: z.array(z.string()).optional(),
    replaceBy: z.unknown().optional(),
    every: z.int().min(1).optional(),
  }),
]);
export type Fault = z.infer<typeof Fault>;

/** Selects calls; a field that is not given matches every call. */
export const CallMatch = z.strictObject({
  action: z.string().optional(),
  region: z.string().optional(),
  projectId: z.string().optional(),
  publicKey: z.string().optional(),
  /** A call without Offset counts as 0. */
  offset: z.int().min(0).optional(),
  /** true: only calls with UHostIds; false: only listings. */
  byId: z.boolean().optional(),
  /** The first matching call that is hit, counted from 1. */
  nth: z.int().min(1).optional(),
  /** How many calls are hit. Default: 1 when `nth` is given, else unlimited. */
  times: z.int().min(1).optional(),
});
export type CallMatch = z.infer<typeof CallMatch>;

/** One fault and the calls it hits. Several rules may hit one call; they apply in the order they were added. */
export const FaultRule = CallMatch.extend({ fault: Fault });
export type FaultRule = z.infer<typeof FaultRule>;
