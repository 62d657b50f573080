import { LockMode, type SqlEntityManager } from "@mikro-orm/postgresql";
import type { BatchHostsInput } from "../../../shared/batch.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { findPeriodProblem, resolvePeriod } from "../hosts/assigned-period.ts";
import { AssignmentEntity, type AssignmentRow, HostEntity } from "../hosts/entity.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { getHost, hostNotFound } from "../hosts/queries.ts";
import { beginAssignment, changeAssignment, endAssignments } from "../hosts/write-assignments.ts";
import { cancelOpenRenewals, lockOpenRenewals } from "../renewals/cancel-renewals.ts";
import { publishCancelledRenewals } from "../renewals/events.ts";
import { UserEntity, type UserRow } from "../users/entity.ts";
import { noActiveClient } from "./assign-host.ts";
import type { AssignmentsDeps } from "./deps.ts";

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
    const client = await lockReceiver(em, input);
    const assignments = await lockAssignments(em, input);
    // Of two acts that wait for each other the later one has the later time.
    const now = deps.clock.now();
    const former = assignments.find((each) => each.userId === fromUserId);
    if (former === undefined) {
      await getHost({ ...deps, em }, caller, { id: hostId });
      throw new AppError("NOT_FOUND", NOT_HELD);
    }

    await lockOpenRenewals(em, { host: hostId, userId: fromUserId });
    const host = await lockPresentHost(em, hostId);

    const present = assignments.find((each) => each.userId === userId);
    const end = Math.max(resolveEnd(input, former, now), present?.assignedExpireTime ?? 0);
    if (end <= now) throw new AppError("STATE_CONFLICT", HAS_EXPIRED);

    const which = { host: hostId, userId: fromUserId };
    const context = { actor: deps.actor, at: now };
    await endAssignments(em, which, context);
    const cancelledIds = await cancelOpenRenewals(em, which, context);

    const period = {
      assignedAt: Math.min(present?.assignedAt ?? now, now),
      assignedExpireTime: end,
    };
    if (present === undefined) {
      await beginAssignment(em, { hostId, client, assignedBy: caller, period }, context);
    } else {
      await changeAssignment(em, present, { period }, context);
    }

    await publishCancelledRenewals(em, cancelledIds, now);
    const configId = host.config?.id ?? null;
    await publishAssignmentEvents(em, { hostId, userId: fromUserId, configId }, now);
    await publishAssignmentEvents(em, { hostId, userId, configId }, now);
  });
}

/**
 * Locks both users. Until the commit the receiver cannot be disabled or deleted. Throws
 * INVALID_INPUT.
 */
async function lockReceiver(
  em: SqlEntityManager,
  { fromUserId, userId }: TransferHost,
): Promise<Pick<UserRow, "id" | "name" | "username">> {
  if (userId === fromUserId) throw invalidField("userId", SAME_USER);
  const users = await em.find(
    UserEntity,
    { id: { $in: [fromUserId, userId] } },
    { orderBy: { id: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const receiver = users.find(({ id }) => id === userId);
  if (receiver?.role !== "client" || !receiver.isActive) throw noActiveClient();
  return receiver;
}

async function lockAssignments(
  em: SqlEntityManager,
  { hostId, fromUserId, userId }: TransferHost,
): Promise<AssignmentRow[]> {
  return await em.find(
    AssignmentEntity,
    { host: hostId, userId: { $in: [fromUserId, userId] }, endedAt: null },
    { orderBy: { userId: "asc" }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

/** The share lock keeps the host present until the commit. */
async function lockPresentHost(em: SqlEntityManager, id: string) {
  const share = {
    lockMode: LockMode.PESSIMISTIC_READ,
    failHandler: hostNotFound,
    refresh: true,
  } as const;
  const host = await em.findOneOrFail(HostEntity, { id }, share);
  if (typeof host.goneAt === "number") throw new AppError("STATE_CONFLICT", HOST_GONE);
  return host;
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
