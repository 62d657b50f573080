import type { SimulatorControl } from "../../src/simulator/control.ts";
import { EMPTY_ANSWER, setField } from "../harness/faults.ts";
import { type Change, HOSTS, REGIONS, type Round, type Selection } from "./random-story.ts";

const DESCRIBE = { action: "DescribeUHostInstance" } as const;

export interface RandomProvider {
  apply(change: Change): void;
  setFaults(round: Pick<Round, "faults" | "emptyRegion" | "isLookupEmpty">): void;
  /** Ends faults and lists every region and project again. */
  heal(): void;
  exists(id: string): boolean;
  /** Ids and names of the hosts in open regions and existing projects, in order. */
  visible(): [id: string, name: string][];
  isOpen(partition: { readonly region: string; readonly projectId: string }): boolean;
}

/** What random changes make of the simulator, and what is true of it. */
export function randomProvider(control: SimulatorControl): RandomProvider {
  const projects = control.projects().map(({ id }) => id);
  const known: string[] = [];
  const closed = new Set<string>();
  const unlisted = new Set<string>();
  let renames = 0;

  const ids = ({ tenths, offset }: Selection) => known.filter((_, i) => (i * 7 + offset) % 10 < tenths);
  const regionOf = (at: { readonly region: number }) => REGIONS[at.region] ?? "";
  const projectOf = (at: { readonly project: number }) => projects[at.project] ?? "";
  const partition = (at: { readonly region: number; readonly project: number }) => ({
    region: regionOf(at),
    projectId: projectOf(at),
  });

  for (const [region, counts] of HOSTS.entries()) {
    for (const [project, count] of counts.entries()) {
      known.push(...control.addHosts({ ...partition({ region, project }), count }));
    }
  }

  function isOpen({ region, projectId }: { readonly region: string; readonly projectId: string }): boolean {
    return !closed.has(region) && !closed.has(projectId);
  }

  function setFaults({ faults, emptyRegion, isLookupEmpty }: Parameters<RandomProvider["setFaults"]>[0]): void {
    control.clearFaults();
    const regions = REGIONS.filter((region) => !unlisted.has(region));
    const listed = projects.filter((id) => !unlisted.has(id) && !closed.has(id));
    const regionRows = regions.map((Region) => ({ Region, Zone: `${Region}-01` }));
    const projectRows = listed.map((ProjectId) => ({ ProjectId }));
    control.addFaults(
      { action: "GetRegion", fault: setField("Regions", regionRows) },
      { action: "GetProjectList", fault: setField("ProjectSet", projectRows) },
    );
    for (const projectId of projects.filter((id) => closed.has(id))) {
      control.addFaults({ projectId, fault: { kind: "retCode", retCode: 292 } });
    }
    for (const { fault, match, scope, ...at } of faults) {
      const { region, projectId } = partition(at);
      if (scope === "all") control.addFaults({ ...match, fault });
      if (scope === "region") control.addFaults({ ...match, region, fault });
      if (scope === "partition") control.addFaults({ ...match, region, projectId, fault });
    }
    const region = REGIONS[emptyRegion ?? -1];
    if (region !== undefined) control.addFaults({ ...DESCRIBE, region, fault: EMPTY_ANSWER });
    if (isLookupEmpty) control.addFaults({ ...DESCRIBE, byId: true, fault: EMPTY_ANSWER });
  }

  return {
    setFaults,
    apply(change) {
      switch (change.kind) {
        case "remove":
          control.removeHosts({ ids: ids(change) });
          break;
        case "restore":
          control.restoreHosts({ ids: ids(change) });
          break;
        case "rename":
          control.updateHosts({ ids: ids(change) }, { Name: `改名-${++renames}` });
          break;
        case "emptyPartition":
          control.removeHosts(partition(change));
          break;
        case "addHosts":
          known.push(...control.addHosts({ ...partition(change), count: 3 }));
          break;
        case "closeRegion":
          closed.add(regionOf(change));
          control.setRegionOpen(regionOf(change), false);
          break;
        case "unlistRegion":
          unlisted.add(regionOf(change));
          break;
        case "deleteProject":
          closed.add(projectOf(change));
          break;
        case "unlistProject":
          unlisted.add(projectOf(change));
          break;
        case "undo":
          control.restoreHosts();
          for (const region of REGIONS) control.setRegionOpen(region, true);
          closed.clear();
          unlisted.clear();
          break;
      }
    },
    heal() {
      unlisted.clear();
      setFaults({ faults: [], emptyRegion: null, isLookupEmpty: false });
    },
    exists: (id) => control.host(id) !== undefined,
    visible: () =>
      control
        .hosts()
        .filter(isOpen)
        .map(({ id }): [string, string] => [id, String(control.host(id)?.Name)])
        .toSorted(),
    isOpen,
  };
}
