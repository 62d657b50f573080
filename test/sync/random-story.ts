import fc from "fast-check";
import type { CallMatch, Fault } from "../../src/simulator/faults.ts";
import {
  dropHostField,
  EMPTY_ANSWER,
  EMPTY_PAGE,
  growingTotal,
  httpStatus,
  NOT_JSON,
  overlappingPages,
  replaceHosts,
  setField,
  setHostField,
  shortPages,
  wrongTotal,
} from "../harness/faults.ts";

export const REGIONS = ["cn-bj2", "hk", "sg"] as const;
export const PROJECTS = 2;

/** Hosts at first, by region and project: two pages in one partition, and no mass removal when another one is lost. */
export const HOSTS = [
  [130, 30],
  [20, 10],
  [25, 5],
] as const;

/** A tenth or more of all hosts; the same numbers select the same hosts. */
export interface Selection {
  readonly tenths: number;
  readonly offset: number;
}

/** A change of the provider. Regions and projects are given by index. */
export type Change =
  | ({ readonly kind: "remove" | "restore" | "rename" } & Selection)
  | { readonly kind: "emptyPartition" | "addHosts"; readonly region: number; readonly project: number }
  | { readonly kind: "closeRegion" | "unlistRegion"; readonly region: number }
  | { readonly kind: "deleteProject" | "unlistProject"; readonly project: number }
  /** Restores hosts, regions and projects. */
  | { readonly kind: "undo" };

export interface RandomFault {
  readonly fault: Fault;
  readonly match: CallMatch;
  /** Narrows the fault to a region or a partition. */
  readonly scope: "all" | "region" | "partition";
  readonly region: number;
  readonly project: number;
}

/** Changes, then time, then one sync under these faults. */
export interface Round {
  readonly changes: readonly Change[];
  readonly seconds: number;
  readonly faults: readonly RandomFault[];
  /** The region whose partitions list no host, by id neither; null for none. */
  readonly emptyRegion: number | null;
  /** Lookups by id answer that there is no such host. */
  readonly isLookupEmpty: boolean;
}

const region = fc.nat(REGIONS.length - 1);
const project = fc.nat(PROJECTS - 1);
const selection = { tenths: fc.constantFrom(1, 1, 1, 2, 4), offset: fc.nat(9) };

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom("remove", "restore", "rename"), ...selection }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("emptyPartition", "addHosts"), region, project }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("closeRegion", "unlistRegion"), region }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unlistProject"), project }) },
  // The default project cannot be deleted.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("deleteProject"), project: fc.constant(1) }) },
  { weight: 2, arbitrary: fc.constant<Change>({ kind: "undo" }) },
);

const failures = fc.constantFrom<Fault>(
  ...[150, 230, 292, 293, 294, 299].map((retCode): Fault => ({ kind: "retCode", retCode })),
  { kind: "reset" },
  { kind: "truncatedJson" },
  httpStatus(500),
  NOT_JSON,
  setField("RetCode", null),
);
/** Lists that lack hosts and show it. */
const incompleteLists = fc.constantFrom<Fault>(
  EMPTY_PAGE,
  setField("UHostSet", null),
  setField("TotalCount", -1),
  wrongTotal(1),
  growingTotal(1),
  overlappingPages(1),
  overlappingPages(99),
  shortPages(30),
);
/** Lists that lack hosts and seem complete: only lookups by id show it. */
const plausibleLists = fc.constantFrom<Fault>(EMPTY_ANSWER, wrongTotal(-40), wrongTotal(-40));
const unreadable = fc
  .constantFrom(1, 3, 40)
  .chain((every) =>
    fc.constantFrom<Fault>(
      setHostField("CPU", "many", every),
      setHostField("UHostId", "has space", every),
      dropHostField("UHostId", every),
      replaceHosts(null, every),
    ),
  );

const DESCRIBE = { action: "DescribeUHostInstance" } as const;
const often = fc.constantFrom<CallMatch>({}, {}, { times: 1 }, { times: 3 }, { nth: 2 });
const match = (action: CallMatch) => often.map((count) => ({ ...action, ...count }));
const scope = { scope: fc.constantFrom("all", "region", "partition"), region, project };

const ofLists = (faults: fc.Arbitrary<Fault>): fc.Arbitrary<RandomFault> =>
  fc.record({ fault: faults, match: match({ ...DESCRIBE, byId: false }), ...scope });
const ofLookups: fc.Arbitrary<RandomFault> = fc.record({
  fault: fc.oneof(failures, unreadable),
  match: match({ ...DESCRIBE, byId: true }),
  ...scope,
});
const ofDiscovery: fc.Arbitrary<RandomFault> = fc.record({
  fault: fc.oneof(failures, fc.constantFrom(setField("Regions", []), setField("ProjectSet", []))),
  match: fc.oneof(match({ action: "GetRegion" }), match({ action: "GetProjectList" })),
  ...scope,
  scope: fc.constant("all" as const),
});

const round = (isLookupEmpty: boolean, fault: fc.Arbitrary<RandomFault>): fc.Arbitrary<Round> =>
  fc.record({
    changes: fc.array(change, { maxLength: 2 }),
    seconds: fc.constantFrom(1, 60, 700),
    faults: fc.array(fault, { maxLength: 3 }),
    emptyRegion: fc.option(region, { nil: null, freq: 3 }),
    isLookupEmpty: fc.constant(isLookupEmpty),
  });

/** A list that seems complete and a lookup that finds nothing are never combined: no policy could notice that. */
const anyRound = fc.oneof(
  round(
    false,
    fc.oneof(
      { weight: 6, arbitrary: ofLists(fc.oneof(failures, incompleteLists, plausibleLists, unreadable)) },
      { weight: 2, arbitrary: ofLookups },
      { weight: 1, arbitrary: ofDiscovery },
    ),
  ),
  round(
    true,
    fc.oneof(
      { weight: 6, arbitrary: ofLists(fc.oneof(failures, incompleteLists, unreadable)) },
      { weight: 1, arbitrary: ofDiscovery },
    ),
  ),
);

/** The same seed gives the same stories. */
export function randomStories(count: number, seed: number): Round[][] {
  return fc.sample(fc.noBias(fc.array(anyRound, { minLength: 5, maxLength: 9 })), { numRuns: count, seed });
}
