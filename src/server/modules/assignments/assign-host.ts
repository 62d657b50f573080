import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import type { AssignHostInput, Host } from "../../../shared/hosts.ts";
import { localDate } from "../../../shared/shanghai.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { findPeriodProblem, resolvePeriod, type StoredPeriod } from "../hosts/assigned-period.ts";
import { AssignmentEntity, HostEntity } from "../hosts/entity.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { getHost, hostNotFound } from "../hosts/queries.ts";
import { beginAssignment, changeAssignment } from "../hosts/write-assignments.ts";
import { UserEntity } from "../users/entity.ts";
import type { AssignmentsDeps } from "./deps.ts";

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
  deps: AssignmentsDeps,
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
    const context = { actor: deps.actor, at: now };
    let isChanged = true;
    if (current === null) {
      const assignment = { hostId, client, assignedBy: caller, ...given };
      await beginAssignment(em, assignment, context);
    } else {
      isChanged = await changeAssignment(em, current, given, context);
    }

    const answer = await getHost({ ...deps, em }, caller, { id: hostId });
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
