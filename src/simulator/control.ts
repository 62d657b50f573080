import { z } from "zod";
import { CallMatch, FaultRule } from "./faults.ts";
import type { Gateway } from "./gateway.ts";
import { MAIN_KEYS } from "./options.ts";
import { REGIONS } from "./regions.ts";

const HostFilter = z.strictObject({
  projectId: z.string().optional(),
  region: z.string().optional(),
});
type HostFilter = z.infer<typeof HostFilter>;

/** Hosts by id, or the first `count` (default all) of those that the filter finds. */
const HostSelection = HostFilter.extend({
  ids: z.array(z.string()).optional(),
  count: z.int().min(0).optional(),
});
type HostSelection = z.infer<typeof HostSelection>;

const Balance = z.strictObject({
  available: z.number(),
  amount: z.number(),
  /** Of the account; default: the owner's. */
  publicKey: z.string().optional(),
});
type Balance = z.infer<typeof Balance>;

const RemovedHosts = z.strictObject({ ids: z.array(z.string()).readonly() });

const HostPatch = z.record(z.string(), z.unknown());
type HostPatch = z.infer<typeof HostPatch>;
const NewHosts = z.strictObject({
  region: z.string(),
  projectId: z.string().optional(),
  count: z.int().min(1).max(100_000).optional(),
  patch: HostPatch.optional(),
  /** In seconds. */
  lifetime: z.int().min(1).optional(),
});
type NewHosts = z.infer<typeof NewHosts>;

export type SimulatorControl = ReturnType<typeof createControl>;

/** What tests do to a simulation beside the provider's API. */
export function createControl(gateway: Gateway, closed: AbortSignal) {
  const { world, faults, holds, calls, latencyMs, jitterMs } = gateway;
  const select = ({ ids, count, ...filter }: HostSelection): string[] =>
    (ids ?? world.refs(filter).map(({ id }) => id)).slice(0, count);
  return {
    projects: () => world.projects,
    regions: (which: "opened" | "all" = "opened"): string[] =>
      REGIONS.map(({ code }) => code).filter((code) => which === "all" || world.isOpen(code)),
    /** Calls to a closed region answer RetCode 230. */
    setRegionOpen: (region: string, open: boolean): void => world.setOpen(region, open),
    /** Moves the time of the world on, in Unix seconds: ends move, and hosts end. */
    setTime: (at: number): void => world.setTime(at),
    /** In yuan; negative when the account owes. */
    setBalance: ({ publicKey = MAIN_KEYS.publicKey, ...balance }: Balance): void =>
      world.setBalance(publicKey, balance),
    /** The hosts in opened regions in listing order: what a complete sync finds. */
    hosts: (filter: HostFilter = {}) => world.refs(filter),
    /** A host as the API serves it; undefined when it is removed or unknown. */
    host: (id: string) => world.record(id),
    /** @returns the ids of the removed hosts */
    removeHosts: (selection: HostSelection): string[] => world.remove(select(selection)),
    /** Restores removed hosts, by default all. @returns their ids */
    restoreHosts: ({ ids }: { ids?: readonly string[] } = {}): string[] => world.restore(ids),
    /**
     * Adds hosts at the end of a listing, by default one in the default project, which lives until
     * it is removed. @returns their ids
     */
    addHosts: ({ region, projectId, count = 1, patch = {}, lifetime }: NewHosts): string[] =>
      world.add(projectId ?? world.projects[0]?.id ?? "", region, { count, patch, lifetime }),
    /** Overwrites fields with any values. @returns the ids of the changed hosts */
    updateHosts: (selection: HostSelection, patch: HostPatch): string[] =>
      world.update(select(selection), patch),
    /** @returns the ids of the rules */
    addFaults: (...rules: FaultRule[]): string[] => rules.map((rule) => faults.add(rule)),
    removeFault: (id: string): boolean => faults.remove(id),
    clearFaults: (): void => faults.clear(),
    setLatency: (ms: number): void => {
      gateway.latencyMs = ms;
    },
    /** Holds matching calls (default: all) that arrive from now on. */
    hold: (match: CallMatch = {}): void => holds.hold(match),
    /**
     * Releases the oldest `count` calls; without `count` releases all and stops holding. @returns
     * how many
     */
    release: (count?: number): number => holds.release(count),
    /** Resolves when at least `count` calls are held. */
    waitForHeld: (count = 1, signal = closed): Promise<void> =>
      holds.waitForHeld(count, AbortSignal.any([closed, signal])),
    calls: () => ({ ...calls.summary(), held: holds.held() }),
    resetCalls: (): void => calls.reset(),
    /** Restores the initial world and removes faults, holds, latency and counts. */
    reset: (): void => {
      world.reset();
      faults.clear();
      holds.release();
      calls.reset();
      Object.assign(gateway, { latencyMs, jitterMs });
    },
  };
}

type Method = (control: SimulatorControl, args: unknown, signal: AbortSignal) => unknown;

/** The methods that `POST /__control/<method>` calls; the body is the JSON array of arguments. */
const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["projects", (control) => control.projects()],
  [
    "setRegionOpen",
    (control, args) => control.setRegionOpen(...z.tuple([z.string(), z.boolean()]).parse(args)),
  ],
  ["setTime", (control, args) => control.setTime(...z.tuple([z.int()]).parse(args))],
  ["setBalance", (control, args) => control.setBalance(...z.tuple([Balance]).parse(args))],
  ["hosts", (control, args) => control.hosts(...z.tuple([HostFilter.optional()]).parse(args))],
  ["removeHosts", (control, args) => control.removeHosts(...z.tuple([HostSelection]).parse(args))],
  ["restoreHosts", (control, args) => control.restoreHosts(...z.tuple([RemovedHosts]).parse(args))],
  ["addHosts", (control, args) => control.addHosts(...z.tuple([NewHosts]).parse(args))],
  [
    "updateHosts",
    (control, args) => control.updateHosts(...z.tuple([HostSelection, HostPatch]).parse(args)),
  ],
  ["addFaults", (control, args) => control.addFaults(...z.array(FaultRule).parse(args))],
  ["clearFaults", (control) => control.clearFaults()],
  [
    "setLatency",
    (control, args) => control.setLatency(...z.tuple([z.number().min(0)]).parse(args)),
  ],
  ["hold", (control, args) => control.hold(...z.tuple([CallMatch.optional()]).parse(args))],
  ["release", (control, args) => control.release(...z.tuple([z.int().optional()]).parse(args))],
  [
    "waitForHeld",
    (control, args, signal) =>
      control.waitForHeld(...z.tuple([z.int().default(1)]).parse(args), signal),
  ],
  ["calls", (control) => control.calls()],
  ["resetCalls", (control) => control.resetCalls()],
  ["reset", (control) => control.reset()],
]);

/** @throws an error that names the unknown method or the bad argument */
export async function callControl(
  control: SimulatorControl,
  name: string,
  body: string,
  signal: AbortSignal,
) {
  const method = METHODS.get(name);
  if (method === undefined) throw new Error(`no such control method: ${name}`);
  return await method(control, JSON.parse(body), signal);
}
