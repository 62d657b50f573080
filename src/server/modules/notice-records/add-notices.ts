import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";
import { createIdGenerator } from "../../platform/id-generator.ts";
import type { JobQueue } from "../../platform/jobs/queue.ts";
import {
  groupMessageOf,
  joinGroupMessages,
  type NoticeSubject,
} from "../channels/group-message.ts";
import {
  type NewGroupMessage,
  queueGroupMessages,
  queueLetters,
} from "../channels/queue-deliveries.ts";
import { publishNoticesCreated } from "./events.ts";

export interface NewNotice {
  readonly userId: string;
  /** The same for all notices of one occasion. A user gets one of a type for it. */
  readonly batchId: string;
  readonly type: NoticeType;
  readonly severity: NoticeSeverity;
  /** Like the message it names counts, not hosts: those are read with the notice. */
  readonly title: string;
  readonly message: string;
  /** A path of the console. */
  readonly link: string | null;
  readonly subjects: readonly NoticeSubject[];
  /** Says that an earlier notice of its type is not so any more. Groups read its own words. */
  readonly isCorrection?: boolean | undefined;
}

interface AddDeps {
  readonly em: SqlEntityManager;
  readonly jobs: Pick<JobQueue, "send">;
}

/**
 * Adds notices to the inboxes of their users, in the transaction of what they tell of: a notice is
 * there if and only if the act is. Their letters are queued with them. Answers their ids, in the
 * same order. `at` in Unix seconds.
 */
export async function addNotices(
  deps: AddDeps,
  notices: readonly NewNotice[],
  at: number,
): Promise<string[]> {
  const added = await insertNotices(deps, notices, { at });

  const created = added.map(({ id, userId, type, severity, title }) => {
    return { id, userId, type, severity, title };
  });
  await publishNoticesCreated(deps.em, created, at);
  return added.map(({ id }) => id);
}

/**
 * The same without the event, for a batch whose notices are not complete yet. `delay` in seconds:
 * how long their deliveries wait for the rest of it.
 */
export async function insertNotices(
  { em, jobs }: AddDeps,
  notices: readonly NewNotice[],
  { at, delay = 0 }: { readonly at: number; readonly delay?: number },
) {
  if (notices.length === 0) return [];

  const newId = createIdGenerator(notices.length, at);
  const added = notices.map((notice) => ({ id: newId(), ...notice }));
  const rows = added.map(({ userId, batchId, isCorrection: _, ...notice }) => ({
    ...notice,
    user_id: userId,
    batch_id: batchId,
  }));
  await sql`
    insert into notices
      (id, user_id, batch_id, type, severity, title, message, link, subjects, created_at)
    select id, user_id, batch_id, type, severity, title, message, link, subjects, ${at}::bigint
    from json_populate_recordset(null::notices, ${JSON.stringify(rows)}::json)
  `.execute(em.getKysely());

  const letters = added.map(({ id, batchId, type }) => ({ batchId, noticeId: id, type }));
  await queueLetters({ em, jobs }, letters, { at, delay });
  return added;
}

/** What a notice says when its batch has gone on. */
export interface JoinedNotice extends Pick<NewNotice, "title" | "message" | "link" | "subjects"> {
  readonly id: string;
}

/** Those who have read them will want to read them again. */
export async function updateNotices(
  em: SqlEntityManager,
  notices: readonly JoinedNotice[],
): Promise<void> {
  if (notices.length === 0) return;

  await sql`
    update notices
    set title = joined.title,
      message = joined.message,
      link = joined.link,
      subjects = joined.subjects,
      read_at = null
    from json_populate_recordset(null::notices, ${JSON.stringify(notices)}::json) joined
    where notices.id = joined.id
  `.execute(em.getKysely());
}

/** Queues what groups and programs hear of the notices: one message for each batch and type. */
export async function tellGroups(
  deps: AddDeps,
  notices: readonly NewNotice[],
  when: { readonly at: number; readonly delay?: number },
): Promise<void> {
  const messages = new Map<string, NewGroupMessage>();
  for (const { userId, batchId, type, ...notice } of notices) {
    const key = `${batchId} ${type}`;
    const earlier = messages.get(key)?.message;
    const own = groupMessageOf({ ...notice, type, userIds: [userId] });
    const message = earlier === undefined ? own : joinGroupMessages(earlier, own);
    messages.set(key, { batchId, type, message });
  }
  await queueGroupMessages(deps, [...messages.values()], when);
}
