import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Host } from "../../../shared/hosts.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { countChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import type { ActContext } from "../history-records/record-acts.ts";
import { clientNameOf } from "../hosts/assignment-changes.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { lockCurrentAssignments } from "../hosts/locks.ts";
import { getHost } from "../hosts/queries.ts";
import { endAssignments } from "../hosts/write-assignments.ts";
import { cancelOpenRenewals } from "../renewals/cancel-renewals.ts";
import { publishCancelledRenewals } from "../renewals/events.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { notifyOfEnded } from "./notices.ts";

interface UnassignHost {
  readonly hostId: string;
  /** Absent: of all clients. */
  readonly userId?: string | undefined;
}

/**
 * Ends the client's assignment of this host, or those of all clients, and cancels their open
 * renewals.
 */
export async function unassignHost(
  deps: AssignmentsDeps,
  caller: Caller,
  { hostId, userId }: UnassignHost,
): Promise<Host> {
  const which = userId === undefined ? { host: hostId } : { host: hostId, userId };
  return await inTransaction(deps, async (em) => {
    await lockCurrentAssignments(em, which);
    const at = deps.clock.now();
    const context = { actor: deps.actor, at };
    const ended = await endAssignments(em, which, context);
    const host = await getHost({ ...deps, em }, caller, { id: hostId });
    const subject = { type: "host", id: hostId, label: host.name } as const;
    noteSubject(deps, subject);
    if (ended.length === 0) throw notAssigned(userId);

    const cancelledIds = await cancelOpenRenewals(em, which, context);
    const names: string[] = [];
    for (const each of ended) names.push(await clientNameOf(em, each));
    const user = { field: "user", from: names.join("、"), to: null } as const;
    const record = {
      action: "hosts.unassign",
      subject,
      changes: [user, ...countChanges({ cancelledRenewals: cancelledIds.length })],
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    await notifyOfEnded({ ...deps, em }, ended, at);

    await publishCancelledRenewals(em, cancelledIds, at);
    const { configId } = host;
    const taken = ended.map(({ userId }) => ({ hostId, userId, configId }));
    await publishAssignmentEvents(em, taken, at);
    return host;
  });
}

function notAssigned(userId: string | undefined): AppError {
  const whom = userId === undefined ? "任何用户" : "此用户";
  return new AppError("NOT_FOUND", `该主机没有分配给${whom}，请刷新后重试`);
}

interface EndedAssignments {
  readonly hostIds: string[];
  /** Of the renewals. */
  readonly cancelledIds: readonly string[];
}

/**
 * Ends all assignments of a user who is being deleted and cancels the open renewals; their rows
 * stay as history. The caller publishes what it returns.
 */
export async function endAssignmentsOfUser(
  em: SqlEntityManager,
  userId: string,
  context: ActContext,
): Promise<EndedAssignments> {
  await lockCurrentAssignments(em, { userId });
  const ended = await endAssignments(em, { userId }, context);
  const cancelledIds = await cancelOpenRenewals(em, { userId }, context);
  return { hostIds: ended.map(({ host }) => host), cancelledIds };
}
