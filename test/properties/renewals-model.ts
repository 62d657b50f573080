import type { RenewalStatus } from "../../src/shared/renewal-status.ts";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";

const UNDO_SECONDS = 600;

/** Code of an answer. */
type Verdict = "OK" | "NOT_FOUND" | "CONFLICT" | "STATE_CONFLICT";

interface ModelAssignment {
  readonly hostId: string;
  from: number;
  to: number;
  hasEnded: boolean;
}

interface ModelDecision {
  readonly status: RenewalStatus;
  readonly processedAt: number | null;
  /** Of the assignment, before and after it; null where it moved no end. */
  readonly end: { readonly from: number; readonly to: number } | null;
}

interface ModelRequest {
  readonly id: string;
  readonly assignment: ModelAssignment;
  readonly days: number;
  status: RenewalStatus;
  processedAt: number | null;
  /** What each decision that stands has changed, the last one at the end. */
  readonly decisions: ModelDecision[];
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
      decisions: [],
      events: ["renewal.created"],
    });
    return "OK";
  }

  decide(request: ModelRequest, decision: RenewalDecision): Verdict {
    const { assignment, days, status } = request;
    const isDecidable = status === "pending" || (status === "approved" && decision !== "approved");
    if (!isDecidable) return "STATE_CONFLICT";
    let end: ModelDecision["end"] = null;
    if (decision === "completed") {
      if (assignment.hasEnded) return "STATE_CONFLICT";
      const to = Math.max(this.#now(), assignment.to) + days * DAY_SECONDS;
      end = { from: assignment.to, to };
      assignment.to = to;
    }
    request.decisions.push({ status, processedAt: request.processedAt, end });
    this.#settle(request, decision);
    return "OK";
  }

  undo(request: ModelRequest): Verdict {
    const { assignment, status, processedAt } = request;
    const former = request.decisions.at(-1);
    const isDecided = status !== "pending" && status !== "cancelled";
    if (!isDecided || former === undefined) return "STATE_CONFLICT";
    if (this.#now() > (processedAt ?? 0) + UNDO_SECONDS) return "STATE_CONFLICT";
    if (assignment.hasEnded) return "STATE_CONFLICT";
    if (this.#openOf(assignment).some((each) => each !== request)) return "STATE_CONFLICT";
    const { end } = former;
    if (end !== null) {
      if (assignment.to !== end.to || assignment.from >= end.from) return "STATE_CONFLICT";
      assignment.to = end.from;
    }
    request.decisions.pop();
    Object.assign(request, { status: former.status, processedAt: former.processedAt });
    request.events.push("renewal.processed");
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
