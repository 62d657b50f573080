import type { BatchHostResult, BatchHosts } from "../../../shared/batch.ts";
import type { HeldHostsInput } from "../../../shared/held-hosts.ts";
import { AppError } from "../../core/errors.ts";
import { hostNotFound } from "../../hosts/queries.ts";
import type { NamedHost } from "./queries.ts";

type Outcome = Omit<BatchHostResult, "hostId"> | AppError | null;

/** One result for each named host. An outcome of null: it is not held, or not any more. */
export function resultsFor(
  input: HeldHostsInput,
  named: readonly NamedHost[],
  outcomeOf: (host: NamedHost) => Outcome,
): BatchHosts {
  const hosts = new Map(named.map((host) => [host.id, host]));
  const results = (input.all ? [...hosts.keys()] : input.hostIds).map((hostId) => {
    const host = hosts.get(hostId);
    const outcome = (host === undefined ? hostNotFound() : outcomeOf(host)) ?? NOT_HELD;
    if (!(outcome instanceof AppError)) return { hostId, ...outcome };
    return { hostId, ok: false, code: outcome.code, message: outcome.message };
  });
  return { results };
}

const NOT_HELD = new AppError("STATE_CONFLICT", "该主机不在待确认之列，可能已处理或已重新出现");
