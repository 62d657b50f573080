import { UniqueConstraintViolationException } from "@mikro-orm/core";
import type { CreateRenewalInput, Renewal } from "../../shared/renewals.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { getRenewal } from "./queries.ts";

/** Asks for more time on a host that the caller has, expired or not. One pending request per client and host. */
export async function createRenewal(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  caller: Caller,
  { hostId, requestedDuration, remark }: CreateRenewalInput,
): Promise<Renewal> {
  const id = newId();
  const now = deps.clock.now();
  try {
    return await inTransaction(deps, async (em) => {
      // The share lock keeps an unassign from slipping in between, which would leave a request without an assignment.
      const inserted = await em.execute<{ id: string }[]>(
        `insert into renewals (id, assignment_id, host_id, user_id, user_name, user_username, user_email, user_phone,
           host_name, host_cpu, host_memory, host_expire_time, requested_duration, status, remark, created_at)
         select ?, a.id, a.host_id, u.id, u.name, u.username, u.email, u.phone, h.name, h.cpu, h.memory,
           h.expire_time, ?, 'pending', ?, ?
         from (select * from assignments
               where host_id = ? and user_id = ? and ended_at is null and assigned_at <= ? for share) a
         join users u on u.id = a.user_id
         join hosts h on h.id = a.host_id
         returning id`,
        [id, requestedDuration, remark || null, now, hostId, caller.id, now],
      );
      if (inserted.length === 0) throw new AppError("NOT_FOUND", "主机不存在");
      await appendEvent(em, { type: "renewal.created", data: { renewalId: id } }, now);
      return await getRenewal({ em, clock: deps.clock }, caller, { id });
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new AppError("CONFLICT", "该主机已有待处理的续费申请，请等待处理或先取消");
  }
}
