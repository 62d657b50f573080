import type { NoticeSubject } from "../channels/group-message.ts";
import type { StoredPeriod } from "../hosts/assigned-period.ts";
import type { EndedAssignment } from "../hosts/write-assignments.ts";
import type { NotifyDeps } from "../notice-records/deps.ts";
import { type ActNotice, notifyUsers } from "../notice-records/notify-users.ts";
import { awaitBeginning } from "./beginning.ts";

/** What an act made of an assignment; null where there is none before or after it. */
interface AssignmentChange {
  readonly assignmentId: string;
  readonly hostId: string;
  readonly userId: string;
  readonly before: StoredPeriod | null;
  readonly after: StoredPeriod | null;
}

/**
 * Tells the clients what an act made of their assignments, as far as it may know: one that has not begun
 * does not exist for it. So a change that lets an assignment begin only later has ended it for the
 * client, and what becomes of one before it begins is not told. `at` in Unix seconds.
 */
export async function notifyOfAssignments(
  deps: NotifyDeps,
  changes: readonly AssignmentChange[],
  at: number,
): Promise<void> {
  const ofClients = Map.groupBy(changes, ({ userId }) => userId);
  const notices = [...ofClients].flatMap(([userId, own]) => noticesOf(userId, own, at));
  await notifyUsers(deps, notices, at);

  for (const { userId, before, after } of changes) {
    if (after === null || hasBegun(after, at)) continue;
    if (after.assignedAt === before?.assignedAt) continue;
    await awaitBeginning(deps, { userId, beginsAt: after.assignedAt }, at);
  }
}

/** One of each kind. */
function noticesOf(userId: string, changes: readonly AssignmentChange[], at: number): ActNotice[] {
  const ofKinds = Map.groupBy(changes, ({ before, after }) => changeForClient(before, after, at));
  return [...ofKinds].flatMap(([kind, ofKind]) => {
    if (kind === null) return [];

    const subjects = ofKind.map(({ hostId, assignmentId }) => ({ hostId, assignmentId }));
    return [{ ...NOTICES[kind](subjects), userIds: [userId] }];
  });
}

/** They are told to their clients. `at` in Unix seconds. */
export async function notifyOfEnded(
  deps: NotifyDeps,
  assignments: readonly EndedAssignment[],
  at: number,
): Promise<void> {
  const changes = assignments.map((ended) => {
    const { id: assignmentId, host: hostId, userId } = ended;
    return { assignmentId, hostId, userId, before: ended, after: null };
  });
  await notifyOfAssignments(deps, changes, at);
}

interface Begun {
  readonly userId: string;
  readonly subjects: readonly NoticeSubject[];
}

/** Assignments that were made earlier begin now. */
export async function notifyOfBeginning(
  deps: NotifyDeps,
  { userId, subjects }: Begun,
  at: number,
): Promise<void> {
  await notifyUsers(deps, [{ ...NOTICES.given(subjects), userIds: [userId] }], at);
}

function changeForClient(
  before: StoredPeriod | null,
  after: StoredPeriod | null,
  at: number,
): keyof typeof NOTICES | null {
  const earlier = before !== null && hasBegun(before, at) ? before : null;
  const now = after !== null && hasBegun(after, at) ? after : null;
  if (earlier === null) return now === null ? null : "given";
  if (now === null) return "ended";

  const isSame =
    earlier.assignedAt === now.assignedAt && earlier.assignedExpireTime === now.assignedExpireTime;
  return isSame ? null : "changed";
}

function hasBegun({ assignedAt }: StoredPeriod, at: number): boolean {
  return assignedAt <= at;
}

type NoticeOf = (subjects: readonly NoticeSubject[]) => Omit<ActNotice, "userIds">;

const NOTICES = {
  given: (subjects) => ({
    type: "assignment.given",
    severity: "info",
    subjects,
    describe: (count) => ({
      title: `已为您分配 ${count} 台主机`,
      message: "主机已可以使用，有效期可在主机列表中查看。",
      link: hostsLink(subjects, count),
    }),
  }),
  changed: (subjects) => ({
    type: "assignment.changed",
    severity: "info",
    subjects,
    describe: (count) => ({
      title: `${count} 台主机的有效期已变更`,
      message: "有效期已由管理员修改，请留意新的到期时间。",
      link: hostsLink(subjects, count),
    }),
  }),
  ended: (subjects) => ({
    type: "assignment.ended",
    severity: "warning",
    subjects,
    describe: (count) => ({
      title: `${count} 台主机已收回`,
      message: `${count} 台主机的分配已结束，不能再查看和使用；未完成的续费申请随之取消。`,
      link: "/hosts",
    }),
  }),
} as const satisfies Record<string, NoticeOf>;

/** One host is opened, several are listed. */
function hostsLink([subject]: readonly NoticeSubject[], count: number): string {
  return count === 1 && subject !== undefined ? `/hosts?host=${subject.hostId}` : "/hosts";
}
