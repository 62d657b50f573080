import fc from "fast-check";
import type { CallMatch, Fault } from "../../src/simulator/faults.ts";
import * as Faults from "../harness/provider-faults.ts";

export const REGIONS = ["cn-bj2", "hk", "sg"] as const;
export const DESCRIBE = { action: "DescribeUHostInstance" } as const;

type Generated<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

/** Indices of a region and a project. */
const somewhere = { region: fc.nat(REGIONS.length - 1), project: fc.nat(1) };
const ofHosts = fc.constantFrom("remove", "restore", "rename");
const ofPartition = fc.constantFrom("empty a partition", "add");
const ofAccess = fc.constantFrom(
  "close a region",
  "unlist a region",
  "unlist a project",
  "delete a project",
);
const change = fc.record({
  ...somewhere,
  kind: fc.oneof(
    { weight: 6, arbitrary: ofHosts },
    { weight: 3, arbitrary: ofPartition },
    { weight: 4, arbitrary: ofAccess },
    { weight: 2, arbitrary: fc.constant("undo all") },
  ),
  tenths: fc.constantFrom(1, 1, 1, 2, 4),
  offset: fc.nat(9),
});
export type Change = Generated<typeof change>;

const failures = fc.constantFrom<Fault>(
  ...[150, 230, 292, 293, 294, 299].map((retCode): Fault => ({ kind: "retCode", retCode })),
  { kind: "reset" },
  { kind: "truncatedJson" },
  { kind: "hugeBody", mebibytes: 20, gzip: true },
  Faults.redirect("http://169.254.169.254/"),
  Faults.httpStatus(500),
  Faults.NOT_JSON,
  Faults.setField("RetCode", null),
);
/** Lists that lack hosts and show it. */
const incompleteLists = fc.constantFrom<Fault>(
  Faults.EMPTY_PAGE,
  Faults.FIRST_PAGE_ALWAYS,
  Faults.setField("UHostSet", null),
  Faults.setField("TotalCount", -1),
  Faults.wrongTotal(1),
  Faults.growingTotal(1),
  Faults.overlappingPages(1),
  Faults.overlappingPages(99),
  Faults.shortPages(30),
);
/** Lists that lack hosts and seem complete: only lookups by id show it. */
const plausibleLists = fc.constantFrom<Fault>(
  Faults.EMPTY_ANSWER,
  Faults.wrongTotal(-40),
  Faults.wrongTotal(-40),
);
const unreadable = fc.constantFrom<Fault>(
  ...[1, 3, 40].flatMap((every) => [
    Faults.setHostField("CPU", "many", every),
    Faults.setHostField("UHostId", "has space", every),
    Faults.dropHostField("UHostId", every),
    Faults.replaceHosts(null, every),
  ]),
);
const emptyDiscovery = fc.constantFrom(
  Faults.setField("Regions", []),
  Faults.setField("ProjectSet", []),
);
const often = fc.constantFrom<CallMatch>({}, {}, { times: 1 }, { times: 3 }, { nth: 2 });

interface RandomFault extends Partial<CallMatch> {
  readonly where: "everywhere" | "region" | "partition";
  /** Indices. */
  readonly at: { readonly region: number; readonly project: number };
  readonly fault: Fault;
}

function ofCalls(byId: boolean, faults: fc.Arbitrary<Fault>): fc.Arbitrary<RandomFault> {
  const where = fc.constantFrom("everywhere", "region", "partition");
  const random = fc.record({ where, at: fc.record(somewhere), fault: faults });
  return fc
    .tuple(random, often)
    .map(([fault, count]) => ({ ...DESCRIBE, byId, ...count, ...fault }));
}

const EVERYWHERE = { where: "everywhere", at: { region: 0, project: 0 } } as const;
const discovery = fc.record({
  action: fc.constantFrom("GetRegion", "GetProjectList"),
  fault: fc.oneof(failures, emptyDiscovery),
});
const ofDiscovery = fc
  .tuple(discovery, often)
  .map(([fault, count]) => ({ ...EVERYWHERE, ...count, ...fault }));
const LOOKUPS_ARE_EMPTY = { ...EVERYWHERE, ...DESCRIBE, byId: true, fault: Faults.EMPTY_ANSWER };

/** Changes, then time, then one sync under these faults. */
function roundOf(fault: fc.Arbitrary<RandomFault>, always: readonly RandomFault[]) {
  return fc.record({
    changes: fc.array(change, { maxLength: 2 }),
    seconds: fc.constantFrom(1, 60, 90_000),
    faults: fc.array(fault, { maxLength: 3 }).map((rules) => [...rules, ...always]),
    /** No call finds a host of this region. */
    emptyRegion: fc.option(fc.constantFrom(...REGIONS), { freq: 3 }),
  });
}

/**
 * A list that seems complete and a lookup that finds nothing are never combined: no policy could
 * notice that.
 */
export const anyRound = fc.oneof(
  roundOf(
    fc.oneof(
      {
        weight: 6,
        arbitrary: ofCalls(false, fc.oneof(failures, incompleteLists, plausibleLists, unreadable)),
      },
      { weight: 2, arbitrary: ofCalls(true, fc.oneof(failures, unreadable)) },
      { weight: 1, arbitrary: ofDiscovery },
    ),
    [],
  ),
  roundOf(
    fc.oneof(
      { weight: 6, arbitrary: ofCalls(false, fc.oneof(failures, incompleteLists, unreadable)) },
      { weight: 1, arbitrary: ofDiscovery },
    ),
    [LOOKUPS_ARE_EMPTY],
  ),
);
export type Round = Generated<typeof anyRound>;
