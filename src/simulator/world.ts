import { generateHost } from "./generate-host.ts";
import type { HostRecord } from "./host-terms.ts";
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
  /** Unix seconds */
  readonly addedAt: number;
  /** Unix seconds; it is removed then. */
  readonly livesUntil: number;
  isRemoved: boolean;
  /** Fields over the generated ones. */
  patch: HostRecord;
}

export interface NewHosts {
  count: number;
  patch: HostRecord;
  /** How long they live, in seconds. Default: until they are removed. */
  lifetime?: number | undefined;
}

/** The hosts of one project in one region. */
interface Partition {
  readonly projectId: string;
  readonly region: Region;
  readonly all: Host[];
  /** The hosts that are not removed, in the order of the listing. */
  listed: Host[];
}

/** In yuan; negative when the account owes. */
export interface AccountBalance {
  readonly available: number;
  readonly amount: number;
}
const INITIAL_BALANCE: AccountBalance = { available: 12_345.67, amount: 13_000.5 };

/**
 * What the simulated account owns. Hosts are stored without their records, which are generated from
 * the seed when they are read: a world of 100,000 hosts is made at once.
 */
export class World {
  readonly projects: readonly Project[];
  readonly #settings: Settings;
  readonly #opened = new Set<string>();
  /** By project and region. */
  readonly #partitions = new Map<string, Partition>();
  readonly #hosts = new Map<string, Host>();
  /** Hosts that were given a lifetime. */
  #mortal: Host[] = [];
  /** Of the next host. */
  #serial = 0;
  /** By public key; an account that is not named has the initial one. */
  readonly #balances = new Map<string, AccountBalance>();
  /** How far the time was moved on, in seconds. */
  #ahead = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.projects = createProjects(settings);
    this.reset();
  }

  /** Makes the world anew, as it was at the start. */
  reset(): void {
    const opened = selectRegions(this.#settings.regions);
    this.#balances.clear();
    this.#serial = 0;
    this.#ahead = 0;
    this.#mortal = [];
    this.#hosts.clear();
    this.#opened.clear();
    for (const region of opened) this.#opened.add(region);

    for (const { id: projectId } of this.projects) {
      for (const region of REGIONS) {
        const partition = { projectId, region, all: [], listed: [] };
        this.#partitions.set(keyOf(projectId, region.code), partition);
      }
    }

    const shares = distributeHosts(this.#settings.hosts, this.projects.length, opened);
    for (const { project, region, count } of shares) {
      const partition = this.#partitionOf(this.projects[project]?.id ?? "", region);
      const hosts = { addedAt: this.#settings.now, livesUntil: Number.POSITIVE_INFINITY };
      for (let added = 0; added < count; added++) this.#add(partition, hosts);
      updateListing(partition);
    }
  }

  /** The time of the world in Unix seconds, by which ends move and hosts end. */
  get now(): number {
    const { clock, now } = this.#settings;
    const base = clock === "system" ? Math.floor(Date.now() / 1000) : now;
    return base + this.#ahead;
  }

  /** Moves the time of the world on; it never goes back. */
  setTime(at: number): void {
    const seconds = at - this.now;
    if (seconds < 0) throw new RangeError(`the world has passed ${at} already`);
    this.#ahead += seconds;
  }

  balanceOf(publicKey: string): AccountBalance {
    return this.#balances.get(publicKey) ?? INITIAL_BALANCE;
  }

  setBalance(publicKey: string, balance: AccountBalance): void {
    this.#balances.set(publicKey, balance);
  }

  isOpen(region: string): boolean {
    return this.#opened.has(region);
  }

  setOpen(region: string, isOpen: boolean): void {
    if (isOpen) this.#opened.add(region);
    else this.#opened.delete(region);
  }

  /** A page of a listing, and its total. */
  page(projectId: string, region: string, offset: number, limit: number) {
    this.#removeDead();
    const listed = this.#partitions.get(keyOf(projectId, region))?.listed ?? [];
    const hosts = listed.slice(offset, offset + limit);
    return { total: listed.length, records: hosts.map((host) => this.#generate(host)) };
  }

  /** The record of a host that is not removed. */
  record(id: string): HostRecord | undefined {
    const [host] = this.#select([id], false);
    return host && this.#generate(host);
  }

  /** The records of those hosts that are in the project and region. */
  find(projectId: string, region: string, ids: readonly string[]): HostRecord[] {
    const hosts = this.#select(new Set(ids), false);
    return hosts
      .filter(({ partition }) => partition.projectId === projectId)
      .filter(({ partition }) => partition.region.code === region)
      .map((host) => this.#generate(host));
  }

  /** The hosts in opened regions. */
  refs({ projectId, region }: HostFilter): HostRef[] {
    this.#removeDead();
    return [...this.#partitions.values()]
      .filter((partition) => this.#opened.has(partition.region.code))
      .filter((partition) => projectId === undefined || partition.projectId === projectId)
      .filter((partition) => region === undefined || partition.region.code === region)
      .flatMap((partition) =>
        partition.listed.map(({ id }) => ({
          id,
          projectId: partition.projectId,
          region: partition.region.code,
        })),
      );
  }

  /** Adds hosts at the end of a listing. Returns their ids. */
  add(projectId: string, region: string, { count, patch, lifetime }: NewHosts): string[] {
    const partition = this.#partitionOf(projectId, region);
    const addedAt = this.now;
    const livesUntil = addedAt + (lifetime ?? Number.POSITIVE_INFINITY);

    const hosts = Array.from({ length: count }, () =>
      this.#add(partition, { addedAt, livesUntil }),
    );
    for (const host of hosts) this.#patch(host, patch);
    if (lifetime !== undefined) this.#mortal.push(...hosts);
    updateListing(partition);
    return hosts.map(({ id }) => id);
  }

  /** Returns the ids of those that were there. */
  remove(ids: readonly string[]): string[] {
    return this.#setRemoved(this.#select(ids, false), true);
  }

  /** Brings removed hosts back, by default all. Returns their ids. */
  restore(ids: Iterable<string> = this.#hosts.keys()): string[] {
    return this.#setRemoved(this.#select(ids, true), false);
  }

  /** Returns the ids of the changed hosts, as they are now. */
  update(ids: readonly string[], patch: HostRecord): string[] {
    return this.#select(ids, false).map((host) => {
      this.#patch(host, patch);
      return host.id;
    });
  }

  #partitionOf(projectId: string, region: string): Partition {
    const partition = this.#partitions.get(keyOf(projectId, region));
    if (partition === undefined) {
      throw new RangeError(`no project ${projectId} or no region ${region}`);
    }
    return partition;
  }

  #add(partition: Partition, life: Pick<Host, "addedAt" | "livesUntil">): Host {
    const serial = this.#serial++;
    const id = hostId(this.#settings.seed, serial);
    const host: Host = { id, serial, partition, ...life, isRemoved: false, patch: {} };
    partition.all.push(host);
    this.#hosts.set(id, host);
    return host;
  }

  #removeDead(): void {
    const dead = this.#mortal.filter(
      ({ isRemoved, livesUntil }) => !isRemoved && livesUntil <= this.now,
    );
    if (dead.length > 0) this.#setRemoved(dead, true);
  }

  /** A patch may give the host another id. */
  #patch(host: Host, patch: HostRecord): void {
    host.patch = { ...host.patch, ...patch };
    if (this.#hosts.get(host.id) === host) this.#hosts.delete(host.id);
    if (typeof patch.UHostId === "string") host.id = patch.UHostId;
    this.#hosts.set(host.id, host);
  }

  #select(ids: Iterable<string>, isRemoved: boolean): Host[] {
    this.#removeDead();
    return [...ids].flatMap((id) => {
      const host = this.#hosts.get(id);
      return host?.isRemoved === isRemoved ? [host] : [];
    });
  }

  #setRemoved(chosen: readonly Host[], isRemoved: boolean): string[] {
    for (const host of chosen) host.isRemoved = isRemoved;
    for (const partition of new Set(chosen.map((host) => host.partition))) updateListing(partition);
    return chosen.map(({ id }) => id);
  }

  #generate({ id, serial, addedAt, partition: { region }, patch }: Host): HostRecord {
    const { seed } = this.#settings;
    return generateHost({ seed, serial, addedAt, region, id, patch, now: this.now });
  }
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
