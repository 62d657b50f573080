import { DECIDABLE_FROM, type RenewalDecision, type RenewalStatus } from "../../src/shared/renewals.ts";
import type { Role } from "../../src/shared/roles.ts";
import {
  CONFLICT,
  DONE,
  FORBIDDEN,
  INVALID,
  MADE,
  MISSING,
  TOO_LATE,
  UNAUTHENTICATED,
  type Verdict,
} from "./random-actions.ts";

const DAY = 86_400;

export interface ModelPerson {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  adminId: string | null;
  isThere: boolean;
}

export interface ModelAssignment {
  readonly hostId: string;
  readonly userId: string;
  from: number;
  to: number;
  hasEnded: boolean;
}

export interface ModelRenewal {
  readonly id: string;
  readonly assignment: ModelAssignment;
  readonly user: ModelPerson;
  readonly days: number;
  status: RenewalStatus;
  processedAt: number | null;
  processedBy: string | null;
  /** Types of its events in order. */
  readonly events: string[];
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The rules of assignments and renewals in the simplest form. Each call returns its verdict and changes the model. */
export function renewalsModel({ people, now }: { readonly people: readonly ModelPerson[]; now(): number }) {
  const persons = people.map((person) => ({ ...person }));
  const assignments: ModelAssignment[] = [];
  const renewals: ModelRenewal[] = [];

  const personOf = (id: string) => persons.find((person) => person.id === id && person.isThere);
  const roleOf = (id: string) => personOf(id)?.role;
  const currentOf = (hostId: string, userId: string) =>
    assignments.find((each) => each.hostId === hostId && each.userId === userId && !each.hasEnded);

  /** Session and role, which come before everything else. */
  function refusalOf(actor: string, wanted: Role): Verdict | null {
    const role = roleOf(actor);
    if (role === undefined) return UNAUTHENTICATED;
    return role === wanted ? null : FORBIDDEN;
  }
  function isOwn(actor: string, userId: string): boolean {
    const role = roleOf(actor);
    return role === "super_admin" || actor === userId || (role === "admin" && personOf(userId)?.adminId === actor);
  }
  function end(assignment: ModelAssignment): void {
    assignment.hasEnded = true;
    for (const each of renewals) {
      if (each.assignment === assignment && each.status === "pending") settle(each, "cancelled", null);
    }
  }
  function settle(renewal: ModelRenewal, status: RenewalStatus, by: string | null): void {
    renewal.status = status;
    renewal.processedAt = now();
    renewal.processedBy = by;
    renewal.events.push(status === "cancelled" ? "renewal.cancelled" : "renewal.processed");
  }

  return {
    renewals,

    assign(actor: string, hostId: string | null, userId: string, { from, to }: Period): Verdict {
      const refusal = refusalOf(actor, "super_admin");
      if (refusal !== null) return refusal;
      const current = hostId === null ? undefined : currentOf(hostId, userId);
      // An end that is stored already is not checked: renewals may have moved it.
      const isAllowed = (to - from >= DAY && to - from <= 365 * DAY) || (to === current?.to && to > from);
      if (!isAllowed || roleOf(userId) !== "client") return INVALID;
      if (hostId === null) return MISSING;
      if (current === undefined) assignments.push({ hostId, userId, from, to, hasEnded: false });
      else Object.assign(current, { from, to });
      return DONE;
    },

    unassign(actor: string, hostId: string | null, userId: string): Verdict {
      const refusal = refusalOf(actor, "super_admin");
      if (refusal !== null) return refusal;
      const current = hostId === null ? undefined : currentOf(hostId, userId);
      if (current === undefined) return MISSING;
      end(current);
      return DONE;
    },

    apply(actor: string, hostId: string | null, days: number): Verdict {
      const refusal = refusalOf(actor, "client");
      if (refusal !== null) return refusal;
      if (days < 1 || days > 365) return INVALID;
      const current = hostId === null ? undefined : currentOf(hostId, actor);
      if (current === undefined || current.from > now()) return MISSING;
      return renewals.some((each) => each.assignment === current && each.status === "pending") ? CONFLICT : MADE;
    },
    applied(id: string, actor: string, hostId: string | null, days: number): void {
      const [user, assignment] = [personOf(actor), currentOf(hostId ?? "", actor)];
      if (user === undefined || assignment === undefined) throw new Error("who applied has the host");
      const start = { status: "pending", processedAt: null, processedBy: null } as const;
      renewals.push({ ...start, id, assignment, user, days, events: ["renewal.created"] });
    },

    process(actor: string, renewal: ModelRenewal | null, decision: RenewalDecision): Verdict {
      const refusal = refusalOf(actor, "super_admin");
      if (refusal !== null) return refusal;
      if (renewal === null) return MISSING;
      if (!DECIDABLE_FROM[decision].includes(renewal.status)) return TOO_LATE;
      if (decision === "completed") {
        if (renewal.assignment.hasEnded) return TOO_LATE;
        renewal.assignment.to = Math.max(now(), renewal.assignment.to) + renewal.days * DAY;
      }
      settle(renewal, decision, actor);
      return DONE;
    },

    cancel(actor: string, renewal: ModelRenewal | null): Verdict {
      const refusal = refusalOf(actor, "client");
      if (refusal !== null) return refusal;
      if (renewal === null || renewal.user.id !== actor) return MISSING;
      if (renewal.status !== "pending") return TOO_LATE;
      settle(renewal, "cancelled", null);
      return DONE;
    },

    /** By the super admin, who cannot remove itself. */
    remove(id: string): Verdict {
      const person = personOf(id);
      if (person === undefined) return MISSING;
      person.isThere = false;
      for (const each of assignments) if (each.userId === id && !each.hasEnded) end(each);
      for (const each of persons) if (each.adminId === id) each.adminId = null;
      return DONE;
    },

    move(id: string, adminId: string | null): Verdict {
      const person = personOf(id);
      if (person === undefined) return MISSING;
      if (adminId !== null && (person.role !== "client" || roleOf(adminId) !== "admin")) return INVALID;
      person.adminId = adminId;
      return DONE;
    },

    /** Requests in this caller's list, oldest first. */
    renewalsOf: (actor: string) => renewals.filter(({ user }) => isOwn(actor, user.id)),

    /** What this caller may know of a host's assignments. */
    assignmentsOf: (actor: string, hostId: string) =>
      assignments.filter(
        (each) =>
          each.hostId === hostId &&
          !each.hasEnded &&
          isOwn(actor, each.userId) &&
          (roleOf(actor) !== "client" || each.from <= now()),
      ),
    roleOf,
  };
}
