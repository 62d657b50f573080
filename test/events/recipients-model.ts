import type { Role } from "../../src/shared/roles.ts";

export const CONFIG = "0198aaaa-0000-7000-8000-00000000c0f1";

/** State of the latest assignment of a client and host. */
export const PERIODS = ["none", "current", "expired", "future", "ended", "endedBeforeBegin"] as const;
export type Period = (typeof PERIODS)[number];

export interface Person {
  readonly role: Role;
  /** Index of the admin in `people`, or null. */
  readonly admin: number | null;
  /** A deleted user, whose sessions and assignments have ended. */
  readonly isDeleted: boolean;
}

export interface RenewalInWorld {
  readonly client: number;
  readonly host: number;
  readonly status: "pending" | "approved" | "rejected" | "completed" | "cancelled";
}

export interface World {
  readonly people: readonly Person[];
  /** `periods[client][host]` by index. */
  readonly periods: Readonly<Record<number, readonly Period[]>>;
  readonly renewals: readonly RenewalInWorld[];
}

/** A stored event, with indices instead of ids. */
export type ModelEvent =
  | { readonly type: "sync.progress" | "sync.finished" | "settings.changed" }
  | {
      readonly type: "hosts.changed";
      readonly isOfConfig: boolean;
      readonly hosts: readonly number[];
      readonly client: number | null;
      readonly formerAdmin: number | null;
    }
  | { readonly type: "assignment.changed"; readonly host: number; readonly client: number }
  | { readonly type: "renewal.created" | "renewal.processed" | "renewal.cancelled"; readonly renewal: number };

/** The expected event for a viewer, or null for none, by the contract's table of events. */
export function receives(world: World, viewer: number, event: ModelEvent): { type: string; data: unknown } | null {
  const { role } = personAt(world, viewer);
  const isRoot = role === "super_admin";
  switch (event.type) {
    case "settings.changed":
      return { type: event.type, data: "settings" };
    case "sync.progress":
    case "sync.finished":
      return isRoot ? { type: event.type, data: "run" } : null;
    case "hosts.changed":
      if (isRoot) return { type: event.type, data: event.isOfConfig ? { configId: CONFIG } : {} };
      return viewer === event.formerAdmin || hasOneOf(world, viewer, event) ? { type: event.type, data: {} } : null;
    case "assignment.changed":
      if (!isRoot && !isScopeOf(world, viewer, event.client)) return null;
      // Events never name a host to a client before its assignment has started.
      if (role === "client" && isFuture(periodOf(world, event.client, event.host)))
        return { type: "hosts.changed", data: {} };
      return { type: event.type, data: { host: event.host } };
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled": {
      const { client, status } = world.renewals[event.renewal] ?? fail();
      const data = { id: event.renewal, status };
      return isRoot || isScopeOf(world, viewer, client) ? { type: event.type, data } : null;
    }
  }
}

/** Whether an admin or client may see the client's rows. */
function isScopeOf(world: World, viewer: number, client: number): boolean {
  const { admin, isDeleted } = personAt(world, client);
  return !isDeleted && (viewer === client || viewer === admin);
}

/** Whether the viewer sees one of the hosts, counting only the named client's assignments if any. */
function hasOneOf(
  world: World,
  viewer: number,
  { hosts, client: named }: Extract<ModelEvent, { type: "hosts.changed" }>,
): boolean {
  return Object.entries(world.periods).some(([key, periods]) => {
    const client = Number(key);
    if (named !== null && client !== named) return false;
    if (!isScopeOf(world, viewer, client)) return false;
    // An admin also sees future assignments.
    const seen: readonly (Period | undefined)[] =
      viewer === client ? ["current", "expired"] : ["current", "expired", "future"];
    return hosts.some((host) => seen.includes(periods[host]));
  });
}

function isFuture(period: Period): boolean {
  return period === "future" || period === "endedBeforeBegin";
}

function periodOf(world: World, client: number, host: number): Period {
  return world.periods[client]?.[host] ?? fail();
}

function personAt({ people }: World, index: number): Person {
  return people[index] ?? fail();
}

function fail(): never {
  throw new Error("no such row in this world");
}
