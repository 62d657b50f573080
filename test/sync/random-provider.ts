import fc from "fast-check";
import type { SimulatorControl } from "../../src/simulator/control.ts";
import type { CallMatch, Fault, FaultRule } from "../../src/simulator/faults.ts";
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
const HOSTS = [
  [130, 30],
  [20, 10],
  [25, 5],
] as const;
const DESCRIBE = { action: "DescribeUHostInstance" } as const;

interface Place {
  readonly region: string;
  readonly projectId: string;
}

/** The simulator under random changes, and what is true of it. */
export class RandomProvider {
  readonly control: SimulatorControl;
  readonly projects: readonly string[];
  readonly closed = new Set<string>();
  readonly unlisted = new Set<string>();
  readonly #known: string[] = [];
  #renames = 0;

  constructor(control: SimulatorControl) {
    this.control = control;
    this.projects = control.projects().map(({ id }) => id);
    for (const [region, counts] of HOSTS.entries()) {
      for (const [project, count] of counts.entries()) this.addHosts(this.place(region, project), count);
    }
  }

  /** Regions and projects are given by index. */
  place(region: number, project: number): Place {
    return { region: REGIONS[region] ?? "", projectId: this.projects[project] ?? "" };
  }

  addHosts(place: Place, count: number): void {
    this.#known.push(...this.control.addHosts({ ...place, count }));
  }

