import type { SqlEntityManager } from "@mikro-orm/postgresql";
import {
  ASSIGNMENT_DAYS_SENTENCE,
  type AssignHostInput,
  type Host,
  isAssignablePeriod,
  type UnassignHostInput,
} from "../../shared/hosts.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller, UserRemovalStep } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvents } from "../events/append.ts";
import type { StoredEvent } from "../events/event.ts";
import { getHost } from "./service.ts";
import { tellOfAssignment } from "./tell-of-assignment.ts";

type AssignDeps = Pick<Deps, "em" | "bus" | "clock">;

/** What may lie between the caller's clock and ours, in seconds, when the caller leaves the start of the period to us. */
const CLOCK_SLACK = 300;

/** Hands a host to a client, or changes the period of one that the client has. Ended assignments stay as they were. */
export async function assignHost(deps: AssignDeps, caller: Caller, input: AssignHostInput): Promise<Host> {
  const now = deps.clock.now();
  const assignedAt = input.assignedAt ?? now;
  assertPeriod(input, now);
  return await inTransaction(deps, async (em) => {
    const client = await lockActiveClient(em, input.userId);
    if (!(await isAsExpected(em, input))) {
      await getHost({ em, clock: deps.clock }, caller, { id: input.hostId });
      throw new AppError("STATE_CONFLICT", CHANGED_MEANWHILE);
    }
    // The share lock keeps the host from going in between: it would be told of to those only who had it before.
    const assigned = await em.execute<{ id: string }[]>(
      `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
         remark, assigned_by, assigned_by_name, created_at)
       select ?, h.id, ?, ?, ?, ?, ?, ?, ?, ?, ?
       from (select id from hosts where id = ? and gone_at is null for share) h
       on conflict (host_id, user_id) where ended_at is null do update set
         user_name = excluded.user_name, user_username = excluded.user_username,
         assigned_at = excluded.assigned_at, assigned_expire_time = excluded.assigned_expire_time,
         remark = case when ? then assignments.remark else excluded.remark end,
         assigned_by = excluded.assigned_by, assigned_by_name = excluded.assigned_by_name
       returning id`,
      [
        newId(),
        input.userId,
        client.name,
        client.username,
        assignedAt,
        input.assignedExpireTime,
        input.remark || null,
        caller.id,
        caller.name,
        now,
        input.hostId,
        input.remark === undefined,
      ],
    );
    const host = await getHost({ em, clock: deps.clock }, caller, { id: input.hostId });
    if (assigned.length === 0) throw new AppError("STATE_CONFLICT", "主机在云服务商处已不存在，不能分配");
    await tellOfAssignment(em, { ...input, configId: host.configId }, now);
    return host;
  });
}

/** @throws INVALID_INPUT; `now`, in Unix seconds, is the start unless another one is named. */
export function assertPeriod(
  { assignedAt, assignedExpireTime }: Pick<AssignHostInput, "assignedAt" | "assignedExpireTime">,
  now: number,
): void {
  const slack = assignedAt === undefined ? CLOCK_SLACK : 0;
  if (isAssignablePeriod(assignedAt ?? now, assignedExpireTime, slack)) return;
  throw invalidField("assignedExpireTime", ASSIGNMENT_DAYS_SENTENCE);
}

/** Ends the client's assignment of this host, and what hangs on it. */
export async function unassignHost(
  deps: AssignDeps & Pick<Deps, "onAssignmentEnded">,
  caller: Caller,
  { hostId, userId }: UnassignHostInput,
): Promise<Host> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const ended = await em.execute<{ id: string }[]>(
      "update assignments set ended_at = ? where host_id = ? and user_id = ? and ended_at is null returning id",
      [at, hostId, userId],
    );
    const host = await getHost({ em, clock: deps.clock }, caller, { id: hostId });
    if (ended.length === 0) throw new AppError("NOT_FOUND", "该主机没有分配给此用户，请刷新后重试");
    for (const step of deps.onAssignmentEnded) await step(em, { hostId, userId, at });
    await tellOfAssignment(em, { hostId, userId, configId: host.configId }, at);
    return host;
  });
}

/** A removed user has no hosts any more; what was assigned stays readable as history. */
export const endAssignmentsOfUser: UserRemovalStep = async (em, { userId, at }) => {
  const ended = await em.execute<{ host_id: string; admin_id: string | null }[]>(
    `update assignments a set ended_at = ? from users u
     where u.id = a.user_id and a.user_id = ? and a.ended_at is null returning a.host_id, u.admin_id`,
    [at, userId],
  );
  await tellOfEnd(em, {
    userId,
    hostIds: ended.map(({ host_id }) => host_id),
    formerAdminId: ended[0]?.admin_id ?? null,
    at,
  });
};

/** Locked until commit: a client who is being disabled or deleted at this moment gets no host. */
async function lockActiveClient(em: SqlEntityManager, userId: string): Promise<{ name: string; username: string }> {
  const [client] = await em.execute<{ name: string; username: string }[]>(
    "select name, username from users where id = ? and role = 'client' and is_active for share",
    [userId],
  );
  if (client === undefined) throw invalidField("userId", "请选择一个启用中的客户用户");
  return client;
}

const CHANGED_MEANWHILE =
  "该用户的有效期已被改动（如续费刚刚完成，或分配已被取消），未作改动；请关闭窗口，按现在的有效期重新修改";

/** Whoever changes a period from what it was a while ago must not undo a renewal that was completed meanwhile. Locked until commit. */
async function isAsExpected(
  em: SqlEntityManager,
  { hostId, userId, expectedExpireTime }: AssignHostInput,
): Promise<boolean> {
  if (expectedExpireTime === undefined) return true;
  const [present] = await em.execute<{ assigned_expire_time: number }[]>(
    `select assigned_expire_time from assignments where host_id = ? and user_id = ? and ended_at is null
     for no key update`,
    [hostId, userId],
  );
  return present?.assigned_expire_time === expectedExpireTime;
}

interface EndOfAll {
  readonly userId: string;
  readonly hostIds: readonly string[];
  readonly formerAdminId: string | null;
  /** Unix seconds. */
  readonly at: number;
}

/** Every host is named, be it thousands: whoever follows single assignments by their events must not be left with one that is gone. */
async function tellOfEnd(em: SqlEntityManager, { userId, hostIds, formerAdminId, at }: EndOfAll): Promise<void> {
  if (hostIds.length === 0) return;
  const changed = { configId: null, hostIds: [...hostIds], userId, formerAdminId };
  const ended = hostIds.map(
    (hostId): StoredEvent => ({ type: "assignment.changed", data: { hostId, userId, formerAdminId } }),
  );
  await appendEvents(em, [{ type: "hosts.changed", data: changed }, ...ended], at);
}
