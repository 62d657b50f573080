import fc from "fast-check";
import type { FaultRule } from "../../../src/simulator/faults.ts";
import {
  deepJson,
  dropField,
  dropHostField,
  EMPTY_ANSWER,
  EMPTY_PAGE,
  FIRST_PAGE_ALWAYS,
  growingTotal,
  httpStatus,
  jsonScalar,
  NO_BODY,
  NOT_JSON,
  nameWithNul,
  overlappingPages,
  rawTotal,
  redirect,
  replaceHosts,
  setField,
  setHostField,
  shortPages,
  timeInMilliseconds,
  wrongTotal,
  yearTenThousand,
} from "../../harness/faults.ts";

export const REGIONS = ["cn-bj2", "cn-sh2", "hk", "sg"] as const;
export const PROJECTS = 3;
const PLACES = REGIONS.length * PROJECTS;

/** Something that happens at the provider. Hosts are told by their number in its own order. */
export type Change =
  | { readonly kind: "remove" | "restore"; readonly tenths: number; readonly salt: number }
  | { readonly kind: "removePlace" | "removeProject"; readonly place: number }
  | { readonly kind: "add"; readonly place: number; readonly count: number }
  | { readonly kind: "alter"; readonly tenths: number; readonly salt: number; readonly patch: HostPatch }
  | { readonly kind: "close" | "unlistRegion" | "unlistProject"; readonly place: number }
  | { readonly kind: "reopen" };
type HostPatch = Readonly<Record<string, string | number>>;

const place = fc.nat(PLACES - 1);
const salt = fc.nat(9);
const tenths = fc.constantFrom(1, 1, 1, 2, 3, 5, 9);
const patch = fc.constantFrom<HostPatch>(
  { Name: "改名" },
  { Name: "" },
  { State: "Stopped" },
  { State: "Install Fail", CPU: 3 },
  { CPU: 16, Memory: 65_536 },
);

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("remove" as const), tenths, salt }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("restore" as const), tenths, salt }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("removePlace" as const, "removeProject" as const), place }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("add" as const), place, count: fc.constantFrom(1, 3, 101) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("alter" as const), tenths, salt, patch }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("close" as const, "unlistRegion" as const, "unlistProject" as const),
      place,
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "reopen" as const }) },
);

type Fault = FaultRule["fault"];

/** The answer does not come, or not as one. */
const transport: fc.Arbitrary<Fault> = fc.oneof(
  fc
    .constantFrom(153, 150, 110, 130, 8857, 299, 294, 1000, 4711)
    .map((retCode): Fault => ({ kind: "retCode", retCode })),
  fc.constantFrom(429, 500, 502, 503, 504).map((status) => httpStatus(status)),
  fc.constantFrom<Fault>(
    httpStatus(429, 0),
    httpStatus(503, 1),
    { kind: "hang" },
    { kind: "reset", at: "start" },
    { kind: "reset", at: "middle" },
    redirect("http://127.0.0.1:1/"),
    NOT_JSON,
    jsonScalar(null),
    jsonScalar([]),
    NO_BODY,
    { kind: "hugeBody", mebibytes: 9, gzip: true },
    deepJson(2_000),
    { kind: "truncatedJson" },
    { kind: "slow", ms: 40 },
    { kind: "slowDrip", everyMs: 30, bytes: 200 },
    setField("RetCode", "0"),
    setField("Action", "GetRegionResposne"),
    dropField("Action"),
    setField("RetCode", null),
    dropField("RetCode"),
  ),
);

/** The list is not what it says. None of these is such that nobody could tell, but for those in UNTOLD. */
const listing: fc.Arbitrary<Fault> = fc.constantFrom<Fault>(
  setField("UHostSet", {}),
  setField("UHostSet", null),
  setField("TotalCount", -1),
  setField("TotalCount", "many"),
  setField("TotalCount", 2_000_000_000),
  rawTotal("1e999"),
  rawTotal("NaN"),
  dropField("TotalCount"),
  dropField("UHostSet"),
  wrongTotal(1),
  wrongTotal(-3),
  wrongTotal(350),
  growingTotal(1),
  growingTotal(500),
  EMPTY_ANSWER,
  EMPTY_PAGE,
  FIRST_PAGE_ALWAYS,
  overlappingPages(1),
  overlappingPages(99),
  shortPages(30),
  { kind: "duplicateHosts", which: "all" },
  { kind: "duplicateHosts", which: "first" },
  { kind: "retCode", retCode: 230 },
  { kind: "retCode", retCode: 293 },
);

