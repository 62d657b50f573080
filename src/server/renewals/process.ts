import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Nothing } from "../../shared/ids.ts";
import { DECIDABLE_FROM, outcomeText, type ProcessRenewalInput, type Renewal } from "../../shared/renewals.ts";
import { DAY_SECONDS, MAX_UNIX_SECONDS } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { AssignmentEndStep, Caller, UserRemovalStep } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent, appendEvents } from "../events/append.ts";
import type { StoredEvent } from "../events/event.ts";
import { tellOfAssignment } from "../hosts/tell-of-assignment.ts";
import { getRenewal } from "./queries.ts";

type RenewalDeps = Pick<Deps, "em" | "bus" | "clock">;

/*
 * Locks are taken in one order everywhere: user, assignments, renewals, event log. Whoever will change an assignment locks it
 * before the request, and all rows before the first event.
 */

/** Decides a request. Of several at once exactly one wins, the others get STATE_CONFLICT. `completed` moves the client's expiry. */
export async function processRenewal(
  deps: RenewalDeps,
  caller: Caller,
  { id, status, adminRemark }: ProcessRenewalInput,
): Promise<Renewal> {
  const now = deps.clock.now();
  return inTransaction(deps, async (em) => {
    if (status === "completed") await lockAssignment(em, id);
    const [decided] = await em.execute<{ assignment_id: string; requested_duration: number }[]>(
      `update renewals set status = ?, processed_at = ?, processed_by = ?, processed_by_name = ?,
         admin_remark = case when ? then admin_remark else ? end
       where id = ? and status = any(?::text[])
       returning assignment_id, requested_duration`,
      [
        status,
        now,
        caller.id,
        caller.name,
        adminRemark === undefined,
        adminRemark || null,
        id,
        `{${DECIDABLE_FROM[status].join(",")}}`,
      ],
    );
    if (decided === undefined) {
      const outcome = outcomeText(await getRenewal({ em, clock: deps.clock }, caller, { id }));
      throw new AppError("STATE_CONFLICT", `${outcome ?? "该申请已被处理"}，本次操作未生效`);
    }
    if (status === "completed") await extend(em, decided.assignment_id, { now, days: decided.requested_duration });
    await appendEvent(em, { type: "renewal.processed", data: { renewalId: id } }, now);
    return getRenewal({ em, clock: deps.clock }, caller, { id });
  });
}

/** The client takes a pending request back; it stays in the history. */
export async function cancelRenewal(
  deps: RenewalDeps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Nothing> {
  const now = deps.clock.now();
  return inTransaction(deps, async (em) => {
    const cancelled = await em.execute<{ id: string }[]>(
      "update renewals set status = 'cancelled', processed_at = ? where id = ? and user_id = ? and status = 'pending' returning id",
      [now, id, caller.id],
    );
    if (cancelled.length === 0) {
      const outcome = outcomeText(await getRenewal({ em, clock: deps.clock }, caller, { id }));
      throw new AppError("STATE_CONFLICT", `${outcome ?? "该申请已被处理"}，本次操作未生效`);
    }
    await appendEvent(em, { type: "renewal.cancelled", data: { renewalId: id } }, now);
    return {};
  });
}

/** Pending requests of an assignment that ends have nothing left to renew. */
export const cancelRenewalsOfAssignment: AssignmentEndStep = async (em, { hostId, userId, at }) => {
  const cancelled = await em.execute<{ id: string }[]>(
    "update renewals set status = 'cancelled', processed_at = ? where host_id = ? and user_id = ? and status = 'pending' returning id",
    [at, hostId, userId],
  );
  await tellOfCancelled(em, cancelled, at);
};

/** A removed user's pending requests end; the decided ones stay as history. Comes before the user's assignments end. */
export const cancelRenewalsOfUser: UserRemovalStep = async (em, { userId, at }) => {
  await em.execute("select 1 from assignments where user_id = ? and ended_at is null order by id for no key update", [
    userId,
  ]);
  const cancelled = await em.execute<{ id: string }[]>(
    "update renewals set status = 'cancelled', processed_at = ? where user_id = ? and status = 'pending' returning id",
    [at, userId],
  );
  await tellOfCancelled(em, cancelled, at);
};

async function tellOfCancelled(em: SqlEntityManager, cancelled: readonly { id: string }[], at: number): Promise<void> {
  const events = cancelled.map(({ id }): StoredEvent => ({ type: "renewal.cancelled", data: { renewalId: id } }));
  await appendEvents(em, events, at);
}

async function lockAssignment(em: SqlEntityManager, renewalId: string): Promise<void> {
  await em.execute(
    "select 1 from assignments where id = (select assignment_id from renewals where id = ?) for no key update",
    [renewalId],
  );
}

/** From the later of now and the present expiry. Runs once per request: the status change before it is what decides. */
async function extend(
  em: SqlEntityManager,
  assignmentId: string,
  { now, days }: { now: number; days: number },
): Promise<void> {
  const [extended] = await em.execute<{ host_id: string; user_id: string; assigned_expire_time: number }[]>(
    `update assignments set assigned_expire_time = greatest(assigned_expire_time, ?::bigint) + ?::bigint
     where id = ? and ended_at is null returning host_id, user_id, assigned_expire_time`,
    [now, days * DAY_SECONDS, assignmentId],
  );
  if (extended === undefined)
    throw new AppError(
      "STATE_CONFLICT",
      "该主机的分配已结束，不能完成续费；若用户仍需使用，请按续费后的期限重新分配主机",
    );
  if (extended.assigned_expire_time > MAX_UNIX_SECONDS)
    throw new AppError("STATE_CONFLICT", "续费后的到期时间超出范围，不能完成续费；请先修改该主机的有效期");
  await tellOfAssignment(em, { hostId: extended.host_id, userId: extended.user_id, configId: null }, now);
}
