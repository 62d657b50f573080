import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { groupMessageOf, joinSubjects, type NoticeSubject } from "../channels/group-message.ts";
import { joinQueuedMessages } from "../channels/queue-deliveries.ts";
import {
  addNotices,
  insertNotices,
  type JoinedNotice,
  type NewNotice,
  tellGroups,
  updateNotices,
} from "./add-notices.ts";
import type { NotifyDeps } from "./deps.ts";

/** What an act tells some users. */
export interface ActNotice {
  readonly userIds: readonly string[];
  readonly type: NoticeType;
  readonly severity: NoticeSeverity;
  readonly subjects: readonly NoticeSubject[];
  /** By the number of its subjects, which grows while a batch goes on. */
  readonly describe: (count: number) => Pick<NewNotice, "title" | "message" | "link">;
  readonly isCorrection?: NewNotice["isCorrection"];
}

interface NoticeOfBatch extends ActNotice {
  readonly batchId: string;
}

/** How long the deliveries of a batch wait for the rest of it, in seconds. */
const BATCH_DELAY_SECONDS = 15;

/**
 * Tells users of an act, or of several that are done together, in their transaction, after the rows
 * and before the events. Of one type a user is told once. Disabled and deleted users get nothing.
 * `at` in Unix seconds.
 */
export async function notifyUsers(
  deps: NotifyDeps,
  notices: readonly ActNotice[],
  at: number,
): Promise<void> {
  const told = await toActiveUsers(deps.em, notices);
  if (told.length === 0) return;

  const { batchId } = deps;
  if (batchId === undefined) {
    const added = told.flatMap((notice) => newNotices({ ...notice, batchId: newId() }));
    await addNotices(deps, added, at);
    await tellGroups(deps, added, { at });
  } else {
    await joinNotices(deps, { batchId, notices: told }, at);
  }
}

async function toActiveUsers(
  em: SqlEntityManager,
  notices: readonly ActNotice[],
): Promise<ActNotice[]> {
  const ids = notices.flatMap(({ userIds }) => userIds);
  if (ids.length === 0) return [];

  const users = await kyselyOf(em)
    .selectFrom("users")
    .select("id")
    .where("id", "=", anyOf(ids))
    .where("isActive", "=", true)
    .execute();
  const active = new Set(users.map(({ id }) => id));

  const told = notices.map((notice) => {
    const userIds = notice.userIds.filter((id) => active.has(id)).toSorted();
    return { ...notice, userIds };
  });
  return told.filter(({ userIds }) => userIds.length > 0);
}

/** One for each user. */
function newNotices({ userIds, describe, ...notice }: NoticeOfBatch): NewNotice[] {
  const text = describe(notice.subjects.length);
  return userIds.map((userId) => ({ ...notice, ...text, userId }));
}

interface NoticesOfBatch {
  readonly batchId: string;
  readonly notices: readonly ActNotice[];
}

/**
 * The first act of a batch adds the notice of a user, and the later ones add their hosts to it and
 * correct what it says of their number. Each does so in its own transaction, so the notice tells at
 * every moment of what was done, also when the process dies before the last act.
 *
 * So a notice is written anew by each transaction, with all its hosts. The largest batch, an import
 * of 5,000 rows, does many acts in one, and writes a notice once for all of them.
 */
async function joinNotices(
  deps: NotifyDeps,
  { batchId, notices }: NoticesOfBatch,
  at: number,
): Promise<void> {
  const { em } = deps;
  const present = await lockNotices(em, { batchId, notices });

  const added: NewNotice[] = [];
  const joined: JoinedNotice[] = [];
  for (const { userIds, ...notice } of notices) {
    for (const userId of userIds) {
      const earlier = present.get(keyOf(notice.type, userId));
      if (earlier === undefined) {
        added.push(...newNotices({ ...notice, userIds: [userId], batchId }));
      } else {
        const subjects = joinSubjects(earlier.subjects, notice.subjects);
        joined.push({ id: earlier.id, subjects, ...notice.describe(subjects.length) });
      }
    }
  }

  await updateNotices(em, joined);
  for (const ofType of Map.groupBy(notices, ({ type }) => type).values()) {
    await joinGroups(em, batchId, ofType);
  }
  await insertNotices(deps, added, { at, delay: BATCH_DELAY_SECONDS });

  await tellGroups(deps, added, { at, delay: BATCH_DELAY_SECONDS });
}

/** Those that earlier acts of the batch have added, by type and user. */
async function lockNotices(em: SqlEntityManager, { batchId, notices }: NoticesOfBatch) {
  const present = await kyselyOf(em)
    .selectFrom("notices")
    .select(["id", "userId", "type", "subjects"])
    .where("batchId", "=", batchId)
    .where("userId", "=", anyOf(notices.flatMap(({ userIds }) => userIds)))
    .orderBy("id")
    .forUpdate()
    .execute();
  return new Map(present.map((notice) => [keyOf(notice.type, notice.userId), notice]));
}

function keyOf(type: NoticeType, userId: string): string {
  return `${type} ${userId}`;
}

/** Adds notices of one type to what groups are to hear of the batch. */
async function joinGroups(
  em: SqlEntityManager,
  batchId: string,
  notices: readonly ActNotice[],
): Promise<void> {
  const [first, ...others] = notices;
  if (first === undefined) return;

  const userIds = [first, ...others].flatMap((notice) => notice.userIds);
  const subjects = [first, ...others].flatMap((notice) => notice.subjects);
  const all = { ...first, batchId, userIds, subjects };
  await joinQueuedMessages(em, all, (count) => groupMessageOf({ ...all, ...all.describe(count) }));
}
