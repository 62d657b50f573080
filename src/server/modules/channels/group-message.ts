import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";

/** A host that a notice is about, and the assignment of it if the notice tells of one. */
export interface NoticeSubject {
  readonly hostId: string;
  readonly assignmentId: string | null;
  /** The request that was decided, by which the notice is found when the decision is undone. */
  readonly renewalId?: string;
}

/**
 * What a group or a program is to hear of a batch. It is kept with the delivery, and not read from
 * the notices: what users do with their own inboxes, and what becomes of them, changes nothing about
 * what happened. Names and hosts are read when it is sent, in the scope of that moment.
 */
export interface GroupMessage {
  readonly severity: NoticeSeverity;
  /** Null for what concerns users: then it tells only of what kind it is, and who was told. */
  readonly text: { readonly title: string; readonly message: string } | null;
  /** A path of the console; null where the page is that of a user. */
  readonly link: string | null;
  readonly userIds: readonly string[];
  readonly subjects: readonly NoticeSubject[];
}

/** These tell super admins alone of an act, so a group may hear them in the same words. */
const TYPES_TO_SUPER_ADMINS: readonly NoticeType[] = [
  "renewal.submitted",
  "sync.failing",
  "sync.paused",
  "removals.held",
  "balance.low",
];

interface GroupNotice extends Omit<GroupMessage, "text"> {
  readonly type: NoticeType;
  readonly title: string;
  readonly message: string;
  /** It says that an earlier notice of its type is not so any more. */
  readonly isCorrection?: boolean | undefined;
}

/** What a group hears of a notice to these users. */
export function groupMessageOf({
  type,
  severity,
  title,
  message,
  link,
  userIds,
  subjects,
  isCorrection = false,
}: GroupNotice): GroupMessage {
  if (TYPES_TO_SUPER_ADMINS.includes(type)) {
    return { severity, text: { title, message }, link, userIds, subjects };
  }
  // The kind alone would say once more what is not so.
  if (isCorrection) return { severity, text: { title, message }, link: null, userIds, subjects };
  return { severity, text: null, link: null, userIds, subjects };
}

/** With what another notice of the same batch and type adds. Its words are the newer ones. */
export function joinGroupMessages(earlier: GroupMessage, added: GroupMessage): GroupMessage {
  return {
    ...added,
    userIds: [...new Set([...earlier.userIds, ...added.userIds])],
    subjects: joinSubjects(earlier.subjects, added.subjects),
  };
}

export function joinSubjects(
  earlier: readonly NoticeSubject[],
  added: readonly NoticeSubject[],
): NoticeSubject[] {
  const subjects = new Map<string, NoticeSubject>();
  for (const subject of [...earlier, ...added]) {
    subjects.set(`${subject.hostId} ${subject.assignmentId}`, subject);
  }
  return [...subjects.values()];
}
