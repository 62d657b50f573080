import { type HeldHostsDecision, MAX_NAMED_RESULTS } from "../../../../shared/held-hosts.ts";
import { AppError } from "../../../platform/errors.ts";
import { hostNotFound } from "../../hosts/queries.ts";
import {
  failed,
  type HostOutcome,
  type HostOutcomes,
  presentOutcome,
} from "../refresh/host-outcome.ts";

export const DECIDED: HostOutcome = { kind: "done" };
export const NOT_HELD = failed(
  new AppError("STATE_CONFLICT", "该主机不在待确认之列，可能已处理或已重新出现"),
);

interface NamedHosts {
  readonly hostIds: readonly string[];
  /** Those of them that exist. */
  readonly known: readonly { readonly id: string }[];
}

/** One result for each named host. A host without an outcome is not held, or not any more. */
export function resultsOfNamed(
  { hostIds, known }: NamedHosts,
  outcomes: HostOutcomes,
): HeldHostsDecision {
  const knownIds = new Set(known.map(({ id }) => id));
  const results = hostIds.map((hostId) => {
    if (!knownIds.has(hostId)) return presentOutcome(hostId, failed(hostNotFound()));
    return presentOutcome(hostId, outcomes.get(hostId) ?? NOT_HELD);
  });
  return { results };
}

/**
 * The results of all held hosts of a configuration: of each one, or when they are too many only
 * counts.
 */
export class ResultCollector {
  readonly #results: HeldHostsDecision["results"] = [];
  #succeeded = 0;
  #failed = 0;

  add(hostId: string, outcome: HostOutcome): void {
    if (outcome.kind === "failed") this.#failed += 1;
    else this.#succeeded += 1;
    if (!this.#areTooMany()) this.#results.push(presentOutcome(hostId, outcome));
  }

  /** Hosts that were not tried. */
  addUnreached(hosts: number): void {
    this.#failed += hosts;
  }

  decision(): HeldHostsDecision {
    if (!this.#areTooMany()) return { results: this.#results };
    return { results: [], counts: { succeeded: this.#succeeded, failed: this.#failed } };
  }

  #areTooMany(): boolean {
    return this.#succeeded + this.#failed > MAX_NAMED_RESULTS;
  }
}
