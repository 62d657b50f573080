import type { StoredEvent } from "../../src/server/events/event.ts";
import type { RenewalStatus } from "../../src/shared/renewals.ts";
import type { Role } from "../../src/shared/roles.ts";

const idOf = (group: number, number: number) => `0198aaaa-0000-7000-800${group}-${String(number).padStart(12, "0")}`;

const ROOT = idOf(1, 0);
export const ADMINS = [idOf(1, 1), idOf(1, 2)] as const;
/** A client that was deleted, with its assignments. */
export const DELETED = idOf(1, 6);
export const CLIENTS = [idOf(1, 3), idOf(1, 4), idOf(1, 5), DELETED] as const;
export const HOSTS = [idOf(2, 0), idOf(2, 1), idOf(2, 2)] as const;
export const CONFIG = idOf(4, 0);
/** The users that follow the events. */
export const ROLES: ReadonlyMap<string, Role> = new Map([
  [ROOT, "super_admin"],
  ...ADMINS.map((id) => [id, "admin"] as const),
  ...CLIENTS.filter((id) => id !== DELETED).map((id) => [id, "client"] as const),
]);

/** State of the last assignment of a host to a client. */
export const PERIODS = ["none", "current", "expired", "future", "ended", "endedBeforeBegin"] as const;

/** A client's last assignment of a host, and its request for more time. */
export interface Holding {
  readonly client: string;
  readonly host: string;
  readonly period: (typeof PERIODS)[number];
  readonly renewalId: string;
  readonly status: RenewalStatus;
}

/** Every client with every host. */
export const PAIRS = CLIENTS.flatMap((client, index) =>
  HOSTS.map((host, number) => ({ client, host, renewalId: idOf(3, 10 * index + number) })),
);

export interface Fixture {
  /** Each client's admin; null for none. */
  readonly adminOf: Readonly<Record<string, string | null>>;
  readonly holdings: readonly Holding[];
}

const HOSTS_CHANGED = { type: "hosts.changed", data: {} } as const;

/** What a user must receive of an event, null for nothing: the contract's table of events with the row scope. */
export function receives({ adminOf, holdings }: Fixture, viewer: string, event: StoredEvent) {
  const role = ROLES.get(viewer);
  const isRoot = role === "super_admin";
  const inScope = (client = "") => client !== DELETED && (viewer === client || viewer === adminOf[client]);
  switch (event.type) {
    case "settings.changed":
      return event;
    case "sync.progress":
    case "sync.finished":
    case "removals.changed":
      return isRoot ? event : null;
    case "hosts.changed": {
      const { configId, hostIds, userId, formerAdminId } = event.data;
      if (isRoot) return configId === null ? HOSTS_CHANGED : { type: event.type, data: { configId } };
      // An admin knows of assignments that have not begun.
      const visible = role === "admin" ? ["current", "expired", "future"] : ["current", "expired"];
      const concerned = holdings.filter(({ client, host }) => (userId ?? client) === client && hostIds.includes(host));
      const seesOne = concerned.some(({ client, period }) => inScope(client) && visible.includes(period));
      return seesOne || viewer === formerAdminId ? HOSTS_CHANGED : null;
    }
    case "assignment.changed": {
      const { hostId, userId } = event.data;
      if (!isRoot && !inScope(userId)) return null;
      const period = holdings.find(({ client, host }) => client === userId && host === hostId)?.period;
      // A client gets no id of a host whose assignment has never begun.
      const hasBegun = period !== "future" && period !== "endedBeforeBegin";
      return hasBegun || viewer !== userId ? { type: event.type, data: { hostId } } : HOSTS_CHANGED;
    }
    default: {
      const { renewalId: id } = event.data;
      const { client, status } = holdings.find(({ renewalId }) => renewalId === id) ?? {};
      return isRoot || inScope(client) ? { type: event.type, data: { id, status } } : null;
    }
  }
}
