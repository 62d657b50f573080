import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { v7 as newId } from "uuid";
import type { BatchCreateRenewalsInput } from "../../shared/batch.ts";
import { RENEWAL_DAYS, type Renewal } from "../../shared/renewals.ts";
import { daysUntil } from "../../shared/time.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { inTransaction } from "../database/transaction.ts";
import { appendEvent } from "../events/append.ts";
import { AssignmentEntity, HostEntity } from "../hosts/entity.ts";
import { UserEntity } from "../users/entity.ts";
import { RenewalEntity } from "./entity.ts";
import { getRenewal } from "./queries.ts";

/** By a number of days, or by the most whole days that end before a date. */
interface RenewalRequest extends Omit<BatchCreateRenewalsInput, "hostIds"> {
  readonly hostId: string;
}

export async function createRenewal(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  caller: Caller,
  { hostId, requestedDuration, untilDate = 0, remark }: RenewalRequest,
): Promise<Renewal> {
  const now = deps.clock.now();
  try {
    return await inTransaction(deps, async (em) => {
      const own = { host: hostId, userId: caller.id, endedAt: null, assignedAt: { $lte: now } };
      // The share lock keeps the assignment from ending before the request is stored.
      const assignment = await em.findOne(AssignmentEntity, own, { lockMode: LockMode.PESSIMISTIC_READ });
      if (assignment === null) throw new AppError("NOT_FOUND", "主机不存在");
      const host = await em.findOneOrFail(HostEntity, { id: hostId });
      const user = await em.findOneOrFail(UserEntity, { id: caller.id });
      const { id } = em.create(RenewalEntity, {
        id: newId(),
        assignment,
        host,
        userId: user.id,
        userName: user.name,
        userUsername: user.username,
        userEmail: user.email,
        userPhone: user.phone,
        hostName: host.name,
        hostCpu: host.cpu,
        hostMemory: host.memory,
        hostExpireTime: host.expireTime,
        requestedDuration: requestedDuration ?? daysToRequest(assignment.assignedExpireTime, untilDate, now),
        status: "pending",
        remark: remark || null,
        createdAt: now,
      });
      await em.flush();
      await appendEvent(em, { type: "renewal.created", data: { renewalId: id, status: "pending" } }, now);
      return await getRenewal({ em, clock: deps.clock }, caller, { id });
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new AppError("CONFLICT", "该主机已有待处理的续费申请，请等待处理或先取消");
  }
}

function daysToRequest(expiry: number, untilDate: number, now: number): number {
  const days = daysUntil(expiry, untilDate, now);
  if (days < RENEWAL_DAYS.min) throw new AppError("INVALID_INPUT", "该主机的到期时间已不早于所选日期");
  if (days > RENEWAL_DAYS.max) {
    throw new AppError("INVALID_INPUT", `续到所选日期超过${RENEWAL_DAYS.max}天，请选择更早的日期`);
  }
  return days;
}
