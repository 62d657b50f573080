import { z } from "zod";
import type { SimulatorControl } from "../../../src/simulator/control.ts";
import type { HostRecord } from "../../../src/simulator/host-terms.ts";
import { createRandom, type Weighted } from "../../../src/simulator/random.ts";
import type { HostFilter } from "../../../src/simulator/world.ts";
import { ExpectedHost } from "./expected-host.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** So few that they are no mass removal by themselves. */
const REMOVED_A_DAY = 3;

const Records = z.array(z.record(z.string(), z.unknown()));

type Act = (world: ChangingWorld) => void;

/**
 * An account in which things happen: people rename, restart, resize, remove; hosts live for an
 * hour; a region closes; a mass deletion. The same things in each run of the test.
 */
export class ChangingWorld {
  /** Missing hosts that the console should hold now. */
  readonly held = new Set<string>();
  /** Hosts that something was done to in this hour. */
  readonly touched = new Set<string>();
  readonly #control: SimulatorControl;
  readonly #random = createRandom(30);
  readonly #later = new Map<number, Act[]>();
  /** Hosts in the middle of an act, and those that live for an hour. */
  readonly #busy = new Set<string>();
  #removed: string[] = [];
  #removedToday = 0;
  #isMassDeletion = false;
  #hour = 0;
  #now = 0;

  constructor(control: SimulatorControl, timeline: readonly (readonly [hour: number, Act])[]) {
    this.#control = control;
    for (const [hour, act] of timeline) this.after(hour, act);
  }

  /** What the provider lists, as the console should show it. */
  shown(): ExpectedHost[] {
    return this.#control.hosts().map(({ id }) => ExpectedHost.parse(this.#control.host(id)));
  }

