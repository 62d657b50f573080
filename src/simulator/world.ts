import { PROJECT_NAMES, type Region, regionCatalogue } from "./catalogue.ts";
import {
  type Cell,
  createCell,
  growCell,
  type HostPatch,
  type HostRecord,
  removeFromCell,
  restoreToCell,
} from "./cell.ts";
import { generateHost } from "./host-generator.ts";
import { createHostIds } from "./host-id.ts";
import type { Settings } from "./options.ts";
import { token } from "./random.ts";
import { spreadHosts } from "./spread.ts";

export interface Project {
  /** `org-…` */
  id: string;
  name: string;
  isDefault: boolean;
  /** Unix seconds */
  createTime: number;
}

/** Where hosts are looked for; nothing given means everywhere. */
export interface HostFilter {
  projectId?: string | undefined;
  region?: string | undefined;
}

/** A host's address in the world. */
export interface HostRef {
  id: string;
  projectId: string;
  region: string;
}

/** Everything the simulated account owns, and the ways it may change. */
export interface World {
  readonly projects: readonly Project[];
  readonly regions: readonly Region[];
  isOpen(region: string): boolean;
  setOpen(region: string, open: boolean): void;
  cell(projectId: string, region: string): Cell | undefined;
  record(cell: Cell, number: number): HostRecord;
  /** Finds a host that is there now. */
  locate(id: string): { cell: Cell; number: number } | undefined;
  refs(filter: HostFilter): HostRef[];
  remove(ids: readonly string[]): string[];
  /** @returns the ids that came back; without `ids` everything does. */
  restore(ids?: readonly string[]): string[];
  add(projectId: string, region: string, count: number, patch: HostPatch): string[];
  update(ids: readonly string[], patch: HostPatch): string[];
  /** Forgets every change. */
  reset(): void;
}

export function createWorld(settings: Settings): World {
  const regions = regionCatalogue();
  const projects = createProjects(settings);
  const ids = createHostIds(settings.seed);
  const regionIndex = new Map(regions.map((region, i) => [region.code, i]));
  let opened = openedRegions(settings, regions);
  let cells = createCells(settings, projects, regions, opened);
  // ids that a patch replaced: the only ones that cannot be computed
  const renamed = new Map<string, { cell: Cell; number: number }>();

  const idOf = (cell: Cell, number: number): string => {
    const patched = cell.patches.get(number)?.UHostId;
    return typeof patched === "string" ? patched : ids.encode({ cell: cell.number, index: number });
  };

  const place = (id: string): { cell: Cell; number: number } | undefined => {
    const other = renamed.get(id);
    if (other !== undefined) return other;
    const at = ids.decode(id);
    const cell = at && cells[at.cell];
    if (at === undefined || cell === undefined || at.index >= cell.size) return undefined;
    return idOf(cell, at.index) === id ? { cell, number: at.index } : undefined;
  };

  const patch = (cell: Cell, number: number, change: HostPatch): void => {
    cell.patches.set(number, { ...cell.patches.get(number), ...change });
    const id = change.UHostId;
    if (typeof id === "string") renamed.set(id, { cell, number });
  };

  const locate = (id: string) => {
    const found = place(id);
    return found === undefined || found.cell.removed.has(found.number) ? undefined : found;
  };

  const byCell = (wanted: readonly string[]): Map<Cell, number[]> => {
    const groups = new Map<Cell, number[]>();
    for (const id of wanted) {
      const found = place(id);
      if (found === undefined) continue;
      const group = groups.get(found.cell);
      if (group === undefined) groups.set(found.cell, [found.number]);
      else group.push(found.number);
    }
    return groups;
  };

  return {
    projects,
    regions,
    isOpen: (region) => opened.has(region),
    setOpen: (region, open) => {
      if (open) opened.add(region);
      else opened.delete(region);
    },
    cell: (projectId, region) => {
      const p = projects.findIndex((project) => project.id === projectId);
      const r = regionIndex.get(region);
      return p < 0 || r === undefined ? undefined : cells[p * regions.length + r];
    },
    record: (cell, number) => {
      const at = { cell: cell.number, index: number };
      const { seed, now } = settings;
      return {
        ...generateHost({ seed, now, region: cell.region, at, id: ids.encode(at) }),
        ...cell.patches.get(number),
      };
    },
    locate,
    refs: ({ projectId, region }) =>
      cells
        .filter((cell) => opened.has(cell.region.code))
        .filter((cell) => projectId === undefined || cell.projectId === projectId)
        .filter((cell) => region === undefined || cell.region.code === region)
        .flatMap((cell) =>
          cell.live.map((number) => ({ id: idOf(cell, number), projectId: cell.projectId, region: cell.region.code })),
        ),
    remove: (wanted) => {
      const present = wanted.filter((id) => locate(id) !== undefined);
      for (const [cell, numbers] of byCell(present)) removeFromCell(cell, numbers);
      return present;
    },
    restore: (wanted) => {
      const groups = wanted === undefined ? new Map(cells.map((cell) => [cell, [...cell.removed]])) : byCell(wanted);
      return [...groups].flatMap(([cell, numbers]) => restoreToCell(cell, numbers).map((number) => idOf(cell, number)));
    },
    add: (projectId, region, count, change) => {
      const p = projects.findIndex((project) => project.id === projectId);
      const cell = cells[p * regions.length + (regionIndex.get(region) ?? Number.NaN)];
      if (p < 0 || cell === undefined) throw new RangeError(`no project ${projectId} or no region ${region}`);
      return growCell(cell, count).map((number) => {
        patch(cell, number, change);
        return idOf(cell, number);
      });
    },
    update: (wanted, change) =>
      wanted.flatMap((id) => {
        const found = locate(id);
        if (found === undefined) return [];
        patch(found.cell, found.number, change);
        return [idOf(found.cell, found.number)];
      }),
    reset: () => {
      renamed.clear();
      opened = openedRegions(settings, regions);
      cells = createCells(settings, projects, regions, opened);
    },
  };
}

function createProjects({ seed, projects, now }: Settings): Project[] {
  return Array.from({ length: projects }, (_, i) => ({
    id: `org-${token(6, "project", seed, i)}`,
    name: PROJECT_NAMES[i] ?? `业务线${i + 1}`,
    isDefault: i === 0,
    createTime: now - (900 - i) * 86_400,
  }));
}

function createCells(
  settings: Settings,
  projects: readonly Project[],
  regions: readonly Region[],
  opened: Set<string>,
): Cell[] {
  const counts = spreadHosts(settings.hosts, projects.length, regions, (region) => opened.has(region.code));
  return projects.flatMap((project, p) =>
    regions.map((region, r) => createCell(p * regions.length + r, project.id, region, counts[p]?.[r] ?? 0)),
  );
}

function openedRegions({ regions: wanted }: Settings, regions: readonly Region[]): Set<string> {
  if (wanted === undefined) return new Set(regions.filter((region) => region.opened).map((region) => region.code));
  if (typeof wanted === "number") {
    return new Set(
      regions
        .toSorted((a, b) => b.weight - a.weight)
        .slice(0, wanted)
        .map((region) => region.code),
    );
  }
  const unknown = wanted.find((code) => !regions.some((region) => region.code === code));
  if (unknown !== undefined) throw new RangeError(`unknown region ${unknown}`);
  return new Set(wanted);
}
