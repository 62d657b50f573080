import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import type { AssignHostInput, Host } from "../../../shared/hosts.ts";
import { localDate } from "../../../shared/shanghai.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { cancelOpenRenewals } from "../renewals/cancel.ts";
import { publishCancelledRenewals } from "../renewals/events.ts";
import { UserEntity } from "../users/entity.ts";
import { findPeriodProblem, resolvePeriod, type StoredPeriod } from "./assigned-period.ts";
import { AssignmentEntity, HostEntity } from "./entity.ts";
import { publishAssignmentEvents } from "./events.ts";
import { getHost, hostNotFound } from "./queries.ts";
import {
  beginAssignment,
  changeAssignment,
  endAssignments,
  lockCurrentAssignments,
} from "./write-assignments.ts";

type AssignDeps = Pick<Deps, "actor" | "em" | "bus" | "clock">;

const CHANGED_MEANWHILE =
  "该用户的有效期已被改动（如续费刚刚完成，或分配已被取消），未作改动；请关闭窗口，按现在的有效期重新修改";

const HOST_GONE = "主机在云服务商处已不存在，不能分配";

interface AssignHost extends AssignHostInput {
  /** An assignment that ends later stays as it is, and the call is refused. */
  readonly refusesShorter?: boolean;
}

/**
 * Assigns a host to a client, or changes the client's current assignment of it. Locks user,
 * assignment and host, in this order.
 */
export async function assignHost(
  deps: AssignDeps,
  caller: Caller,
  input: AssignHost,
): Promise<Host> {
  const { hostId, userId } = input;
  return await inTransaction(deps, async (em) => {
    const client = await lockActiveClient(em, userId);
    const which = { host: hostId, userId, endedAt: null };
    const current = await em.findOne(AssignmentEntity, which, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    // Of two acts that wait for each other the later one has the later time.
    const now = deps.clock.now();

    const period = resolvePeriod(input, current, now);
    const problem = findPeriodProblem(input, current, now);
    if (problem !== null) throw problem;

    const host = await lockHost(em, hostId);
    assertAsExpected(input, current);
    if (host.goneAt !== null) throw new AppError("STATE_CONFLICT", HOST_GONE);
    assertNotShortened(input, current, period.end);

    const given = {
      period: { assignedAt: period.start, assignedExpireTime: period.end },
      remark: input.remark,
    };
    let isChanged = true;
    if (current === null) {
      const assignment = { hostId, client, assignedBy: caller, ...given };
      await beginAssignment(deps, em, assignment, now);
    } else {
      isChanged = await changeAssignment(deps, em, current, given, now);
    }

    const answer = await getHost({ em, clock: deps.clock }, caller, { id: hostId });
    if (!isChanged) return answer;

    await publishAssignmentEvents(em, { hostId, userId, configId: answer.configId }, now);
    return answer;
  });
}

/** The share lock keeps the host present until the commit. */
function lockHost(em: SqlEntityManager, id: string) {
  const share = {
    fields: ["goneAt"],
    lockMode: LockMode.PESSIMISTIC_READ,
    failHandler: hostNotFound,
  } as const;
  return em.findOneOrFail(HostEntity, { id }, share);
}

/** The caller decided by an end that it has seen; a renewal may have moved it since. */
function assertAsExpected({ expectedExpireTime }: AssignHost, current: StoredPeriod | null): void {
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
  deps: AssignDeps,
  caller: Caller,
  { hostId, userId }: UnassignHost,
): Promise<Host> {
  const which = userId === undefined ? { host: hostId } : { host: hostId, userId };
  return await inTransaction(deps, async (em) => {
    await lockCurrentAssignments(em, which);
    const at = deps.clock.now();
    const ended = await endAssignments(deps, em, which, at);
    const host = await getHost({ em, clock: deps.clock }, caller, { id: hostId });
    if (ended.length === 0) throw notAssigned(userId);

    const cancelledIds = await cancelOpenRenewals(deps, em, which, at);
    await publishCancelledRenewals(em, cancelledIds, at);
    for (const { userId } of ended) {
      await publishAssignmentEvents(em, { hostId, userId, configId: host.configId }, at);
    }
    return host;
  });
}

function notAssigned(userId: string | undefined): AppError {
  const whom = userId === undefined ? "任何用户" : "此用户";
  return new AppError("NOT_FOUND", `该主机没有分配给${whom}，请刷新后重试`);
}

interface EndedAssignments {
  readonly hostIds: string[];
  /** Of the requests. */
  readonly cancelledIds: readonly string[];
}

/**
 * Ends all assignments of a user who is being deleted and cancels the open renewals; their rows
 * stay as history. The caller publishes what it returns.
 */
export async function endAssignmentsOfUser(
  deps: Pick<Deps, "actor">,
  em: SqlEntityManager,
  userId: string,
  at: number,
): Promise<EndedAssignments> {
  await lockCurrentAssignments(em, { userId });
  const ended = await endAssignments(deps, em, { userId }, at);
  const cancelledIds = await cancelOpenRenewals(deps, em, { userId }, at);
  return { hostIds: ended.map(({ host }) => host), cancelledIds };
}

/** Until the commit the client cannot be disabled or deleted, nor be assigned another host. */
function lockActiveClient(em: SqlEntityManager, id: string) {
  const lock = {
    fields: ["id", "name", "username"],
    lockMode: LockMode.PESSIMISTIC_WRITE,
    failHandler: noActiveClient,
  } as const;
  return em.findOneOrFail(UserEntity, { id, role: "client", isActive: true }, lock);
}

export function noActiveClient(): AppError {
  return invalidField("userId", "请选择一个启用中的客户用户");
}
