import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type ActContext, type HostAct, recordHostActs } from "../history-records/record-acts.ts";
import type { UserRow } from "../users/entity.ts";
import { periodChanges, type StoredPeriod } from "./assigned-period.ts";
import { AssignmentEntity, type AssignmentRow } from "./entity.ts";

/*
 * Every way to write an assignment, each with its act. The callers lock the rows first and publish
 * the events last.
 */

interface NewAssignment {
  readonly id: string;
  readonly hostId: string;
  readonly client: Pick<UserRow, "id" | "name" | "username">;
  readonly assignedBy: Pick<Caller, "id" | "name">;
  readonly period: StoredPeriod;
  readonly remark?: string | null | undefined;
}

export async function beginAssignments(
  em: SqlEntityManager,
  assignments: readonly NewAssignment[],
  context: ActContext,
): Promise<void> {
  if (assignments.length === 0) return;

  const rows = assignments.map(({ id, hostId, client, assignedBy, period, remark }) => ({
    ...period,
    id,
    host: hostId,
    userId: client.id,
    userName: client.name,
    userUsername: client.username,
    remark: remark || null,
    assignedBy: assignedBy.id,
    assignedByName: assignedBy.name,
    createdAt: context.at,
  }));
  await em.insertMany(AssignmentEntity, rows);

  const acts = rows.map(({ id, assignedExpireTime: to, remark }): HostAct => {
    const changes = [{ field: "assignedExpireTime", from: null, to }] as const;
    return { kind: "assigned", assignmentId: id, changes, remark };
  });
  await recordHostActs(em, acts, context);
}

interface AssignmentChange {
  /** Locked. */
  readonly current: AssignmentRow;
  readonly period: StoredPeriod;
  /** Absent: the stored one stays. */
  readonly remark?: string | null | undefined;
  /** The completed renewal that moves the end. */
  readonly renewalId?: string;
}

/**
 * Who assigned the host, and when, stays. What changes nothing is no act. Returns the ids of those
 * that changed.
 */
export async function changeAssignments(
  em: SqlEntityManager,
  assignments: readonly AssignmentChange[],
  context: ActContext,
): Promise<ReadonlySet<string>> {
  const acts: HostAct[] = [];
  for (const { current, period, renewalId, ...given } of assignments) {
    const remark = given.remark || null;
    const changes = periodChanges(current, period);
    const isRemarkChanged = given.remark !== undefined && remark !== (current.remark ?? null);
    if (changes.length === 0 && !isRemarkChanged) continue;

    em.assign(current, isRemarkChanged ? { ...period, remark } : period);
    const kind = "assignment_changed";
    acts.push({ kind, assignmentId: current.id, renewalId, changes, remark });
  }

  if (acts.length > 0) await em.flush();
  await recordHostActs(em, acts, context);
  return new Set(acts.map(({ assignmentId }) => assignmentId));
}

interface AssignmentsOf {
  readonly host?: string;
  readonly userId?: string;
}

export interface EndedAssignment {
  readonly id: string;
  readonly host: string;
  readonly userId: string;
  /** As it was assigned. */
  readonly userName: string;
  readonly assignedAt: number;
  readonly assignedExpireTime: number;
}

/** Ends the current assignments of a host, of a user, or of both. Returns those that it ended. */
export async function endAssignments(
  em: SqlEntityManager,
  which: AssignmentsOf,
  context: ActContext,
): Promise<EndedAssignment[]> {
  const ended = await kyselyOf(em)
    .updateTable("assignments")
    .set({ endedAt: context.at })
    .where((eb) => eb.and(which))
    .where("endedAt", "is", null)
    .returning(["id", "host", "userId", "userName", "assignedAt", "assignedExpireTime"])
    .execute();

  const acts = ended.map(({ id }) => ({ kind: "unassigned", assignmentId: id }) as const);
  await recordHostActs(em, acts, context);
  return ended;
}
