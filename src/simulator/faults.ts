import { z } from "zod";

const every = z.int().min(1).optional();
const hostField = z.string().min(1);

/**
 * Everything that can be made to go wrong with a call, one line each.
 * `every: n` means each n-th host of a page, counted from the first; default 1 = all of them.
 */
export const Fault = z.discriminatedUnion("kind", [
  // — instead of the answer —
  /** A business error: HTTP 200 with this RetCode; `asString` sends the code as `"153"`. */
  z.strictObject({
    kind: z.literal("retCode"),
    retCode: z.int(),
    message: z.string().optional(),
    asString: z.boolean().optional(),
  }),
  /** RetCode 153 until `calls` matching calls were made, then normal. */
  z.strictObject({ kind: z.literal("throttledUntil"), calls: z.int().min(1) }),
  /** A failing gateway: this HTTP status (429, 500, 502, 503 …) with an HTML page. */
  z.strictObject({
    kind: z.literal("httpStatus"),
    status: z.int().min(400).max(599),
    retryAfterSeconds: z.int().min(0).optional(),
  }),
  /** Never answers; the connection stays open. */
  z.strictObject({ kind: z.literal("hang") }),
  /** TCP reset before any byte, or after half of the real answer. */
  z.strictObject({ kind: z.literal("reset"), at: z.enum(["start", "middle"]).optional() }),
  /** Redirects to `location`, 302 unless told. */
  z.strictObject({ kind: z.literal("redirect"), location: z.string(), status: z.int().min(300).max(399).optional() }),
  /** HTTP 200 with this text (default: an HTML login page) under the JSON content type. */
  z.strictObject({ kind: z.literal("notJson"), body: z.string().optional() }),
  /** HTTP 200 with valid JSON that is no object: a string, a number, null, an array. */
  z.strictObject({ kind: z.literal("jsonScalar"), value: z.json() }),
  /** HTTP 200 without a body. */
  z.strictObject({ kind: z.literal("emptyBody") }),
  /** More than `mebibytes` MiB of valid JSON; `gzip` sends it compressed to a thousandth. */
  z.strictObject({
    kind: z.literal("hugeBody"),
    mebibytes: z.int().min(1).max(4096),
    gzip: z.boolean().optional(),
  }),
  /** A success whose payload is nested `depth` arrays deep. */
  z.strictObject({ kind: z.literal("deepJson"), depth: z.int().min(1).max(1_000_000) }),

  // — the real answer, badly delivered —
  /** Comes `ms` late, and then as it would have. Combines with any other fault. */
  z.strictObject({ kind: z.literal("slow"), ms: z.int().min(0) }),
  /** Drips out: `bytes` (default 1) every `everyMs`. */
  z.strictObject({ kind: z.literal("slowDrip"), everyMs: z.int().min(1), bytes: z.int().min(1).optional() }),
  /** Well-framed HTTP whose JSON stops in the middle. */
  z.strictObject({ kind: z.literal("truncatedJson") }),
  /** RetCode of the real answer as a string (`"0"`). */
  z.strictObject({ kind: z.literal("retCodeAsString") }),
  /** Another action's name in the envelope; null leaves the field out. */
  z.strictObject({ kind: z.literal("wrongAction"), action: z.string().nullable().optional() }),

  // — top-level fields —
  /** Sets a top-level field to any JSON value: `UHostSet` an object or null, `TotalCount` a string, negative, absurd. */
  z.strictObject({ kind: z.literal("setField"), field: z.string(), value: z.json() }),
  /** Writes raw text where a top-level value belongs: `NaN`, `1e999`, `12345678901234567890`. */
  z.strictObject({ kind: z.literal("rawField"), field: z.string(), raw: z.string() }),
  /** Leaves a top-level field out. */
  z.strictObject({ kind: z.literal("dropField"), field: z.string() }),
  /** TotalCount is off by `by`. */
  z.strictObject({ kind: z.literal("totalCountOff"), by: z.int() }),
  /** TotalCount moves by `step` more with every call. */
  z.strictObject({ kind: z.literal("totalCountMoves"), step: z.int() }),

  // — which hosts are listed —
  /** RetCode 0, TotalCount 0, no hosts, although there are some; by id as well unless the rule says `byId: false`. */
  z.strictObject({ kind: z.literal("emptyAnswer") }),
  /** The true TotalCount, but no hosts. */
  z.strictObject({ kind: z.literal("emptyPage") }),
  /** Offset is ignored: the first page for ever. */
  z.strictObject({ kind: z.literal("offsetIgnored") }),
  /** Every page after the first begins `by` hosts too early. */
  z.strictObject({ kind: z.literal("overlappingPages"), by: z.int().min(1) }),
  /** No page has more than `size` hosts, whatever Limit says. */
  z.strictObject({ kind: z.literal("shortPages"), size: z.int().min(1).max(100) }),
  /** Pages are longer than Limit: the page's hosts come twice. */
  z.strictObject({ kind: z.literal("doubledPage") }),
  /** The last host of a page has the id of its first. */
  z.strictObject({ kind: z.literal("duplicatedId") }),

  // — what the hosts look like —
  /** Hosts without UHostId. */
  z.strictObject({ kind: z.literal("missingIds"), every }),
  /** `DiskSet: null` or `IPSet: null`. */
  z.strictObject({ kind: z.literal("nullInHosts"), field: z.enum(["DiskSet", "IPSet"]), every }),
  /** Sets one field of hosts to any JSON value. */
  z.strictObject({ kind: z.literal("setHostField"), field: hostField, value: z.json(), every }),
  /** Leaves one field of hosts out. */
  z.strictObject({ kind: z.literal("dropHostField"), field: hostField, every }),
  /** The host entry itself is null, a string or a number. */
  z.strictObject({ kind: z.literal("notAHost"), value: z.json(), every }),
  /** ExpireTime in the year 10000. */
  z.strictObject({ kind: z.literal("yearTenThousand"), every }),
  /** CreateTime and ExpireTime in milliseconds. */
  z.strictObject({ kind: z.literal("millisecondTimes"), every }),
  /** A hostile text in `field` (default Name): a NUL, half a surrogate pair, markup, 1 MiB of letters, direction marks. */
  z.strictObject({
    kind: z.literal("badText"),
    text: z.enum(["nul", "loneSurrogate", "markup", "veryLong", "bidi"]),
    field: hostField.optional(),
    every,
  }),
  /** Every string "" and every number 0, only the id is there. */
  z.strictObject({ kind: z.literal("zeroValues"), every }),
]);
export type Fault = z.infer<typeof Fault>;

/** Which calls are meant; what is not given matches every call. */
export const CallMatch = z.strictObject({
  action: z.string().optional(),
  region: z.string().optional(),
  projectId: z.string().optional(),
  publicKey: z.string().optional(),
  /** A call without Offset counts as 0. */
  offset: z.int().min(0).optional(),
  /** true: only look-ups by UHostIds; false: only listings. */
  byId: z.boolean().optional(),
  /** The first matching call that is hit, counted from 1. */
  nth: z.int().min(1).optional(),
  /** How many calls are hit. Default: 1 when `nth` is given, else no end. */
  times: z.int().min(1).optional(),
});
export type CallMatch = z.infer<typeof CallMatch>;

/** One fault and the calls it hits. Several rules may hit one call; they apply in the order they were added. */
export const FaultRule = CallMatch.extend({
  /** Hit only this share of the calls, 0…1, drawn repeatably. */
  probability: z.number().min(0).max(1).optional(),
  fault: Fault,
});
export type FaultRule = z.infer<typeof FaultRule>;
