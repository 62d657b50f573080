import { type SqlEntityManager, UniqueConstraintViolationException } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import type { BatchCreateRenewalsInput } from "../../../shared/batch.ts";
import { providerEnd } from "../../../shared/hosts.ts";
import { RENEWAL_DAYS, RENEWAL_LIMIT, type Renewal } from "../../../shared/renewals.ts";
import { daysUntil } from "../../../shared/time.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../../platform/clock.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { recordHostActs } from "../history-records/record-acts.ts";
import { viewerOf } from "../hosts/access.ts";
import type { HostRow } from "../hosts/entity.ts";
import { assertPresent, lockVisibleAssignment, shareLockHost } from "../hosts/locks.ts";
import type { UserRow } from "../users/entity.ts";
import { lockActiveUser } from "../users/locks.ts";
import type { RenewalsDeps } from "./deps.ts";
import { RenewalEntity } from "./entity.ts";
import { publishRenewalCreated } from "./events.ts";
import { notifyOfSubmitted } from "./notices.ts";
import { getRenewal } from "./queries.ts";

const HOST_GONE = "主机在云服务商处已不存在，不能申请续费";
const ALREADY_PENDING = "该主机已有待处理的续费申请，请等待处理或先取消";
const ALREADY_APPROVED = "该主机的续费申请已批准，正在等待付款，不能重复申请";

/** By a number of days, or by the most whole days that end before a date. */
interface CreateRenewal extends Omit<BatchCreateRenewalsInput, "hostIds"> {
  readonly hostId: string;
}

/**
 * Locks the client, the assignment and the host, in this order. The lock on the client makes the
 * count of its renewals exact. The share locks keep the assignment from ending, and the host from
 * being marked gone, before the renewal is stored.
 */
export async function createRenewal(
  deps: RenewalsDeps,
  caller: Caller,
  input: CreateRenewal,
): Promise<Renewal> {
  const { hostId } = input;
  const viewer = viewerOf(deps, caller);
  const { now } = viewer;

  try {
    return await inTransaction(deps, async (em) => {
      const user = await lockActiveUser(em, caller);
      if (user === null) throw new AppError("UNAUTHENTICATED");

      const assignment = await lockVisibleAssignment(em, viewer, hostId);
      if (assignment === null) throw new AppError("NOT_FOUND", "主机不存在");

      const host = await shareLockHost(em, hostId);
      const subject = { type: "host", id: host.id, label: host.name } as const;
      noteSubject(deps, subject);
      assertPresent(host, HOST_GONE);
      await assertBelowLimit(em, caller.id, now);

      const requestedDuration = resolveDuration(input, assignment.assignedExpireTime, now);
      const remark = input.remark || null;
      const id = newId();
      await em.insert(RenewalEntity, {
        id,
        assignment: assignment.id,
        host: host.id,
        userId: user.id,
        ...asRequested(user, host),
        requestedDuration,
        status: "pending",
        remark,
        createdAt: now,
      });

      const act = {
        kind: "renewal_created",
        assignmentId: assignment.id,
        renewalId: id,
        changes: [{ field: "requestedDuration", from: null, to: requestedDuration }],
        remark,
      } as const;
      await recordHostActs(em, [act], { actor: deps.actor, at: now });

      const record = {
        action: "renewals.create",
        subject,
        changes: fieldChanges(null, { user: user.name, requestedDuration, remark }),
      } as const;
      await recordAudit({ ...deps, em }, record, now);
      const submitted = { id, assignmentId: assignment.id, hostId, clientName: user.name };
      await notifyOfSubmitted({ ...deps, em }, submitted, now);

      const answer = await getRenewal({ ...deps, em }, caller, { id });
      await publishRenewalCreated(em, id, now);
      return answer;
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;

    const open = { host: hostId, userId: caller.id, status: "approved" } as const;
    const isApproved = (await deps.em.count(RenewalEntity, open)) > 0;
    throw new AppError("CONFLICT", isApproved ? ALREADY_APPROVED : ALREADY_PENDING);
  }
}

/** What the renewal keeps of client and host, however they change afterwards. */
function asRequested(user: UserRow, host: HostRow) {
  const { chargeType, expireTime = null } = host;
  return {
    userName: user.name,
    userUsername: user.username,
    userEmail: user.email,
    userPhone: user.phone,
    hostName: host.name,
    hostCpu: host.cpu,
    hostMemory: host.memory,
    hostExpireTime: providerEnd({ chargeType, expireTime }),
  };
}

async function assertBelowLimit(em: SqlEntityManager, userId: string, now: number): Promise<void> {
  const { max, seconds } = RENEWAL_LIMIT;
  const recent = await kyselyOf(em)
    .selectFrom("renewals")
    .select("createdAt")
    .where("userId", "=", userId)
    .where("createdAt", ">", now - seconds)
    // Those of the future would refuse the client's renewals until then.
    .where("createdAt", "<=", now + MAX_CLOCK_SKEW_SECONDS)
    .orderBy("createdAt", "desc")
    .limit(max)
    .execute();
  const oldest = recent[max - 1];
  if (oldest === undefined) return;

  const retryAfter = Math.max(1, oldest.createdAt + seconds - now);
  const message = `每天最多提交 ${max} 个续费申请，请 ${Math.ceil(retryAfter / 3600)} 小时后再试`;
  throw new AppError("TOO_MANY_REQUESTS", message, { retryAfter });
}

function resolveDuration(
  { requestedDuration, untilDate = 0 }: CreateRenewal,
  expiry: number,
  now: number,
): number {
  return requestedDuration ?? daysToRequest(expiry, untilDate, now);
}

function daysToRequest(expiry: number, untilDate: number, now: number): number {
  const days = daysUntil(expiry, untilDate, now);
  if (days < RENEWAL_DAYS.min) {
    throw new AppError("INVALID_INPUT", "该主机的到期时间已不早于所选日期");
  }
  if (days > RENEWAL_DAYS.max) {
    throw new AppError(
      "INVALID_INPUT",
      `续到所选日期超过 ${RENEWAL_DAYS.max} 天，请选择更早的日期`,
    );
  }
  return days;
}
