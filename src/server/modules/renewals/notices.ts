import { RENEWAL_STATUS_LABELS, type RenewalStatus } from "../../../shared/renewal-status.ts";
import { RENEWAL_DECISION_LABELS, type RenewalDecision } from "../../../shared/renewals.ts";
import type { NoticeSubject } from "../channels/group-message.ts";
import type { NotifyDeps } from "../notice-records/deps.ts";
import { type ActNotice, notifyUsers } from "../notice-records/notify-users.ts";
import { withdrawNotice } from "../notice-records/withdraw-notice.ts";
import { findActiveSuperAdminIds } from "../users/queries.ts";

interface Renewal {
  readonly id: string;
  readonly assignmentId: string;
  readonly hostId: string;
}

/** Super admins decide it. `at` in Unix seconds, as below. */
export async function notifyOfSubmitted(
  deps: NotifyDeps,
  { id, clientName, ...subject }: Renewal & { readonly clientName: string },
  at: number,
): Promise<void> {
  const notice = {
    userIds: await findActiveSuperAdminIds(deps.em),
    type: "renewal.submitted",
    severity: "info",
    subjects: [subject],
    describe: (count: number) => ({
      title: `新的续费申请：${count} 台主机`,
      message: `${clientName} 申请续费，请及时处理。`,
      link: linkTo("/renewals", id, count),
    }),
  } as const;
  await notifyUsers(deps, [notice], at);
}

interface DecidedRenewal extends Renewal {
  readonly userId: string;
  readonly status: RenewalDecision;
}

/** The client. */
export async function notifyOfDecision(
  deps: NotifyDeps,
  { id, status, userId, ...subject }: DecidedRenewal,
  at: number,
): Promise<void> {
  const { severity, title, message } = DECISIONS[status];
  const notice = {
    userIds: [userId],
    type: `renewal.${status}`,
    severity,
    subjects: [{ ...subject, renewalId: id }],
    describe: (count: number) => ({
      title: title(count),
      message,
      link: linkTo("/client/renewals", id, count),
    }),
  } as const;
  await notifyUsers(deps, [notice], at);
}

interface DecisionText extends Pick<ActNotice, "severity"> {
  readonly title: (count: number) => string;
  readonly message: string;
}

const DECISIONS: Readonly<Record<RenewalDecision, DecisionText>> = {
  approved: {
    severity: "info",
    title: (count) => `${count} 个续费申请已批准`,
    message: "请按约定付款。确认收款后，主机的到期时间会顺延。",
  },
  rejected: {
    severity: "warning",
    title: (count) => `${count} 个续费申请被拒绝`,
    message: "主机的到期时间没有变化，原因见申请的处理备注。",
  },
  completed: {
    severity: "info",
    title: (count) => `${count} 个续费申请已完成`,
    message: "主机的到期时间已按申请的天数顺延。",
  },
};

interface UndoneDecision extends Renewal {
  readonly userId: string;
  readonly decision: RenewalDecision;
  /** What the request is again. */
  readonly status: RenewalStatus;
}

/**
 * What was told of the decision is withdrawn. The client is told again only when somebody may have
 * heard of it: a slip that nobody noticed is none of its concern. A correction has the type of what
 * it corrects, so that it goes wherever that went.
 */
export async function notifyOfUndone(
  deps: NotifyDeps,
  { id, decision, status, userId, ...subject }: UndoneDecision,
  at: number,
): Promise<void> {
  const type = `renewal.${decision}` as const;
  const { title, message } = DECISIONS[decision];
  const describe = (left: readonly NoticeSubject[]) => ({
    title: title(left.length),
    message,
    link: linkTo("/client/renewals", left[0]?.renewalId ?? id, left.length),
  });
  const withdrawn = { userId, type, renewalId: id, describe };
  const mayBeKnown = await withdrawNotice(deps.em, withdrawn, at);
  if (!mayBeKnown) return;

  const correction = {
    userIds: [userId],
    type,
    severity: "warning",
    // Without the request: it is no notice of the decision, to be withdrawn itself.
    subjects: [subject],
    describe: (count: number) => ({
      title: `${count} 个续费申请的${RENEWAL_DECISION_LABELS[decision]}已撤销`,
      message: `${UNDONE[decision]}申请恢复为${RENEWAL_STATUS_LABELS[status]}，请以新的处理结果为准。`,
      link: linkTo("/client/renewals", id, count),
    }),
    isCorrection: true,
  } as const;
  await notifyUsers(deps, [correction], at);
}

/** What the client did or believed because of it. */
const UNDONE: Readonly<Record<RenewalDecision, string>> = {
  approved: "尚未付款的，请先不要付款。",
  rejected: "",
  completed: "主机的到期时间恢复为续费前的时间。",
};

/** One request is opened, several are listed. */
function linkTo(page: string, renewalId: string, count: number): string {
  return count === 1 ? `${page}?renewal=${renewalId}` : page;
}
