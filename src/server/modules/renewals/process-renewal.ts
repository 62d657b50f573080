import {
  type ProcessRenewalInput,
  RENEWAL_TRANSITIONS,
  type Renewal,
} from "../../../shared/renewals.ts";
import { extendedExpiry, MAX_UNIX_SECONDS } from "../../../shared/time.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { recordHostActs } from "../history-records/record-acts.ts";
import type { StoredPeriod } from "../hosts/assigned-period.ts";
import type { AssignmentRow } from "../hosts/entity.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { assertPresent, lockAssignment, shareLockHost } from "../hosts/locks.ts";
import { changeAssignments } from "../hosts/write-assignments.ts";
import type { RenewalsDeps } from "./deps.ts";
import { RenewalEntity, type RenewalRow } from "./entity.ts";
import { publishRenewalProcessed } from "./events.ts";
import { lockRenewal } from "./locks.ts";
import { notifyOfDecision } from "./notices.ts";
import { alreadyDecided, assertAsExpected, findRenewal, getRenewal } from "./queries.ts";

const ASSIGNMENT_ENDED =
  "该主机的分配已结束，不能完成续费；若用户仍需使用，请按续费后的期限重新分配主机";
const HOST_GONE = "主机在云服务商处已不存在，不能完成续费；请拒绝该申请并说明原因";
const EXPIRY_TOO_LATE = "续费后的到期时间超出范围，不能完成续费；请先修改该主机的有效期";

/**
 * Decides a renewal. Of several at once exactly one wins, the others get STATE_CONFLICT.
 * `completed` extends the assignment, which is locked first: assignments are locked before renewals
 * everywhere.
 */
export async function processRenewal(
  deps: RenewalsDeps,
  caller: Caller,
  { id, status, adminRemark, expectedStatus }: ProcessRenewalInput,
): Promise<Renewal> {
  return await inTransaction(deps, async (em) => {
    const renewal = await findRenewal(em, id);
    const subject = { type: "host", id: renewal.host.id, label: renewal.host.name } as const;
    noteSubject(deps, subject);

    const assignment =
      status === "completed" ? await lockAssignment(em, renewal.assignment.id) : null;
    await lockRenewal(em, id);
    // Of two acts that wait for each other the later one has the later time.
    const now = deps.clock.now();
    await assertAsExpected({ ...deps, em }, caller, renewal, expectedStatus);

    const remark = adminRemark === undefined ? {} : { adminRemark: adminRemark || null };
    const before = storedFields(renewal, assignment);
    const updated = await em.nativeUpdate(
      RenewalEntity,
      { id, status: { $in: [...RENEWAL_TRANSITIONS[status].from] } },
      { status, ...remark, processedAt: now, processedBy: caller.id, processedByName: caller.name },
    );
    if (updated === 0) throw await alreadyDecided({ ...deps, em }, caller, { id });

    const act = {
      kind: `renewal_${status}`,
      assignmentId: renewal.assignment.id,
      renewalId: id,
      remark: remark.adminRemark,
    } as const;
    const context = { actor: deps.actor, at: now };
    await recordHostActs(em, [act], context);

    if (assignment !== null) {
      assertPresent(await shareLockHost(em, assignment.host.id), HOST_GONE);
      const period = extendedPeriod(assignment, renewal.requestedDuration, now);
      const change = { current: assignment, period, renewalId: id };
      await changeAssignments(em, [change], context);
    }

    const decided = await getRenewal({ ...deps, em }, caller, { id });
    const answer = { ...decided, undoneStatus: before.status };
    const { host, user } = answer;
    const { userId } = renewal;
    const after = storedFields(answer, assignment);
    const record = {
      action: "renewals.process",
      subject,
      changes: [{ field: "user", from: user.name, to: user.name }, ...fieldChanges(before, after)],
    } as const;
    await recordAudit({ ...deps, em }, record, now);

    const decision = { id, status, assignmentId: renewal.assignment.id, hostId: host.id, userId };
    await notifyOfDecision({ ...deps, em }, decision, now);

    if (assignment !== null) {
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
  assignment: AssignmentRow | null,
) {
  return { status, adminRemark, assignedExpireTime: assignment?.assignedExpireTime };
}

function extendedPeriod(assignment: AssignmentRow, days: number, now: number): StoredPeriod {
  const { assignedAt, endedAt } = assignment;
  if (typeof endedAt === "number") throw new AppError("STATE_CONFLICT", ASSIGNMENT_ENDED);

  const assignedExpireTime = extendedExpiry(assignment.assignedExpireTime, days, now);
  if (assignedExpireTime > MAX_UNIX_SECONDS) throw new AppError("STATE_CONFLICT", EXPIRY_TOO_LATE);

  return { assignedAt, assignedExpireTime };
}
