import type { FaultRule } from "../../../src/simulator/faults.ts";
import type { HostRecord } from "../../../src/simulator/generate-host.ts";
import type { Simulator } from "../../../src/simulator/server.ts";
import { setField } from "../../harness/faults.ts";
import { type Change, PROJECTS, REGIONS, type Trouble } from "./script.ts";

/** The provider in one story, and what is true there. */
export interface Provider {
  change(change: Change): void;
  trouble(troubles: readonly Trouble[]): void;
  /** Everything works and everything is listed again. */
  heal(): void;
  /** Every host that exists, with what is true of it. */
  existing(): ReadonlyMap<string, HostRecord>;
  /** Those that a sync can find: their region is open, it and their project are listed. */
  findable(): ReadonlySet<string>;
}

export function openProvider({ control }: Simulator, hosts: readonly number[]): Provider {
  const projects = control.projects().map(({ id }) => id);
  const known = new Set<string>();
  let closed = new Set<string>();
  let unlisted = new Set<string>();
  let troubles: readonly FaultRule[] = [];

  function placeOf(index: number): { region: string; projectId: string } {
    return { region: REGIONS[Math.floor(index / PROJECTS)] ?? "", projectId: projects[index % PROJECTS] ?? "" };
  }

  function add(index: number, count: number, patch: HostRecord = {}): void {
    if (count > 0) for (const id of control.addHosts({ ...placeOf(index), count, patch })) known.add(id);
  }

  /** The story's own faults come after those that say which regions and projects there are. */
  function setFaults(): void {
    control.clearFaults();
    const regions = REGIONS.filter((region) => !unlisted.has(region));
    const listed = projects.filter((projectId) => !unlisted.has(projectId));
    control.addFaults(
      listing(
        "GetRegion",
        "Regions",
        regions.map((Region) => ({ Region, Zone: `${Region}-01` })),
      ),
      listing(
        "GetProjectList",
        "ProjectSet",
        listed.map((ProjectId) => ({ ProjectId, ProjectName: "项目" })),
      ),
      { action: "GetProjectList", fault: setField("ProjectCount", listed.length) },
      ...troubles,
    );
  }

  function chosen({ tenths, salt }: { readonly tenths: number; readonly salt: number }): string[] {
    return [...known].filter((_, i) => (i * 7 + salt) % 10 < tenths);
  }

  function change(change: Change): void {
    switch (change.kind) {
      case "remove":
        return void control.removeHosts({ ids: chosen(change) });
      case "restore":
        return void control.restoreHosts({ ids: chosen(change) });
      case "removePlace":
        return void control.removeHosts(placeOf(change.place));
      case "removeProject":
        return void control.removeHosts({ projectId: placeOf(change.place).projectId });
      case "add":
        add(change.place, change.count);
        return;
      case "alter":
        return void control.updateHosts({ ids: chosen(change) }, change.patch);
      case "close":
        closed.add(placeOf(change.place).region);
        control.setRegionOpen(placeOf(change.place).region, false);
        return;
      case "unlistRegion":
        unlisted.add(placeOf(change.place).region);
        setFaults();
        return;
      case "unlistProject":
        unlisted.add(placeOf(change.place).projectId);
        setFaults();
        return;
      case "reopen":
        for (const region of closed) control.setRegionOpen(region, true);
        closed = new Set();
        unlisted = new Set();
        setFaults();
        return;
    }
  }

  for (const [index, count] of hosts.entries()) add(index, count);
  setFaults();
  return {
    change,
    trouble(told) {
      troubles = told.map(({ rule, where, place }) => {
        if (rule.action !== "DescribeUHostInstance" || where === "all") return rule;
        const { region, projectId } = placeOf(place);
        return where === "region" ? { ...rule, region } : { ...rule, region, projectId };
      });
      setFaults();
    },
    heal() {
      troubles = [];
      change({ kind: "reopen" });
    },
    existing() {
      const existing = new Map<string, HostRecord>();
      for (const id of known) {
        const host = control.host(id);
        if (host !== undefined) existing.set(id, host);
      }
      return existing;
    },
    findable: () =>
      new Set(
        control
          .hosts()
          .filter(({ region, projectId }) => !unlisted.has(region) && !unlisted.has(projectId))
          .map(({ id }) => id),
      ),
  };
}

function listing(action: string, field: string, value: { [key: string]: string }[]): FaultRule {
  return { action, fault: setField(field, value) };
}
