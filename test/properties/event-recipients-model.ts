import type { Role } from "../../src/shared/roles.ts";

export const CONFIG = "0198aaaa-0000-7000-8000-00000000c0f1";

/** State of the last assignment of one host to one client. */
export const PERIODS = ["none", "current", "expired", "future", "ended", "endedBeforeBegin"] as const;
export type Period = (typeof PERIODS)[number];

export interface Person {
  readonly role: Role;
  /** Index of the responsible admin among the people; null for none. */
  readonly admin: number | null;
  /** Deleted, with sessions and assignments. */
  readonly isDeleted: boolean;
}

export interface ModelRenewal {
  readonly client: number;
  readonly host: number;
  readonly status: "pending" | "approved" | "rejected" | "completed" | "cancelled";
}

export interface Fixture {
  readonly people: readonly Person[];
  /** `periods[client][host]`, by index of the person. */
  readonly periods: Readonly<Record<number, readonly Period[]>>;
  readonly renewals: readonly ModelRenewal[];
}

/** A stored event, with indices instead of ids. */
export type ModelEvent =
  | { readonly type: "sync.progress" | "sync.finished" | "removals.changed" | "settings.changed" }
  | {
      readonly type: "hosts.changed";
      readonly isOfConfig: boolean;
      readonly hosts: readonly number[];
      readonly client: number | null;
      readonly formerAdmin: number | null;
    }
  | { readonly type: "assignment.changed"; readonly host: number; readonly client: number }
  | { readonly type: "renewal.created" | "renewal.processed" | "renewal.cancelled"; readonly renewal: number };

/** What a person must receive of an event, null for nothing: the contract's table of events with the row scope. */
export function receives(fixture: Fixture, viewer: number, event: ModelEvent): { type: string; data: unknown } | null {
  const { role } = personAt(fixture, viewer);
  const isRoot = role === "super_admin";
  switch (event.type) {
    case "settings.changed":
      return { type: event.type, data: "settings" };
    case "sync.progress":
    case "sync.finished":
      return isRoot ? { type: event.type, data: "run" } : null;
    case "removals.changed":
      return isRoot ? { type: event.type, data: { configId: CONFIG } } : null;
    case "hosts.changed":
      if (isRoot) return { type: event.type, data: event.isOfConfig ? { configId: CONFIG } : {} };
      return viewer === event.formerAdmin || hasOneOf(fixture, viewer, event) ? { type: event.type, data: {} } : null;
    case "assignment.changed":
      if (!isRoot && !isScopeOf(fixture, viewer, event.client)) return null;
      // A client gets no id of a host whose assignment has never begun.
      if (role === "client" && hasNeverBegun(periodOf(fixture, event.client, event.host)))
        return { type: "hosts.changed", data: {} };
      return { type: event.type, data: { host: event.host } };
    case "renewal.created":
    case "renewal.processed":
    case "renewal.cancelled": {
      const { client, status } = fixture.renewals[event.renewal] ?? fail();
      const data = { id: event.renewal, status };
      return isRoot || isScopeOf(fixture, viewer, client) ? { type: event.type, data } : null;
    }
  }
}

/** Whether rows of that client are in the scope of an admin or client. */
function isScopeOf(fixture: Fixture, viewer: number, client: number): boolean {
  const { admin, isDeleted } = personAt(fixture, client);
  return !isDeleted && (viewer === client || viewer === admin);
}

/** Whether the viewer sees at least one of the hosts, by assignments of the named client alone if there is one. */
function hasOneOf(
  fixture: Fixture,
  viewer: number,
  { hosts, client: named }: Extract<ModelEvent, { type: "hosts.changed" }>,
): boolean {
  return Object.entries(fixture.periods).some(([key, periods]) => {
    const client = Number(key);
    if (named !== null && client !== named) return false;
    if (!isScopeOf(fixture, viewer, client)) return false;
    // An admin knows of assignments that have not begun.
    const seen: readonly (Period | undefined)[] =
      viewer === client ? ["current", "expired"] : ["current", "expired", "future"];
    return hosts.some((host) => seen.includes(periods[host]));
  });
}

function hasNeverBegun(period: Period): boolean {
  return period === "future" || period === "endedBeforeBegin";
}

function periodOf(fixture: Fixture, client: number, host: number): Period {
  return fixture.periods[client]?.[host] ?? fail();
}

function personAt({ people }: Fixture, index: number): Person {
  return people[index] ?? fail();
}

function fail(): never {
  throw new Error("no such row in this fixture");
}
