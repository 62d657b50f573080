import type { StoredEventOf } from "../../src/server/events/event.ts";
import type { RenewalStatus } from "../../src/shared/renewals.ts";

/** The users, by index. */
export const ROLES = ["super_admin", "admin", "admin", "client", "client", "client", "client"] as const;
export const CLIENTS = [3, 4, 5, 6] as const;
/** A client that was deleted, with its assignments. */
export const DELETED = 6;
export const CONFIG = "0198aaaa-0000-7000-8000-00000000c0f1";

export function userId(user: number): string {
  return `0198aaaa-0000-7000-8001-00000000000${user}`;
}

export function hostId(host: number): string {
  return `0198aaaa-0000-7000-8002-00000000000${host}`;
}

export function renewalId(client: number, host: number): string {
  return `0198aaaa-0000-7000-8003-0000000000${client}${host}`;
}

/** State of the last assignment of a host to a client. */
export const PERIODS = ["none", "current", "expired", "future", "ended", "endedBeforeBegin"] as const;

/** A client's last assignment of a host, and its request for more time. */
export interface Holding {
  readonly period: (typeof PERIODS)[number];
  readonly renewal: RenewalStatus;
}

export interface Fixture {
  /** Index of each client's admin; null for none. */
  readonly adminOf: Readonly<Record<number, number | null>>;
  /** `holdings[client][host]`. */
  readonly holdings: Readonly<Record<number, readonly Holding[]>>;
}

/** Whoever receives one of these events receives all that is stored. */
export type PlainEvent = StoredEventOf<"sync.progress" | "sync.finished" | "removals.changed" | "settings.changed">;

/** An event as it is stored, or with indices instead of ids. */
export type ModelEvent =
  | PlainEvent
  | {
      readonly type: "hosts.changed";
      readonly isOfConfig: boolean;
      readonly hosts: readonly number[];
      /** Only this client's assignments changed. */
      readonly client: number | null;
      readonly formerAdmin: number | null;
    }
  | {
      readonly type: "assignment.changed" | "renewal.created" | "renewal.processed" | "renewal.cancelled";
      readonly client: number;
      readonly host: number;
    };

const HOSTS_CHANGED = { type: "hosts.changed", data: {} } as const;

/** What a user must receive of an event, null for nothing: the contract's table of events with the row scope. */
export function receives({ adminOf, holdings }: Fixture, viewer: number, event: ModelEvent) {
  const isRoot = ROLES[viewer] === "super_admin";
  const inScope = (client: number) => client !== DELETED && (viewer === client || viewer === adminOf[client]);
  const { type } = event;
  switch (type) {
    case "settings.changed":
      return event;
    case "sync.progress":
    case "sync.finished":
    case "removals.changed":
      return isRoot ? event : null;
    case "hosts.changed": {
      if (isRoot) return event.isOfConfig ? { type, data: { configId: CONFIG } } : HOSTS_CHANGED;
      // An admin knows of assignments that have not begun.
      const visible = ROLES[viewer] === "admin" ? ["current", "expired", "future"] : ["current", "expired"];
      const clients = CLIENTS.filter((client) => (event.client ?? client) === client && inScope(client));
      const seesOne = clients.some((client) =>
        event.hosts.some((host) => visible.includes(holdings[client]?.[host]?.period ?? "none")),
      );
      return seesOne || viewer === event.formerAdmin ? HOSTS_CHANGED : null;
    }
    default: {
      const { client, host } = event;
      const { period = "none", renewal: status } = holdings[client]?.[host] ?? {};
      if (!isRoot && !inScope(client)) return null;
      if (type !== "assignment.changed") return { type, data: { id: renewalId(client, host), status } };
      // A client gets no id of a host whose assignment has never begun.
      const hasBegun = period !== "future" && period !== "endedBeforeBegin";
      return hasBegun || viewer !== client ? { type, data: { hostId: hostId(host) } } : HOSTS_CHANGED;
    }
  }
}
