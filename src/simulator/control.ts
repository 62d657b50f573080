import type { CallSummary } from "./call-log.ts";
import type { HostPatch, HostRecord } from "./cell.ts";
import type { Delay } from "./delay.ts";
import type { FaultState } from "./fault-rules.ts";
import type { CallMatch, FaultRule } from "./faults.ts";
import type { Gateway } from "./gateway.ts";
import type { HostFilter, HostRef, Project } from "./world.ts";

/** Hosts by id, or the first `count` (default all) of a place. Nothing given = every host. */
export interface HostSelection extends HostFilter {
  ids?: readonly string[] | undefined;
  count?: number | undefined;
}

/** The strings that move a simulation from outside the provider's API. */
export interface SimulatorControl {
  projects(): readonly Project[];
  /** Opened regions, or all of them. */
  regions(which?: "opened" | "all"): string[];
  /** From now on calls to this region answer, or answer 230. */
  setRegionOpen(region: string, open: boolean): void;

  /** The hosts that exist now in opened regions, in listing order: what a perfect sync finds. */
  hosts(filter?: HostFilter): HostRef[];
  /** A host as the API would serve it; undefined when it is not there. */
  host(id: string): HostRecord | undefined;
  /** @returns the ids that vanished */
  removeHosts(selection: HostSelection): string[];
  /** @returns the ids that came back; without `ids` everything that was removed does */
  restoreHosts(selection?: { ids?: readonly string[] | undefined }): string[];
  /** New hosts at the end of a listing, 1 in the default project unless told. @returns their ids */
  addHosts(where: {
    region: string;
    projectId?: string | undefined;
    count?: number | undefined;
    patch?: HostPatch | undefined;
  }): string[];
  /** Lays fields over hosts, as they are, valid or not. @returns the ids that changed */
  updateHosts(selection: HostSelection, patch: HostPatch): string[];

  /** @returns the rules' ids */
  addFaults(...rules: readonly FaultRule[]): string[];
  removeFault(id: string): boolean;
  clearFaults(): void;
  faults(): FaultState[];

  setLatency(latencyMs: number, jitterMs?: number): void;
  /** Freezes matching calls (default: all) that arrive from now on. */
  hold(match?: CallMatch): void;
  /** Lets the oldest `count` go and keeps holding; without `count` lets all go and stops holding. */
  release(count?: number): number;
  /** Resolves when at least `count` (default 1) calls are frozen. Give a signal to stop waiting. */
  waitForHeld(count?: number, signal?: AbortSignal): Promise<void>;

  calls(): CallSummary;
  resetCalls(): void;
  /** Back to the first moment: world, faults, holds, latency, counts. */
  reset(): void;
}

export function createControl(gateway: Gateway, delay: Delay, closed: AbortSignal): SimulatorControl {
  const { world, faults, holds, calls } = gateway;
  const select = ({ ids, count, ...place }: HostSelection): string[] =>
    (ids ?? world.refs(place).map(({ id }) => id)).slice(0, count);
  return {
    projects: () => world.projects,
    regions: (which = "opened") =>
      world.regions.map(({ code }) => code).filter((code) => which === "all" || world.isOpen(code)),
    setRegionOpen: (region, open) => world.setOpen(region, open),
    hosts: (filter = {}) => world.refs(filter),
    host: (id) => {
      const found = world.locate(id);
      return found && world.record(found.cell, found.number);
    },
    removeHosts: (selection) => world.remove(select(selection)),
    restoreHosts: (selection = {}) => world.restore(selection.ids),
    addHosts: ({ region, projectId, count = 1, patch = {} }) =>
      world.add(projectId ?? world.projects[0]?.id ?? "", region, count, patch),
    updateHosts: (selection, patch) => world.update(select(selection), patch),
    addFaults: (...rules) => rules.map((rule) => faults.add(rule)),
    removeFault: (id) => faults.remove(id),
    clearFaults: () => faults.clear(),
    faults: () => faults.list(),
    setLatency: (latencyMs, jitterMs = 0) => delay.set(latencyMs, jitterMs),
    hold: (match = {}) => holds.hold(match),
    release: (count) => holds.release(count),
    waitForHeld: (count = 1, signal) =>
      holds.waitForHeld(count, signal === undefined ? closed : AbortSignal.any([closed, signal])),
    calls: () => calls.summary(holds.held()),
    resetCalls: () => calls.reset(),
    reset: () => {
      world.reset();
      faults.clear();
      holds.release();
      delay.reset();
      gateway.rateLimit.reset();
      calls.reset();
    },
  };
}
