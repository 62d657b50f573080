import type { Renewal, UndoRenewalInput } from "../../../shared/renewals.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { recordHostActs } from "../history-records/record-acts.ts";
import type { AssignmentRow } from "../hosts/entity.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { lockAssignment } from "../hosts/locks.ts";
import { changeAssignments } from "../hosts/write-assignments.ts";
import type { RenewalsDeps } from "./deps.ts";
import { getRenewalDetails } from "./details.ts";
import type { RenewalRow } from "./entity.ts";
import { publishRenewalProcessed } from "./events.ts";
import { findUndo } from "./find-undo.ts";
import { lockRenewal } from "./locks.ts";
import { notifyOfUndone } from "./notices.ts";
import { assertAsExpected, findRenewal } from "./queries.ts";

/**
 * Takes back the last decision of a request: it becomes what it was before, and an end that was
 * extended moves back. Of several calls at once exactly one does that, and what others do meanwhile
 * counts. The assignment is locked first, as everywhere: while it is locked nobody moves its end,
 * takes the host back, or asks for more time (`createRenewal` shares the lock). Then the request,
 * which nobody else decides until the commit.
 */
export async function undoRenewal(
  deps: RenewalsDeps,
  caller: Caller,
  { id, expectedStatus }: UndoRenewalInput,
): Promise<Renewal> {
  return await inTransaction(deps, async (em) => {
    const found = await findRenewal(em, id);
    const subject = { type: "host", id: found.host.id, label: found.host.name } as const;
    noteSubject(deps, subject);

    const assignment = await lockAssignment(em, found.assignment.id);
    const renewal = await lockRenewal(em, id);
    // Of two acts that wait for each other the later one has the later time.
    const now = deps.clock.now();

    await assertAsExpected({ ...deps, em }, caller, renewal, expectedStatus);
    const undo = await findUndo(em, renewal, assignment, now);
    if (undo.kind === "refused") throw new AppError("STATE_CONFLICT", undo.reason);

    const { decision, former, period } = undo;
    const before = storedFields(renewal, assignment);
    em.assign(renewal, former);
    await em.flush();

    const act = {
      kind: "renewal_undone",
      assignmentId: assignment.id,
      renewalId: id,
      changes: [{ field: "renewalStatus", from: decision, to: former.status }],
    } as const;
    const context = { actor: deps.actor, at: now };
    await recordHostActs(em, [act], context);
    if (period !== null) {
      const change = { current: assignment, period, renewalId: id };
      await changeAssignments(em, [change], context);
    }

    const answer = await getRenewalDetails({ ...deps, em }, caller, { id });
    const { host, user } = answer;
    const { userId } = renewal;
    const after = storedFields(renewal, assignment);
    const record = {
      action: "renewals.undo",
      subject,
      changes: [{ field: "user", from: user.name, to: user.name }, ...fieldChanges(before, after)],
    } as const;
    await recordAudit({ ...deps, em }, record, now);

    const { status } = former;
    const undone = { id, decision, status, userId, assignmentId: assignment.id, hostId: host.id };
    await notifyOfUndone({ ...deps, em }, undone, now);

    if (period !== null) {
      const changed = { hostId: host.id, userId, configId: null };
      await publishAssignmentEvents(em, [changed], now);
    }
    await publishRenewalProcessed(em, { renewalId: id, status }, now);
    return answer;
  });
}

/** For the audit log. */
function storedFields(
  { status, adminRemark }: Pick<RenewalRow, "status" | "adminRemark">,
  { assignedExpireTime }: AssignmentRow,
) {
  return { status, adminRemark, assignedExpireTime };
}
