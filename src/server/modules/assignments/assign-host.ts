import type { AssignHostInput, Host } from "../../../shared/hosts.ts";
import { localDate } from "../../../shared/shanghai.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import {
  findPeriodProblem,
  periodOf,
  resolvePeriod,
  type StoredPeriod,
} from "../hosts/assigned-period.ts";
import { assignmentChanges } from "../hosts/assignment-changes.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { assertPresent, lockCurrentAssignments, lockPresenceOfHost } from "../hosts/locks.ts";
import { getHost } from "../hosts/queries.ts";
import { beginAssignment, changeAssignment } from "../hosts/write-assignments.ts";
import { lockActiveClient } from "../users/locks.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { notifyOfAssignment } from "./notices.ts";

const CHANGED_MEANWHILE =
  "该用户的有效期已被改动（如续费刚刚完成，或分配已被取消），未作改动；请关闭窗口，按现在的有效期重新修改";

export const HOST_GONE = "主机在云服务商处已不存在，不能分配";

interface AssignHost extends AssignHostInput {
  /** An assignment that ends later stays as it is, and the call is refused. */
  readonly refusesShorter?: boolean;
  /** The caller decided that the user does not have the host; it may have got it since. */
  readonly expectsNone?: boolean;
}

/**
 * Assigns a host to a client, or changes the client's current assignment of it. Locks user,
 * assignment and host, in this order.
 */
export async function assignHost(
  deps: AssignmentsDeps,
  caller: Caller,
  input: AssignHost,
): Promise<Host> {
  const { hostId, userId } = input;
  return await inTransaction(deps, async (em) => {
    const client = await lockActiveClient(em, userId);
    const [current = null] = await lockCurrentAssignments(em, { host: hostId, userId });
    // Of two acts that wait for each other the later one has the later time.
    const now = deps.clock.now();

    const period = resolvePeriod(input, current, now);
    const problem = findPeriodProblem(input, current, now);
    if (problem !== null) throw problem;

    const host = await lockPresenceOfHost(em, hostId);
    const subject = { type: "host", id: hostId, label: host.name } as const;
    noteSubject(deps, subject);
    assertPresent(host, HOST_GONE);
    assertAsExpected(input, current);
    assertNotShortened(input, current, period.end);

    const before = current === null ? null : periodOf(current);
    const after = { assignedAt: period.start, assignedExpireTime: period.end };
    const remark = input.remark || null;
    const given = { period: after, remark: input.remark };
    const context = { actor: deps.actor, at: now };
    const stored = current === null ? null : { ...current };
    let assignmentId: string;
    let isChanged = true;
    if (current === null) {
      const assignment = { hostId, client, assignedBy: caller, ...given };
      assignmentId = await beginAssignment(em, assignment, context);
    } else {
      assignmentId = current.id;
      isChanged = await changeAssignment(em, current, given, context);
    }

    const record = {
      action: "hosts.assign",
      subject,
      changes: assignmentChanges(client.name, stored, current ?? { ...after, remark }),
    } as const;
    await recordAudit({ ...deps, em }, record, now);

    const answer = await getHost({ ...deps, em }, caller, { id: hostId });
    if (!isChanged) return answer;

    const change = { assignmentId, hostId, userId, before, after };
    await notifyOfAssignment({ ...deps, em }, change, now);
    await publishAssignmentEvents(em, { hostId, userId, configId: answer.configId }, now);
    return answer;
  });
}

/** The caller decided by an end that it has seen; a renewal may have moved it since. */
function assertAsExpected(
  { expectedExpireTime, expectsNone = false }: AssignHost,
  current: StoredPeriod | null,
): void {
  if (expectsNone && current !== null) throw new AppError("STATE_CONFLICT", CHANGED_MEANWHILE);
  if (expectedExpireTime !== undefined && expectedExpireTime !== current?.assignedExpireTime) {
    throw new AppError("STATE_CONFLICT", CHANGED_MEANWHILE);
  }
}

function assertNotShortened(
  { refusesShorter = false }: AssignHost,
  current: StoredPeriod | null,
  end: number,
): void {
  if (refusesShorter && current !== null && current.assignedExpireTime > end) {
    throw endsLater(current, end);
  }
}

function endsLater({ assignedExpireTime }: StoredPeriod, end: number): AppError {
  const dates = `该用户现有的有效期到 ${localDate(assignedExpireTime)}，晚于这次的 ${localDate(end)}`;
  return new AppError("STATE_CONFLICT", `${dates}，未作改动；如确需缩短，请允许缩短后再次分配`);
}
