import { z } from "zod";

const Fields = z.record(z.string(), z.unknown()).optional();
const Names = z.array(z.string()).optional();
const Numbers = z.record(z.string(), z.int()).optional();

/** What goes wrong with a call. */
export const Fault = z.discriminatedUnion("kind", [
  // instead of the answer
  /** A business error: HTTP 200 with this RetCode, sent as a string when given as one. */
  z.strictObject({
    kind: z.literal("retCode"),
    retCode: z.union([z.int(), z.string()]),
    message: z.string().optional(),
  }),
  /** This HTTP response. Default: status 200, the JSON content type and an HTML page. */
  z.strictObject({
    kind: z.literal("http"),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
  }),
  /** Never answers; the connection stays open. */
  z.strictObject({ kind: z.literal("hang") }),
  /** TCP reset before the first byte (default) or after half of the real answer. */
  z.strictObject({ kind: z.literal("reset"), at: z.enum(["start", "middle"]).optional() }),
  /** Valid JSON of this size; gzip compresses it to a thousandth. */
  z.strictObject({
    kind: z.literal("hugeBody"),
    mebibytes: z.int().min(1).max(4096),
    gzip: z.boolean().optional(),
  }),

  // the real answer, delivered badly
  /** Delays the answer. */
  z.strictObject({ kind: z.literal("slow"), ms: z.int().min(0) }),
  /** Sends `bytes` (default 1) every `everyMs`. */
  z.strictObject({
    kind: z.literal("slowDrip"),
    everyMs: z.int().min(1),
    bytes: z.int().min(1).optional(),
  }),
  /** Sends the first half of the JSON as if it were all. */
  z.strictObject({ kind: z.literal("truncatedJson") }),
  /** Replaces the first match of a regular expression in the JSON text. */
  z.strictObject({ kind: z.literal("patchText"), pattern: z.string(), by: z.string() }),

  // the content of a success: set fields, drop fields, add to numbers
  /** Changes the request before it is answered; numbers stay at 0 or above. */
  z.strictObject({
    kind: z.literal("patchParams"),
    set: z.record(z.string(), z.string()).optional(),
    add: Numbers,
  }),
  /** Changes top-level fields; `addPerCall` adds once more with every matching call. */
  z.strictObject({
    kind: z.literal("patchBody"),
    set: Fields,
    drop: Names,
    add: Numbers,
    addPerCall: Numbers,
  }),
  /**
   * Changes each n-th host of a page, counted from the first (default: all), or replaces it by any
   * JSON value.
   */
  z.strictObject({
    kind: z.literal("patchHosts"),
    set: Fields,
    drop: Names,
    replaceBy: z.unknown().optional(),
    every: z.int().min(1).optional(),
  }),
  /** Lists all hosts of the page twice, or the first one in place of the last. */
  z.strictObject({ kind: z.literal("duplicateHosts"), which: z.enum(["all", "first"]) }),
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

/**
 * One fault and the calls it hits. Several rules may hit one call; they apply in the order they
 * were added.
 */
export const FaultRule = CallMatch.extend({
  /** Hits only this share of the calls, 0…1; the draw is repeatable. */
  probability: z.number().min(0).max(1).optional(),
  fault: Fault,
});
export type FaultRule = z.infer<typeof FaultRule>;
