import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import { ASSIGNMENT_DAYS, ASSIGNMENT_DAYS_MESSAGE, type AssignHostInput, type Host } from "../../shared/hosts.ts";
import { DAY_SECONDS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { inTransaction } from "../database/transaction.ts";
import { cancelPending } from "../renewals/cancel.ts";
import { UserEntity } from "../users/entity.ts";
import { AssignmentEntity, HostEntity } from "./entity.ts";
import { publishAssignmentEvents, publishHostEvents } from "./events.ts";
import { getHost, hostNotFound } from "./queries.ts";

type AssignDeps = Pick<Deps, "em" | "bus" | "clock">;

/** Accepted clock difference when the period starts now. */
const CLOCK_SLACK_SECONDS = 300;
const CHANGED_MEANWHILE =
  "该用户的有效期已被改动（如续费刚刚完成，或分配已被取消），未作改动；请关闭窗口，按现在的有效期重新修改";

/** Assigns a host to a client, or changes the client's current assignment of it. Locks user, assignment and host, in this order. */
export async function assignHost(deps: AssignDeps, caller: Caller, input: AssignHostInput): Promise<Host> {
  const { hostId, userId, assignedExpireTime, expectedExpireTime } = input;
  const now = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const client = await lockActiveClient(em, userId);
    const which = { host: hostId, userId, endedAt: null };
    const current = await em.findOne(AssignmentEntity, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
    assertPeriod(input, now, current?.assignedExpireTime);
    // The share lock keeps the host present until the commit.
    const share = { fields: ["goneAt"], lockMode: LockMode.PESSIMISTIC_READ, failHandler: hostNotFound } as const;
    const host = await em.findOneOrFail(HostEntity, { id: hostId }, share);
    if (expectedExpireTime !== undefined && expectedExpireTime !== current?.assignedExpireTime) {
      throw new AppError("STATE_CONFLICT", CHANGED_MEANWHILE);
    }
    if (host.goneAt !== null) throw new AppError("STATE_CONFLICT", "主机在云服务商处已不存在，不能分配");
    const changes = {
      userName: client.name,
      userUsername: client.username,
      assignedAt: input.assignedAt ?? now,
      assignedExpireTime,
      remark: (input.remark === undefined ? current?.remark : input.remark) || null,
      assignedBy: caller.id,
      assignedByName: caller.name,
    };
    if (current !== null) em.assign(current, changes);
    else em.create(AssignmentEntity, { ...which, ...changes, id: newId(), createdAt: now });
    await em.flush();
    const answer = await getHost({ em, clock: deps.clock }, caller, { id: hostId });
    await publishAssignmentEvents(em, { hostId, userId, configId: answer.configId }, now);
    return answer;
  });
}

/** Throws INVALID_INPUT unless 1…365 days, counted from `now` (Unix seconds) by default, or until the end that is stored already. */
export function assertPeriod(
  { assignedAt, assignedExpireTime }: Pick<AssignHostInput, "assignedAt" | "assignedExpireTime">,
  now: number,
  storedEnd?: number,
): void {
  const start = assignedAt ?? now;
  // Renewals may have moved the stored end beyond 365 days.
  if (assignedExpireTime === storedEnd && assignedExpireTime > start) return;
  const slack = assignedAt === undefined ? CLOCK_SLACK_SECONDS : 0;
  const isTooShort = assignedExpireTime < start + ASSIGNMENT_DAYS.min * DAY_SECONDS - slack;
  const isTooLong = assignedExpireTime > start + ASSIGNMENT_DAYS.max * DAY_SECONDS + slack;
  if (isTooShort || isTooLong) throw invalidField("assignedExpireTime", ASSIGNMENT_DAYS_MESSAGE);
}

/** Ends the client's assignment of this host, or those of all clients, and cancels their pending renewals. */
export async function unassignHost(
  deps: AssignDeps,
  caller: Caller,
  { hostId, userId }: { readonly hostId: string; readonly userId?: string | undefined },
): Promise<Host> {
  const at = deps.clock.now();
  const which = userId === undefined ? { host: hostId } : { host: hostId, userId };
  return await inTransaction(deps, async (em) => {
    const ended = await endAssignments(em, which, at);
    const host = await getHost({ em, clock: deps.clock }, caller, { id: hostId });
    if (ended.length === 0) {
      throw new AppError("NOT_FOUND", `该主机没有分配给${userId === undefined ? "任何用户" : "此用户"}，请刷新后重试`);
    }
    await cancelPending(em, which, at);
    for (const { userId } of ended) {
      await publishAssignmentEvents(em, { hostId, userId, configId: host.configId }, at);
    }
    return host;
  });
}

/** Ends all assignments of a user who is being deleted and cancels the pending renewals; their rows stay as history. */
export async function endAssignmentsOfUser(em: SqlEntityManager, userId: string, at: number): Promise<void> {
  const ended = await endAssignments(em, { userId }, at);
  await cancelPending(em, { userId }, at);
  const user = await em.findOne(UserEntity, { id: userId }, { fields: ["admin"] });
  const hostIds = ended.map(({ host }) => host);
  await publishHostEvents(em, { configId: null, hostIds, userId, formerAdminId: user?.admin?.id ?? null }, at);
}

async function endAssignments(
  em: SqlEntityManager,
  which: { readonly host?: string; readonly userId?: string },
  at: number,
): Promise<{ host: string; userId: string }[]> {
  return await kyselyOf(em)
    .updateTable("assignments")
    .set({ endedAt: at })
    .where((eb) => eb.and(which))
    .where("endedAt", "is", null)
    .returning(["host", "userId"])
    .execute();
}

/** Until the commit the client cannot be disabled or deleted, nor be assigned another host. */
function lockActiveClient(em: SqlEntityManager, id: string) {
  const failHandler = () => invalidField("userId", "请选择一个启用中的客户用户");
  const lock = { fields: ["name", "username"], lockMode: LockMode.PESSIMISTIC_WRITE, failHandler } as const;
  return em.findOneOrFail(UserEntity, { id, role: "client", isActive: true }, lock);
}
