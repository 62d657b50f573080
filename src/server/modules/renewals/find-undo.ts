import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { OPEN_RENEWAL_STATUSES } from "../../../shared/renewal-status.ts";
import { RenewalDecision } from "../../../shared/renewals.ts";
import type { StoredPeriod } from "../hosts/assigned-period.ts";
import type { AssignmentRow } from "../hosts/entity.ts";
import { RenewalEntity, type RenewalRow } from "./entity.ts";
import { findLastDecision, type MovedEnd, type StoredState } from "./former-state.ts";
import { undoableUntil } from "./present.ts";

const NOT_DECIDED = "该申请没有可以撤销的处理：可能尚未处理，或已由他人撤销。请刷新后查看";
const CANCELLED = "该申请已取消，没有可以撤销的处理；如需续费，请用户重新申请";
const ASSIGNMENT_ENDED = "该主机的分配已结束，不能撤销；若用户仍需使用，请重新分配主机";
const END_MOVED = "该主机的有效期在完成续费后又改动过，不能撤销；请直接修改该主机的有效期";
const OTHER_IS_OPEN = "该用户对该主机已有另一个未完成的续费申请，不能撤销；请处理那个申请";

/** What to do instead. */
const WAY_ON: Readonly<Record<RenewalDecision, string>> = {
  approved: "如不再续费，请关闭该申请",
  rejected: "如需续费，请用户重新申请",
  completed: "请直接修改该主机的有效期",
};

/** What taking back the last decision of a request leads to, or why it cannot be taken back. */
export type FoundUndo =
  | {
      readonly kind: "possible";
      readonly decision: RenewalDecision;
      /** What the request becomes. */
      readonly former: StoredState;
      /** The period that the assignment has again; null where the decision moved no end. */
      readonly period: StoredPeriod | null;
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * What is offered and what is done go by these rules. They hold until the commit only for a caller
 * who has locked both.
 */
export async function findUndo(
  em: SqlEntityManager,
  renewal: RenewalRow,
  assignment: AssignmentRow,
  now: number,
): Promise<FoundUndo> {
  const { status } = renewal;
  if (status === "cancelled") return refused(CANCELLED);

  const decision = RenewalDecision.safeParse(status).data;
  if (decision === undefined) return refused(NOT_DECIDED);
  if (undoableUntil(renewal, now) === null) {
    return refused(`处理已超过 10 分钟，不能撤销；${WAY_ON[decision]}`);
  }

  const last = await findLastDecision(em, renewal);
  if (last === null) {
    return refused(`该次处理由旧版本完成，没有处理前的记录，不能撤销；${WAY_ON[decision]}`);
  }

  if (typeof assignment.endedAt === "number") return refused(ASSIGNMENT_ENDED);
  if (await isOtherOpen(em, renewal)) return refused(OTHER_IS_OPEN);

  const { former, movedEnd } = last;
  if (movedEnd === null) return { kind: "possible", decision, former, period: null };
  if (isMovedSince(assignment, movedEnd)) return refused(END_MOVED);

  const period = { assignedAt: assignment.assignedAt, assignedExpireTime: movedEnd.from };
  return { kind: "possible", decision, former, period };
}

function refused(reason: string): FoundUndo {
  return { kind: "refused", reason };
}

async function isOtherOpen(
  em: SqlEntityManager,
  { id, host, userId }: RenewalRow,
): Promise<boolean> {
  const others = await em.count(RenewalEntity, {
    id: { $ne: id },
    host: host.id,
    userId,
    status: { $in: [...OPEN_RENEWAL_STATUSES] },
  });
  return others > 0;
}

/** A start that was moved behind the former end counts as moved, too: the end would precede it. */
function isMovedSince(
  { assignedAt, assignedExpireTime }: AssignmentRow,
  { from, to }: MovedEnd,
): boolean {
  return assignedExpireTime !== to || assignedAt >= from;
}
