import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { AppError } from "../../platform/errors.ts";
import { isVisibleAssignment, type Viewer } from "./access.ts";
import { AssignmentEntity, type AssignmentRow, HostEntity, type HostRow } from "./entity.ts";
import { hostNotFound } from "./queries.ts";

// Users are locked before assignments, these before renewals, and hosts after all of them: see
// docs/architecture.md. Of several rows of one kind all are locked by one statement, in one order.

interface AssignmentsOf {
  readonly host?: string;
  readonly userId?: string | string[];
}

/** The current assignments of a host, of users, or of both: by user, then by host. */
export async function lockCurrentAssignments(
  em: SqlEntityManager,
  which: AssignmentsOf,
): Promise<AssignmentRow[]> {
  return await em.find(
    AssignmentEntity,
    { ...which, endedAt: null },
    {
      orderBy: { userId: "asc", host: "asc" },
      lockMode: LockMode.PESSIMISTIC_WRITE,
      refresh: true,
    },
  );
}

/** Also one that has ended. */
export async function lockAssignment(em: SqlEntityManager, id: string): Promise<AssignmentRow> {
  return await em.findOneOrFail(
    AssignmentEntity,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}

/** A share lock keeps the assignment from ending before the commit. Null when none is visible. */
export async function lockVisibleAssignment(em: SqlEntityManager, viewer: Viewer, hostId: string) {
  const assignment = await kyselyOf(em)
    .selectFrom("assignments as a")
    .select(["a.id", "a.assignedExpireTime"])
    .where("a.host", "=", hostId)
    .where((eb) => isVisibleAssignment(eb, viewer))
    .forShare()
    .executeTakeFirst();
  return assignment ?? null;
}

/** Also one that is gone. Until the commit nobody else changes it. */
export async function lockHost(em: SqlEntityManager, id: string): Promise<HostRow> {
  return await em.findOneOrFail(
    HostEntity,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, failHandler: hostNotFound },
  );
}

/**
 * A share lock keeps the host from being marked gone before the commit. It may be gone already:
 * `assertPresent`.
 */
export async function lockPresenceOfHost(em: SqlEntityManager, id: string): Promise<HostRow> {
  return await em.findOneOrFail(
    HostEntity,
    { id },
    { lockMode: LockMode.PESSIMISTIC_READ, refresh: true, failHandler: hostNotFound },
  );
}

/** Throws STATE_CONFLICT with this message when the host is gone. */
export function assertPresent({ goneAt }: HostRow, messageIfGone: string): void {
  if (typeof goneAt === "number") throw new AppError("STATE_CONFLICT", messageIfGone);
}
