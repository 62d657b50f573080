import type { RenewalStatus } from "../../src/shared/renewal-status.ts";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";

/** Code of an answer. */
type Verdict = "OK" | "NOT_FOUND" | "CONFLICT" | "STATE_CONFLICT";

interface ModelAssignment {
  readonly hostId: string;
  from: number;
  to: number;
  hasEnded: boolean;
}

interface ModelRequest {
  readonly id: string;
  readonly assignment: ModelAssignment;
  readonly days: number;
  status: RenewalStatus;
  processedAt: number | null;
  /** Types of its events in order. */
  readonly events: string[];
}

/**
 * The rules for one client's hosts and requests in the simplest form. Each call changes the model
 * and returns its verdict.
 */
export class RenewalsModel {
  readonly requests: ModelRequest[] = [];
  readonly #assignments: ModelAssignment[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  assign(hostId: string, period: { from: number; to: number }): Verdict {
    const current = this.current(hostId);
    if (current === undefined) this.#assignments.push({ hostId, ...period, hasEnded: false });
    else Object.assign(current, period);
    return "OK";
  }

  unassign(hostId: string): Verdict {
    const current = this.current(hostId);
    if (current === undefined) return "NOT_FOUND";
    current.hasEnded = true;
    for (const each of this.#openOf(current)) this.#settle(each, "cancelled");
    return "OK";
  }

  /** `id` is that of the request if there is one. */
  request(hostId: string, { days, id }: { days: number; id: string }): Verdict {
    const assignment = this.current(hostId);
    if (assignment === undefined || assignment.from > this.#now()) return "NOT_FOUND";
    if (this.#openOf(assignment).length > 0) return "CONFLICT";
    this.requests.push({
      id,
      assignment,
      days,
      status: "pending",
      processedAt: null,
      events: ["renewal.created"],
    });
    return "OK";
  }

  decide(request: ModelRequest, decision: RenewalDecision): Verdict {
    const { assignment, days, status } = request;
    const isDecidable = status === "pending" || (status === "approved" && decision !== "approved");
    if (!isDecidable) return "STATE_CONFLICT";
    if (decision === "completed") {
      if (assignment.hasEnded) return "STATE_CONFLICT";
      assignment.to = Math.max(this.#now(), assignment.to) + days * DAY_SECONDS;
    }
    this.#settle(request, decision);
    return "OK";
  }

  cancel(request: ModelRequest): Verdict {
    if (request.status !== "pending") return "STATE_CONFLICT";
    this.#settle(request, "cancelled");
    return "OK";
  }

  current(hostId: string): ModelAssignment | undefined {
    return this.#assignments.find((each) => each.hostId === hostId && !each.hasEnded);
  }

  #openOf(assignment: ModelAssignment): ModelRequest[] {
    const isOpen = ({ status }: ModelRequest) => status === "pending" || status === "approved";
    return this.requests.filter((each) => each.assignment === assignment && isOpen(each));
  }

  #settle(request: ModelRequest, status: RenewalStatus): void {
    Object.assign(request, { status, processedAt: this.#now() });
    request.events.push(status === "cancelled" ? "renewal.cancelled" : "renewal.processed");
  }
}