  /** What happens in the hour until `now`, at once. */
  passHour(now: number): void {
    const before = this.#ids();
    this.#hour++;
    this.#now = now;
    this.#control.setTime(now);
    this.touched.clear();
    this.#isMassDeletion = false;
    if (this.#hour % 24 === 0) this.#removedToday = 0;

    for (const act of this.#later.get(this.#hour) ?? []) act(this);
    for (let acts = this.#random.int(0, 3); acts > 0; acts--) this.#random.weighted(ACTS)(this);
    // A configuration on its first day holds what vanishes, also such hosts.
    if (this.#hour > 24) this.addShortLived();
    // Nobody can tell from the others what vanishes with them.
    if (this.#isMassDeletion) this.#hold(before.filter((id) => !this.#ids().includes(id)));
  }

  after(hours: number, act: Act): void {
    const hour = this.#hour + hours;
    this.#later.set(hour, [...(this.#later.get(hour) ?? []), act]);
  }

  rename(): void {
    this.#change({}, () => ({ Name: `改名-${this.#hour}` }));
  }

  resize(): void {
    const cpu = this.#random.pick([2, 4, 8, 16]);
    this.#change({}, () => ({ CPU: cpu, Memory: cpu * 4_096 }));
  }

  reimage(): void {
    this.#change({}, () => ({ OsName: `Ubuntu 24.04 64位 ${this.#hour}`, OsType: "Linux" }));
  }

  /** Stops it, or starts it when it is stopped; one sync sees it on its way. */
  switch(): void {
    this.#change({}, ({ State }) => ({ State: State === "Stopped" ? "Starting" : "Stopping" }), {
      afterwards: ({ State }) => ({ State: State === "Starting" ? "Running" : "Stopped" }),
    });
  }

  restart(): void {
    const afterwards = () => ({ State: "Running" });
    this.#change({ State: "Running" }, () => ({ State: "Rebooting" }), { afterwards });
  }

  /** The provider's status query times out, and answers an hour later. */
  loseStatus(): void {
    this.#change({}, () => ({ State: "" }), { afterwards: () => ({ State: "Running" }) });
  }

  addAddress(): void {
    this.#changeAddresses((addresses) => {
      const IP = `203.0.113.${this.#hour % 250}`;
      return [...addresses, { Type: "BGP", IP, Weight: this.#random.pick([10, 50, 100]) }];
    });
  }

  removeAddress(): void {
    this.#changeAddresses((addresses) =>
      addresses.length > 1 ? addresses.slice(0, -1) : addresses,
    );
  }

  /** Traffic leaves through another address. */
  flipWeights(): void {
    this.#changeAddresses((addresses) =>
      addresses.map((address) => ({ ...address, Weight: this.#random.int(0, 100) })),
    );
  }

  renewByHand(): void {
    this.#change({ ChargeType: "Month" }, ({ ExpireTime }) => ({
      ExpireTime: Number(ExpireTime) + 30 * DAY,
    }));
  }

  payMonthly(): void {
    this.#change({ ChargeType: "Dynamic" }, () => ({
      ChargeType: "Month",
      ExpireTime: this.#now + 30 * DAY,
    }));
  }

  payHourly(): void {
    this.#change({ ChargeType: "Month" }, () => ({ ChargeType: "Dynamic" }));
  }

  /** In the second project, which the sub-account does not see. */
  create(): void {
    this.#add({ patch: { Name: `新建-${this.#hour}`, State: "Running" } });
  }

  addShortLived(): void {
    const name = `临时-${this.#hour}`;
    const ids = this.#add({ lifetime: HOUR, patch: { Name: name, ChargeType: "Dynamic" } });
    for (const id of ids) this.#busy.add(id);
  }

  /** In the largest partition of the second project: an emptied one is another matter. */
  remove(): void {
    const [id] = this.#choose({}, { projectId: this.#secondProject(), region: "cn-bj2" });
    if (id === undefined || this.#removedToday >= REMOVED_A_DAY) return;

    this.#removedToday++;
    this.#removed.push(...this.#control.removeHosts({ ids: [id] }));
    this.touched.add(id);
  }

  /** A host that was removed some time ago comes back. */
  restore(): void {
    const [id, ...others] = this.#removed;
    if (id === undefined || this.touched.has(id)) return;

    this.#removed = others;
    this.#control.restoreHosts({ ids: [id] });
    this.touched.add(id);
  }

  closeRegion(region: string): void {
    this.#hold(this.#ids({ region }));
    this.#control.setRegionOpen(region, false);
  }

  openRegion(region: string): void {
    this.#control.setRegionOpen(region, true);
    this.held.clear();
  }

  /** Nothing is listed of a project any more, as when a permission was taken away. */
  hideProject(): string[] {
    const [first] = this.#control.projects();
    const ids = this.#control.removeHosts({ projectId: first?.id });
    this.#hold(ids);
    return ids;
  }

  showProject(ids: readonly string[]): void {
    this.#control.restoreHosts({ ids });
    this.held.clear();
  }

  /** The last hosts of a partition; believed when it has been empty for 24 hours. */
  emptyPartition(region: string): void {
    this.#hold(this.#control.removeHosts({ projectId: this.#secondProject(), region }));
    this.after(24, () => this.held.clear());
  }

  /** Two of five hosts of each partition, which are never seen again. */
  removeMany(): void {
    const partitions = Map.groupBy(this.#control.hosts(), (host) => host.projectId + host.region);
    const chosen = [...partitions.values()].flatMap((hosts) =>
      hosts
        .filter(({ id }, index) => index % 5 < 2 && !this.#busy.has(id))
        .slice(0, hosts.length - 1),
    );
    this.#control.removeHosts({ ids: chosen.map(({ id }) => id) });
    this.#isMassDeletion = true;
  }

  #ids(where: HostFilter = {}): string[] {
    return this.#control.hosts(where).map(({ id }) => id);
  }

  #secondProject(): string {
    return this.#control.projects()[1]?.id ?? "";
  }

  #hold(ids: readonly string[]): void {
    for (const id of ids) this.held.add(id);
  }

  #add(more: { patch: HostRecord; lifetime?: number }): string[] {
    return this.#control.addHosts({ region: "cn-bj2", projectId: this.#secondProject(), ...more });
  }

  /** A host with these fields that nothing happens to; first a random one. */
  #choose(fields: HostRecord, where: HostFilter = {}): string[] {
    const free = this.#ids(where).filter((id) => !this.#busy.has(id) && !this.touched.has(id));
    return this.#random.shuffle(free).filter((id) => {
      const record = this.#control.host(id) ?? {};
      return Object.entries(fields).every(([name, value]) => record[name] === value);
    });
  }

  #change(
    fields: HostRecord,
    patch: (record: HostRecord) => HostRecord,
    { afterwards }: { afterwards?: (record: HostRecord) => HostRecord } = {},
  ): void {
    const [id] = this.#choose(fields);
    if (id === undefined) return;

    this.#patch(id, patch);
    if (afterwards === undefined) return;

    this.#busy.add(id);
    this.after(1, () => {
      this.#busy.delete(id);
      this.#patch(id, afterwards);
    });
  }

  #changeAddresses(change: (addresses: HostRecord[]) => HostRecord[]): void {
    this.#change({}, ({ IPSet }) => ({ IPSet: change(Records.default([]).parse(IPSet)) }));
  }

  #patch(id: string, patch: (record: HostRecord) => HostRecord): void {
    this.#control.updateHosts({ ids: [id] }, patch(this.#control.host(id) ?? {}));
    this.touched.add(id);
  }
}

const ACTS: Weighted<Act> = [
  [3, (world) => world.rename()],
  [2, (world) => world.resize()],
  [2, (world) => world.reimage()],
  [4, (world) => world.switch()],
  [3, (world) => world.restart()],
  [1, (world) => world.loseStatus()],
  [2, (world) => world.addAddress()],
  [2, (world) => world.removeAddress()],
  [3, (world) => world.flipWeights()],
  [2, (world) => world.renewByHand()],
  [1, (world) => world.payMonthly()],
  [1, (world) => world.payHourly()],
  [2, (world) => world.create()],
  [2, (world) => world.remove()],
  [1, (world) => world.restore()],
];
