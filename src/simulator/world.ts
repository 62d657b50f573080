import { generateHost, type HostRecord } from "./generate-host.ts";
import type { Settings } from "./options.ts";
import { createRandom } from "./random.ts";
import { distributeHosts, REGIONS, type Region, selectRegions } from "./regions.ts";
import { PROJECT_NAMES } from "./words.ts";

export interface Project {
  /** `org-…` */
  id: string;
  name: string;
  isDefault: boolean;
  /** Unix seconds */
  createTime: number;
}

export interface HostFilter {
  projectId?: string | undefined;
  region?: string | undefined;
}

export interface HostRef {
  id: string;
  projectId: string;
  region: string;
}

/** A stored host; its record is generated when it is read. */
interface Host {
  id: string;
  readonly serial: number;
  readonly partition: Partition;
  isRemoved: boolean;
  /** Fields over the generated ones. */
  patch: HostRecord;
}

/** The hosts of one project in one region. */
interface Partition {
  readonly projectId: string;
  readonly region: Region;
  readonly all: Host[];
  /** The hosts that are not removed, in the order of the listing. */
  listed: Host[];
}

export type World = ReturnType<typeof createWorld>;

/** What the simulated account owns. */
export function createWorld(settings: Settings) {
  const { seed, now } = settings;
  const projects = createProjects(settings);
  const initiallyOpened = selectRegions(settings.regions);
  const opened = new Set<string>();
  const partitions = new Map<string, Partition>();
  const hosts = new Map<string, Host>();
  let serial = 0;

  function reset(): void {
    serial = 0;
    hosts.clear();
    opened.clear();
    for (const region of initiallyOpened) opened.add(region);
    const pairs = projects.flatMap(({ id }) => REGIONS.map((region) => [id, region] as const));
    for (const [projectId, region] of pairs) {
      partitions.set(keyOf(projectId, region.code), { projectId, region, all: [], listed: [] });
    }
    for (const { project, region, count } of distributeHosts(
      settings.hosts,
      projects.length,
      initiallyOpened,
    )) {
      add(projects[project]?.id ?? "", region, count, {});
    }
  }

  function add(projectId: string, region: string, count: number, patch: HostRecord): string[] {
    const partition = partitions.get(keyOf(projectId, region));
    if (partition === undefined)
      throw new RangeError(`no project ${projectId} or no region ${region}`);
    const added = Array.from({ length: count }, () => {
      const host = { id: hostId(seed, serial), serial, partition, isRemoved: false, patch: {} };
      serial++;
      partition.all.push(host);
      patchHost(host, patch);
      return host.id;
    });
    updateListing(partition);
    return added;
  }

  function patchHost(host: Host, patch: HostRecord): void {
    host.patch = { ...host.patch, ...patch };
    if (hosts.get(host.id) === host) hosts.delete(host.id);
    if (typeof patch.UHostId === "string") host.id = patch.UHostId;
    hosts.set(host.id, host);
  }

  function select(ids: Iterable<string>, isRemoved: boolean): Host[] {
    return [...ids].flatMap((id) => {
      const host = hosts.get(id);
      return host?.isRemoved === isRemoved ? [host] : [];
    });
  }

  function setRemoved(chosen: readonly Host[], isRemoved: boolean): string[] {
    for (const host of chosen) host.isRemoved = isRemoved;
    for (const partition of new Set(chosen.map((host) => host.partition))) updateListing(partition);
    return chosen.map(({ id }) => id);
  }

  function record({ id, serial, partition: { region }, patch }: Host): HostRecord {
    return { ...generateHost({ seed, serial, now, region, id }), ...patch };
  }

  reset();
  return {
    projects,
    isOpen: (region: string): boolean => opened.has(region),
    setOpen: (region: string, isOpen: boolean): void => {
      if (isOpen) opened.add(region);
      else opened.delete(region);
    },
    /** A page of a listing, and its total. */
    page: (projectId: string, region: string, offset: number, limit: number) => {
      const listed = partitions.get(keyOf(projectId, region))?.listed ?? [];
      return { total: listed.length, records: listed.slice(offset, offset + limit).map(record) };
    },
    /** The record of a host that is not removed. */
    record: (id: string): HostRecord | undefined => select([id], false).map(record)[0],
    /** The records of those hosts that are in the project and region. */
    find: (projectId: string, region: string, ids: readonly string[]): HostRecord[] =>
      select(new Set(ids), false)
        .filter(
          ({ partition }) => partition.projectId === projectId && partition.region.code === region,
        )
        .map(record),
    /** The hosts in opened regions. */
    refs: ({ projectId, region }: HostFilter): HostRef[] =>
      [...partitions.values()]
        .filter((partition) => opened.has(partition.region.code))
        .filter((partition) => projectId === undefined || partition.projectId === projectId)
        .filter((partition) => region === undefined || partition.region.code === region)
        .flatMap((partition) =>
          partition.listed.map(({ id }) => ({
            id,
            projectId: partition.projectId,
            region: partition.region.code,
          })),
        ),
    add,
    remove: (ids: readonly string[]): string[] => setRemoved(select(ids, false), true),
    restore: (ids: Iterable<string> = hosts.keys()): string[] =>
      setRemoved(select(ids, true), false),
    update: (ids: readonly string[], patch: HostRecord): string[] =>
      select(ids, false).map((host) => {
        patchHost(host, patch);
        return host.id;
      }),
    reset,
  };
}

function keyOf(projectId: string, region: string): string {
  return `${projectId} ${region}`;
}

function updateListing(partition: Partition): void {
  partition.listed = partition.all.filter(({ isRemoved }) => !isRemoved);
}

/**
 * Multiplication by an odd number permutes the 32-bit numbers, so ids are unique and appear random.
 */
function hostId(seed: number, serial: number): string {
  const digits = (Math.imul(serial ^ Math.imul(seed, 0x85ebca6b), 0x9e3779b1) >>> 0).toString(36);
  return `uhost-1${digits.padStart(7, "0")}`;
}

function createProjects({ seed, projects, now }: Settings): Project[] {
  const random = createRandom(seed);
  return Array.from({ length: projects }, (_, index) => ({
    id: `org-${random.int(36 ** 5, 36 ** 6 - 1).toString(36)}`,
    name: PROJECT_NAMES[index] ?? `业务线${index + 1}`,
    isDefault: index === 0,
    createTime: now - (900 - index) * 86_400,
  }));
}