/** Records that cannot be understood. */
const records: fc.Arbitrary<Fault> = fc
  .tuple(
    fc.constantFrom<Fault>(
      dropHostField("UHostId"),
      replaceHosts(null),
      replaceHosts(7),
      setHostField("CPU", "many"),
      setHostField("Memory", -1),
      setHostField("IPSet", "x"),
      setHostField("UHostId", 12),
      yearTenThousand(),
      timeInMilliseconds(),
      nameWithNul(),
      setHostField("Name", "主机\ud83d-01"),
      setHostField("Name", "长".repeat(1024 * 1024)),
      setHostField("IPSet", null),
      setHostField("DiskSet", null),
    ),
    fc.constantFrom(1, 3, 40),
  )
  .map(([fault, every]) => ({ ...fault, every }));

/** Answers that hide hosts which nobody knows yet, and cannot be told from true ones. */
const UNTOLD: ReadonlySet<unknown> = new Set([EMPTY_ANSWER, 230, 293]);

export function isUntold({ fault }: FaultRule): boolean {
  if (fault.kind === "patchBody" && (fault.add?.TotalCount ?? 0) < 0) return true;
  return UNTOLD.has(fault) || (fault.kind === "retCode" && UNTOLD.has(fault.retCode));
}

/** `place` narrows it down to one region, or one of its projects; "all" does not. */
export interface Trouble {
  readonly where: "place" | "region" | "all";
  readonly place: number;
  readonly rule: FaultRule;
}

const times = fc.constantFrom({}, {}, { times: 1 }, { times: 3 }, { nth: 2, times: 2 }, { probability: 0.3 });
const DESCRIBE = "DescribeUHostInstance";

/** Each costs a call's whole time. */
const SLOW: ReadonlySet<string> = new Set(["hang", "slowDrip"]);

function rule(match: Omit<FaultRule, "fault">, fault: Fault): FaultRule {
  return { ...match, ...(SLOW.has(fault.kind) ? { times: 2 } : {}), fault };
}

const ofListings = fc
  .tuple(fc.oneof(transport, listing, records), times, fc.constantFrom({}, {}, { offset: 0 }, { offset: 100 }))
  .map(([fault, often, at]): FaultRule => rule({ action: DESCRIBE, byId: false, ...often, ...at }, fault));
/** A look-up that says "nothing" for ever, together with a list that leaves a host out, is what "gone" means. */
const ofLookUps = fc
  .tuple(fc.oneof(transport, records), times)
  .map(([fault, often]): FaultRule => rule({ action: DESCRIBE, byId: true, ...often }, fault));
const ofPlaceLists = fc
  .tuple(transport, times, fc.constantFrom("GetRegion", "GetProjectList"))
  .map(([fault, often, action]): FaultRule => rule({ action, ...often }, fault));

const trouble: fc.Arbitrary<Trouble> = fc.record({
  where: fc.constantFrom("place" as const, "region" as const, "all" as const),
  place,
  rule: fc.oneof(
    { weight: 6, arbitrary: ofListings },
    { weight: 2, arbitrary: ofLookUps },
    { weight: 1, arbitrary: ofPlaceLists },
  ),
});

/** What happens between two looks at the table. */
export interface Round {
  readonly changes: readonly Change[];
  readonly troubles: readonly Trouble[];
  /** The provider's word for the time that goes by before, in seconds. */
  readonly forward: number;
  /** In the middle of the sync, at its n-th call for hosts. */
  readonly during: { readonly nth: number; readonly act: Change | "cancel" } | null;
  /** Asks for some hosts by themselves before, when the provider has no trouble. */
  readonly refreshed: number;
}

const round: fc.Arbitrary<Round> = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  troubles: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(trouble, { minLength: 1, maxLength: 3 }) },
  ),
  forward: fc.constantFrom(1, 60, 700),
  during: fc.option(
    fc.record({ nth: fc.integer({ min: 1, max: 14 }), act: fc.oneof(change, change, fc.constant("cancel" as const)) }),
    { nil: null, freq: 2 },
  ),
  refreshed: fc.constantFrom(0, 0, 1, 5, 30),
});

export interface Story {
  /** Hosts of each place at first, region by region. */
  readonly hosts: readonly number[];
  readonly rounds: readonly Round[];
}

export const story: fc.Arbitrary<Story> = fc.record({
  hosts: fc.array(fc.constantFrom(0, 0, 1, 2, 7, 40, 100, 102, 205), { minLength: PLACES, maxLength: PLACES }),
  rounds: fc.array(round, { minLength: 1, maxLength: 5 }),
});
