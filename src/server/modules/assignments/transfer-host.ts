import { v7 as newId } from "uuid";
import type { BatchHostsInput } from "../../../shared/batch.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { countChanges, fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { findPeriodProblem, periodOf, resolvePeriod } from "../hosts/assigned-period.ts";
import { clientNameOf } from "../hosts/assignment-changes.ts";
import type { AssignmentRow } from "../hosts/entity.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { assertPresent, lockCurrentAssignments, shareLockHost } from "../hosts/locks.ts";
import { getHost } from "../hosts/queries.ts";
import { beginAssignments, changeAssignments, endAssignments } from "../hosts/write-assignments.ts";
import { cancelOpenRenewals } from "../renewals/cancel-renewals.ts";
import { publishCancelledRenewals } from "../renewals/events.ts";
import { lockOpenRenewals } from "../renewals/locks.ts";
import { lockActiveClient } from "../users/locks.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { notifyOfAssignments, notifyOfEnded } from "./notices.ts";

type BatchTransferInput = Extract<BatchHostsInput, { operation: "transfer" }>;

interface TransferHost extends Omit<BatchTransferInput, "operation" | "hostIds"> {
  readonly hostId: string;
}

const SAME_USER = "接收的用户不能与原用户相同";
const NOT_HELD = "该主机没有分配给原用户，请刷新后重试";
const HOST_GONE = "主机在云服务商处已不存在，不能转移";
const HAS_EXPIRED = "原用户的分配已到期，请填写新的到期时间或分配天数";

/**
 * Ends the assignment of one client and begins that of another, with the same end or with the given
 * one. A client who has the host already keeps a later end: a transfer shortens no paid period.
 *
 * Locks users by id, assignments by user, renewals and the host, in this order, which all who
 * change them keep. Nothing is written before the last lock.
 */
export async function transferHost(
  deps: AssignmentsDeps,
  caller: Caller,
  input: TransferHost,
): Promise<void> {
  const { hostId, fromUserId, userId } = input;
  await inTransaction(deps, async (em) => {
    if (userId === fromUserId) throw invalidField("userId", SAME_USER);
    const client = await lockActiveClient(em, userId, [fromUserId]);
    const userIds = [fromUserId, userId];
    const assignments = await lockCurrentAssignments(em, { host: hostId, userId: userIds });
    // Of two acts that wait for each other the later one has the later time.
    const now = deps.clock.now();
    const former = assignments.find((each) => each.userId === fromUserId);
    if (former === undefined) {
      await getHost({ ...deps, em }, caller, { id: hostId });
      throw new AppError("NOT_FOUND", NOT_HELD);
    }

    await lockOpenRenewals(em, { host: hostId, userId: fromUserId });
    const host = await shareLockHost(em, hostId);
    assertPresent(host, HOST_GONE);

    const present = assignments.find((each) => each.userId === userId);
    const end = Math.max(resolveEnd(input, former, now), present?.assignedExpireTime ?? 0);
    if (end <= now) throw new AppError("STATE_CONFLICT", HAS_EXPIRED);

    const formerEnd = former.assignedExpireTime;
    const which = { host: hostId, userId: fromUserId };
    const context = { actor: deps.actor, at: now };
    const ended = await endAssignments(em, which, context);
    const cancelledIds = await cancelOpenRenewals(em, which, context);

    const before = present === undefined ? null : periodOf(present);
    const period = {
      assignedAt: Math.min(present?.assignedAt ?? now, now),
      assignedExpireTime: end,
    };
    const assignmentId = present?.id ?? newId();
    if (present === undefined) {
      const assignment = { id: assignmentId, hostId, client, assignedBy: caller, period };
      await beginAssignments(em, [assignment], context);
    } else {
      await changeAssignments(em, [{ current: present, period }], context);
    }

    const from = { user: await clientNameOf(em, former), assignedExpireTime: formerEnd };
    const to = { user: client.name, assignedExpireTime: end };
    const cancelled = countChanges({ cancelledRenewals: cancelledIds.length });
    const record = {
      action: "hosts.transfer",
      subject: { type: "host", id: hostId, label: host.name },
      changes: [...fieldChanges(from, to), ...cancelled],
    } as const;
    await recordAudit({ ...deps, em }, record, now);
    await notifyOfEnded({ ...deps, em }, ended, now);
    const change = { assignmentId, hostId, userId, before, after: period };
    await notifyOfAssignments({ ...deps, em }, [change], now);

    await publishCancelledRenewals(em, cancelledIds, now);
    const configId = host.config?.id ?? null;
    const changed = userIds.map((each) => ({ hostId, userId: each, configId }));
    await publishAssignmentEvents(em, changed, now);
  });
}

/**
 * The stored end is valid as it is: renewals may have moved it further than an assignment reaches.
 */
function resolveEnd(input: TransferHost, former: AssignmentRow, now: number): number {
  const { assignedExpireTime = former.assignedExpireTime, days } = input;
  if (days === undefined && assignedExpireTime === former.assignedExpireTime) {
    return assignedExpireTime;
  }

  const period = { assignedExpireTime: input.assignedExpireTime, days };
  const problem = findPeriodProblem(period, null, now);
  if (problem !== null) throw problem;

  return resolvePeriod(period, null, now).end;
}
