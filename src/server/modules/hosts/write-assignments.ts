import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type ActContext, recordHostActs } from "../history-records/record-acts.ts";
import type { UserRow } from "../users/entity.ts";
import { periodChanges, type StoredPeriod } from "./assigned-period.ts";
import { AssignmentEntity, type AssignmentRow } from "./entity.ts";

/*
 * Every way to write an assignment, each with its act. The callers lock the rows first and publish
 * the events last.
 */

interface NewAssignment {
  readonly hostId: string;
  readonly client: Pick<UserRow, "id" | "name" | "username">;
  readonly assignedBy: Pick<Caller, "id" | "name">;
  readonly period: StoredPeriod;
  readonly remark?: string | null | undefined;
}

/** Returns its id. */
export async function beginAssignment(
  em: SqlEntityManager,
  { hostId, client, assignedBy, period, ...given }: NewAssignment,
  context: ActContext,
): Promise<string> {
  const remark = given.remark || null;
  const id = newId();
  await em.insert(AssignmentEntity, {
    ...period,
    id,
    host: hostId,
    userId: client.id,
    userName: client.name,
    userUsername: client.username,
    remark,
    assignedBy: assignedBy.id,
    assignedByName: assignedBy.name,
    createdAt: context.at,
  });

  const { assignedExpireTime: to } = period;
  const changes = [{ field: "assignedExpireTime", from: null, to }] as const;
  await recordHostActs(em, [{ kind: "assigned", assignmentId: id, changes, remark }], context);
  return id;
}

interface AssignmentChange {
  readonly period: StoredPeriod;
  /** Absent: the stored one stays. */
  readonly remark?: string | null | undefined;
  /** The completed renewal that moves the end. */
  readonly renewalId?: string;
}

/**
 * Who assigned the host, and when, stays. What changes nothing is no act. Returns whether it was
 * one.
 */
export async function changeAssignment(
  em: SqlEntityManager,
  current: AssignmentRow,
  { period, renewalId, ...given }: AssignmentChange,
  context: ActContext,
): Promise<boolean> {
  const remark = given.remark || null;
  const changes = periodChanges(current, period);
  const isRemarkChanged = given.remark !== undefined && remark !== (current.remark ?? null);
  if (changes.length === 0 && !isRemarkChanged) return false;

  em.assign(current, isRemarkChanged ? { ...period, remark } : period);
  await em.flush();

  const kind = "assignment_changed";
  const act = { kind, assignmentId: current.id, renewalId, changes, remark } as const;
  await recordHostActs(em, [act], context);
  return true;
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