  /** So many tenths of all hosts; the same numbers select the same hosts. */
  select(tenths: number, offset: number): { ids: string[] } {
    return { ids: this.#known.filter((_, i) => (i * 7 + offset) % 10 < tenths) };
  }

  nextName(): string {
    this.#renames += 1;
    return `改名-${this.#renames}`;
  }

  /** Restores hosts, regions and projects. */
  undo(): void {
    this.control.restoreHosts();
    for (const region of REGIONS) this.control.setRegionOpen(region, true);
    this.closed.clear();
    this.unlisted.clear();
  }

  setFaults(rules: readonly FaultRule[]): void {
    const regions = REGIONS.filter((region) => !this.unlisted.has(region));
    const listed = this.projects.filter((id) => !this.unlisted.has(id) && !this.closed.has(id));
    const Regions = regions.map((Region) => ({ Region, Zone: `${Region}-01` }));
    const ProjectSet = listed.map((ProjectId) => ({ ProjectId }));
    this.control.clearFaults();
    this.control.addFaults(
      { action: "GetRegion", fault: setField("Regions", Regions) },
      { action: "GetProjectList", fault: setField("ProjectSet", ProjectSet) },
    );
    for (const projectId of this.projects.filter((id) => this.closed.has(id))) {
      this.control.addFaults({ projectId, fault: { kind: "retCode", retCode: 292 } });
    }
    this.control.addFaults(...rules);
  }

  /** Ends faults and lists every region and project again. */
  heal(): void {
    this.unlisted.clear();
    this.setFaults([]);
  }

  exists(id: string): boolean {
    return this.control.host(id) !== undefined;
  }

  isOpen({ region, projectId }: Place): boolean {
    return !this.closed.has(region) && !this.closed.has(projectId);
  }

  /** Ids and names of the hosts in open regions and existing projects, in order. */
  visible(): [id: string, name: string][] {
    const hosts = this.control.hosts().filter((host) => this.isOpen(host));
    return hosts.map(({ id }): [string, string] => [id, String(this.control.host(id)?.Name)]).toSorted();
  }
}

type Change = (provider: RandomProvider) => void;
type MakeRule = (provider: RandomProvider) => FaultRule;

/** Changes, then time, then one sync under these faults. */
export interface Round {
  readonly changes: readonly Change[];
  readonly seconds: number;
  readonly faults: readonly MakeRule[];
  /** The region whose partitions list no host, by id neither; null for none. */
  readonly emptyRegion: string | null;
}

const region = fc.nat(REGIONS.length - 1);
const project = fc.nat(PROJECTS - 1);

const tenths = fc.constantFrom(1, 1, 1, 2, 4);
const changeOfHosts = fc.tuple(fc.constantFrom("remove", "restore", "rename"), tenths, fc.nat(9)).map(
  ([kind, count, offset]): Change =>
    (provider) => {
      const hosts = provider.select(count, offset);
      if (kind === "remove") provider.control.removeHosts(hosts);
      else if (kind === "restore") provider.control.restoreHosts(hosts);
      else provider.control.updateHosts(hosts, { Name: provider.nextName() });
    },
);
const changeOfPartition = fc.tuple(fc.boolean(), region, project).map(
  ([isEmptied, ...at]): Change =>
    (provider) => {
      const place = provider.place(...at);
      if (isEmptied) provider.control.removeHosts(place);
      else provider.addHosts(place, 3);
    },
);
const closeRegion = region.map(
  (index): Change =>
    (provider) => {
      const { region: code } = provider.place(index, 0);
      provider.closed.add(code);
      provider.control.setRegionOpen(code, false);
    },
);
const unlistRegion = region.map(
  (index): Change =>
    (provider) => {
      provider.unlisted.add(provider.place(index, 0).region);
    },
);
const unlistProject = project.map(
  (index): Change =>
    (provider) => {
      provider.unlisted.add(provider.place(0, index).projectId);
    },
);
// The default project cannot be deleted.
const deleteProject: Change = (provider) => provider.closed.add(provider.place(0, 1).projectId);

const change = fc.oneof(
  { weight: 6, arbitrary: changeOfHosts },
  { weight: 3, arbitrary: changeOfPartition },
  { weight: 2, arbitrary: fc.oneof(closeRegion, unlistRegion) },
  { weight: 1, arbitrary: unlistProject },
  { weight: 1, arbitrary: fc.constant(deleteProject) },
  { weight: 2, arbitrary: fc.constant<Change>((provider) => provider.undo()) },
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
const emptyDiscovery = fc.constantFrom(setField("Regions", []), setField("ProjectSet", []));

const often = fc.constantFrom<CallMatch>({}, {}, { times: 1 }, { times: 3 }, { nth: 2 });

/** Everywhere, in a region or in a partition. */
function ofCalls(call: CallMatch, faults: fc.Arbitrary<Fault>): fc.Arbitrary<MakeRule> {
  const scope = fc.constantFrom("all", "region", "partition");
  return fc.tuple(faults, often, scope, region, project).map(
    ([fault, count, where, ...at]): MakeRule =>
      (provider) => {
        const place = provider.place(...at);
        const match = { all: {}, region: { region: place.region }, partition: place }[where];
        return { ...call, ...count, ...match, fault };
      },
  );
}

const ofLists = (faults: fc.Arbitrary<Fault>) => ofCalls({ ...DESCRIBE, byId: false }, faults);
const ofLookups = ofCalls({ ...DESCRIBE, byId: true }, fc.oneof(failures, unreadable));
const ofDiscovery = fc
  .tuple(fc.constantFrom("GetRegion", "GetProjectList"), often, fc.oneof(failures, emptyDiscovery))
  .map(
    ([action, count, fault]): MakeRule =>
      () => ({ action, ...count, fault }),
  );
const lookupsAreEmpty: MakeRule = () => ({ ...DESCRIBE, byId: true, fault: EMPTY_ANSWER });

function roundOf(fault: fc.Arbitrary<MakeRule>, always: readonly MakeRule[]): fc.Arbitrary<Round> {
  return fc.record({
    changes: fc.array(change, { maxLength: 2 }),
    seconds: fc.constantFrom(1, 60, 700),
    faults: fc.array(fault, { maxLength: 3 }).map((rules) => [...rules, ...always]),
    emptyRegion: fc.option(fc.constantFrom(...REGIONS), { nil: null, freq: 3 }),
  });
}

/** A list that seems complete and a lookup that finds nothing are never combined: no policy could notice that. */
const anyRound = fc.oneof(
  roundOf(
    fc.oneof(
      { weight: 6, arbitrary: ofLists(fc.oneof(failures, incompleteLists, plausibleLists, unreadable)) },
      { weight: 2, arbitrary: ofLookups },
      { weight: 1, arbitrary: ofDiscovery },
    ),
    [],
  ),
  roundOf(
    fc.oneof(
      { weight: 6, arbitrary: ofLists(fc.oneof(failures, incompleteLists, unreadable)) },
      { weight: 1, arbitrary: ofDiscovery },
    ),
    [lookupsAreEmpty],
  ),
);

/** The same seed gives the same stories. */
export function randomStories(count: number, seed: number): Round[][] {
  return fc.sample(fc.noBias(fc.array(anyRound, { minLength: 5, maxLength: 9 })), { numRuns: count, seed });
}

/** No call finds a host of this region. */
export function emptied(region: string): FaultRule {
  return { ...DESCRIBE, region, fault: EMPTY_ANSWER };
}
