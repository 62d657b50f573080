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
  return await em.find(AssignmentEntity, { ...which, endedAt: null }, BY_USER_THEN_HOST);
}

interface Pair {
  readonly hostId: string;
  readonly userId: string;
}

/** Those of these pairs of a host and a user, in the same order. */
export async function lockAssignmentsOfPairs(
  em: SqlEntityManager,
  pairs: readonly Pair[],
): Promise<AssignmentRow[]> {
  const which = pairs.map(({ hostId, userId }) => ({ host: hostId, userId }));
  return await em.find(AssignmentEntity, { $or: which, endedAt: null }, BY_USER_THEN_HOST);
}

const BY_USER_THEN_HOST = {
  orderBy: { userId: "asc", host: "asc" },
  lockMode: LockMode.PESSIMISTIC_WRITE,
  refresh: true,
} as const;

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
 * A share lock keeps each host from being marked gone before the commit. By id; those that do not
 * exist are missing.
 */
export async function shareLockHosts(
  em: SqlEntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, HostRow>> {
  const hosts = await em.find(
    HostEntity,
    { id: [...new Set(ids)] },
    { orderBy: { ucloudId: "asc" }, lockMode: LockMode.PESSIMISTIC_READ, refresh: true },
  );
  return new Map(hosts.map((host) => [host.id, host]));
}

/** One of `shareLockHosts`. It may be gone already: `assertPresent`. */
export async function shareLockHost(em: SqlEntityManager, id: string): Promise<HostRow> {
  const hosts = await shareLockHosts(em, [id]);
  const host = hosts.get(id);
  if (host === undefined) throw hostNotFound();
  return host;
}

/** Of a host that is locked. Throws STATE_CONFLICT with this message when it is gone. */
export function assertPresent(host: HostRow, messageIfGone: string): void {
  if (typeof host.goneAt === "number") throw new AppError("STATE_CONFLICT", messageIfGone);
}
