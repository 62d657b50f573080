import type { EntityManager } from "@mikro-orm/postgresql";
import { UNSETTLED_STATUSES } from "../../../../shared/hosts.ts";
import { SETTLING_WAITS } from "../../../../shared/settling.ts";
import type { SyncDeps } from "../deps.ts";
import type { SeenHost } from "../host-store.ts";

export const SETTLE_JOB = "settle-hosts";

/**
 * When some of these hosts are unsettled, enqueues the first round of their configuration, in the
 * transaction that writes them.
 */
export async function settleLater(
  deps: Pick<SyncDeps, "jobs">,
  em: EntityManager,
  configId: string,
  seen: readonly SeenHost[],
): Promise<void> {
  if (isAnyUnsettled(seen)) await sendRound(deps, em, { configId, round: 0 });
}

export function isAnyUnsettled(seen: readonly SeenHost[]): boolean {
  return seen.some(({ host }) => UNSETTLED_STATUSES.includes(host.status));
}

/** A host in the order in which rounds ask: the last changed ones first. */
export interface HostPosition {
  readonly changedAt: number;
  readonly id: string;
}

interface Round {
  readonly configId: string;
  /** From 0. */
  readonly round: number;
  /** The last host that the round before asked for; this one goes on after it. */
  readonly after?: HostPosition | undefined;
}

/**
 * Enqueues a round; after the last one nothing. A round asks for all unsettled hosts of its
 * configuration, so one waiting job of each number is enough, however many writes want it.
 */
export async function sendRound(
  { jobs }: Pick<SyncDeps, "jobs">,
  em: EntityManager,
  { configId, round, after }: Round,
): Promise<void> {
  const startAfter = SETTLING_WAITS[round];
  if (startAfter === undefined) return;

  const payload = {
    configId,
    round: String(round),
    ...(after === undefined ? {} : { changedAt: String(after.changedAt), hostId: after.id }),
  };
  await jobs.send(em, SETTLE_JOB, payload, { startAfter, singletonKey: `${configId}/${round}` });
}
