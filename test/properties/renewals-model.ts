import { DECIDABLE_FROM, type RenewalDecision, type RenewalStatus } from "../../src/shared/renewals.ts";
import type { Role } from "../../src/shared/roles.ts";
import { DAY, MISSING } from "../harness/data.ts";

/** Code of an answer. */
type Verdict = "OK" | "UNAUTHENTICATED" | "INVALID_INPUT" | "NOT_FOUND" | "CONFLICT" | "STATE_CONFLICT";

export interface ModelUser {
  readonly id: string;
  readonly role: Role;
  adminId: string | null;
  isRemoved: boolean;
}

interface ModelAssignment {
  readonly hostId: string;
  readonly user: ModelUser;
  from: number;
  to: number;
  hasEnded: boolean;
}

export interface ModelRequest {
  readonly id: string;
  readonly assignment: ModelAssignment;
  readonly days: number;
  status: RenewalStatus;
  processedAt: number | null;
  processedBy: string | null;
  /** Types of its events in order. */
  readonly events: string[];
}

/** The rules of assignments and renewals in the simplest form. Each call changes the model and returns its verdict. */
export class RenewalsModel {
  readonly requests: ModelRequest[] = [];
  readonly #assignments: ModelAssignment[] = [];
  readonly #users: readonly ModelUser[];
  readonly #now: () => number;

  constructor(users: readonly ModelUser[], now: () => number) {
    this.#users = users;
    this.#now = now;
  }

  assign(hostId: string, user: ModelUser, { from, to }: { from: number; to: number }): Verdict {
    const current = this.#current(hostId, user);
    // An end that is stored already is not checked: renewals may have moved it.
    const isAllowed = (to - from >= DAY && to - from <= 365 * DAY) || (to === current?.to && to > from);
    if (!isAllowed || user.isRemoved || user.role !== "client") return "INVALID_INPUT";
    if (hostId === MISSING) return "NOT_FOUND";
    if (current === undefined) this.#assignments.push({ hostId, user, from, to, hasEnded: false });
    else Object.assign(current, { from, to });
    return "OK";
  }

  unassign(hostId: string, user: ModelUser): Verdict {
    const current = this.#current(hostId, user);
    if (current === undefined) return "NOT_FOUND";
    this.#end(current);
    return "OK";
  }

  /** `id` is that of the request if there is one. */
  request(user: ModelUser, hostId: string, { days, id }: { days: number; id: string }): Verdict {
    if (user.isRemoved) return "UNAUTHENTICATED";
    const assignment = this.#current(hostId, user);
    if (assignment === undefined || assignment.from > this.#now()) return "NOT_FOUND";
    if (this.#pendingOf(assignment).length > 0) return "CONFLICT";
    const state = { status: "pending", processedAt: null, processedBy: null } as const;
    this.requests.push({ ...state, id, assignment, days, events: ["renewal.created"] });
    return "OK";
  }

  decide(request: ModelRequest, decision: RenewalDecision, by: ModelUser): Verdict {
    const { assignment, days, status } = request;
    if (!DECIDABLE_FROM[decision].includes(status)) return "STATE_CONFLICT";
    if (decision === "completed") {
      if (assignment.hasEnded) return "STATE_CONFLICT";
      assignment.to = Math.max(this.#now(), assignment.to) + days * DAY;
    }
    this.#settle(request, decision, by.id);
    return "OK";
  }

  cancel(request: ModelRequest, by: ModelUser): Verdict {
    if (by.isRemoved) return "UNAUTHENTICATED";
    if (request.assignment.user !== by) return "NOT_FOUND";
    if (request.status !== "pending") return "STATE_CONFLICT";
    this.#settle(request, "cancelled", null);
    return "OK";
  }

  remove(user: ModelUser): Verdict {
    if (user.isRemoved) return "NOT_FOUND";
    user.isRemoved = true;
    for (const each of this.#assignments) if (each.user === user && !each.hasEnded) this.#end(each);
    for (const each of this.#users) if (each.adminId === user.id) each.adminId = null;
    return "OK";
  }

  move(client: ModelUser, admin: ModelUser | null): Verdict {
    if (client.isRemoved) return "NOT_FOUND";
    if (admin?.isRemoved) return "INVALID_INPUT";
    client.adminId = admin?.id ?? null;
    return "OK";
  }

  /** Requests in this user's list, newest first. */
  requestsOf(viewer: ModelUser): ModelRequest[] {
    return this.requests.filter(({ assignment }) => isInScope(viewer, assignment)).reverse();
  }

  /** What this user may know of a host's assignments. */
  assignmentsOf(viewer: ModelUser, hostId: string): ModelAssignment[] {
    const hasBegun = ({ from }: ModelAssignment) => viewer.role !== "client" || from <= this.#now();
    return this.#assignments.filter(
      (each) => each.hostId === hostId && !each.hasEnded && isInScope(viewer, each) && hasBegun(each),
    );
  }

  #current(hostId: string, user: ModelUser): ModelAssignment | undefined {
    return this.#assignments.find((each) => each.hostId === hostId && each.user === user && !each.hasEnded);
  }

  #pendingOf(assignment: ModelAssignment): ModelRequest[] {
    return this.requests.filter((each) => each.assignment === assignment && each.status === "pending");
  }

  #end(assignment: ModelAssignment): void {
    assignment.hasEnded = true;
    for (const each of this.#pendingOf(assignment)) this.#settle(each, "cancelled", null);
  }

  #settle(request: ModelRequest, status: RenewalStatus, by: string | null): void {
    Object.assign(request, { status, processedAt: this.#now(), processedBy: by });
    request.events.push(status === "cancelled" ? "renewal.cancelled" : "renewal.processed");
  }
}

function isInScope({ id, role }: ModelUser, { user }: ModelAssignment): boolean {
  return role === "super_admin" || id === user.id || (user.adminId === id && !user.isRemoved);
}
