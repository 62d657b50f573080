import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { HostActKind, HostFieldChange } from "../../../shared/host-history.ts";
import type { RenewalStatus } from "../../../shared/renewal-status.ts";
import type { RenewalDecision } from "../../../shared/renewals.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { RenewalRow } from "./entity.ts";

/** What a decision writes. */
export type StoredState = Pick<RenewalRow, "status"> & {
  readonly adminRemark: string | null;
  readonly processedAt: number | null;
  readonly processedBy: string | null;
  readonly processedByName: string | null;
};

/** What the last decision of a request has changed. */
export interface LastDecision {
  readonly status: RenewalDecision;
  /** What the request was before it. */
  readonly former: StoredState;
  /** How it moved the end of the assignment; null where it moved none. */
  readonly movedEnd: MovedEnd | null;
}

/** In Unix seconds. */
export interface MovedEnd {
  readonly from: number;
  readonly to: number;
}

const DECISIONS: Readonly<Partial<Record<HostActKind, RenewalDecision>>> = {
  renewal_approved: "approved",
  renewal_rejected: "rejected",
  renewal_completed: "completed",
};

const UNDECIDED: StoredState = {
  status: "pending",
  adminRemark: null,
  processedAt: null,
  processedBy: null,
  processedByName: null,
};

/**
 * Reads the last decision from the history, whose rows never change: the request itself keeps only
 * what it is now. Decisions are a stack, from which each undone one is taken off. Null when the
 * history does not tell of the decision that the request bears, or was written afterwards: earlier
 * versions recorded neither who acted nor what an end was before.
 */
export async function findLastDecision(
  em: SqlEntityManager,
  renewal: RenewalRow,
): Promise<LastDecision | null> {
  const acts = await readActs(em, renewal);
  const { standing } = replay(acts);
  const last = standing.at(-1);
  if (last === undefined || last.status !== renewal.status) return null;
  if (last.act.at !== renewal.processedAt || last.act.actorType === null) return null;

  const { status } = last;
  const former = stateAfter(standing.at(-2));
  if (status !== "completed") return { status, former, movedEnd: null };

  const movedEnd = findMovedEnd(acts, last.act);
  return movedEnd === null ? null : { status, former, movedEnd };
}

/** An act that took back a decision. */
export interface UndoneAct {
  readonly decision: RenewalDecision;
  /** What the request became again. */
  readonly restoredStatus: RenewalStatus;
  /** Unix seconds. */
  readonly at: number;
  readonly actorId: string | null;
  readonly actorName: string | null;
}

/** All decisions that were taken back, the oldest first. */
export async function findUndoneDecisions(
  em: SqlEntityManager,
  renewal: RenewalReference,
): Promise<UndoneAct[]> {
  return replay(await readActs(em, renewal)).undone;
}

/** A request and its host. */
interface RenewalReference {
  readonly id: string;
  readonly host: { readonly id: string };
}

type Act = Awaited<ReturnType<typeof readActs>>[number];

/** In the order in which they happened. */
async function readActs(em: SqlEntityManager, { id, host }: RenewalReference) {
  return await kyselyOf(em)
    .selectFrom("host_acts")
    .select(["seq", "kind", "at", "actorType", "actorId", "actorName", "changes", "remark"])
    .where("hostId", "=", host.id)
    .where("renewalId", "=", id)
    .orderBy("seq")
    .execute();
}

interface Decision {
  readonly status: RenewalDecision;
  readonly act: Act;
}

/** Which decisions stand after these acts, and which were taken off. */
function replay(acts: readonly Act[]) {
  const standing: Decision[] = [];
  const undone: UndoneAct[] = [];
  for (const act of acts) {
    const status = DECISIONS[act.kind];
    if (status !== undefined) standing.push({ status, act });
    if (act.kind !== "renewal_undone") continue;

    const decision = standing.pop();
    if (decision === undefined) continue;

    const { at, actorId, actorName } = act;
    const restoredStatus = stateAfter(standing.at(-1)).status;
    undone.push({ decision: decision.status, restoredStatus, at, actorId, actorName });
  }
  return { standing, undone };
}

function stateAfter(decision: Decision | undefined): StoredState {
  if (decision === undefined) return UNDECIDED;

  const { status, act } = decision;
  return {
    status,
    adminRemark: act.remark,
    processedAt: act.at,
    processedBy: act.actorId,
    processedByName: act.actorName,
  };
}

/** The completion stands in the history before the change of the assignment that it made. */
function findMovedEnd(acts: readonly Act[], completed: Act): MovedEnd | null {
  const moved = acts.find(({ kind, seq }) => kind === "assignment_changed" && seq > completed.seq);
  const end = moved?.changes.find(isOfEnd);
  if (typeof end?.from !== "number" || typeof end.to !== "number") return null;

  return { from: end.from, to: end.to };
}

function isOfEnd({ field }: HostFieldChange): boolean {
  return field === "assignedExpireTime";
}
