import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";
import { jsonb } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { groupMessageOf, joinSubjects, type NoticeSubject } from "../channels/group-message.ts";
import { joinQueuedMessages } from "../channels/queue-deliveries.ts";
import { addNotices, insertNotices, type NewNotice, tellGroups } from "./add-notices.ts";
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
 * Tells users of an act, in its transaction, after its rows and before its events. Disabled and
 * deleted users get nothing. `at` in Unix seconds.
 */
export async function notifyUsers(deps: NotifyDeps, notice: ActNotice, at: number): Promise<void> {
  const userIds = await findActiveUsers(deps.em, notice.userIds);
  if (userIds.length === 0) return;

  const { batchId } = deps;
  if (batchId === undefined) {
    const notices = newNotices({ ...notice, userIds, batchId: newId() });
    await addNotices(deps, notices, at);
    await tellGroups(deps, notices, { at });
  } else {
    await joinNotices(deps, { ...notice, userIds, batchId }, at);
  }
}

async function findActiveUsers(em: SqlEntityManager, ids: readonly string[]): Promise<string[]> {
  const users = await kyselyOf(em)
    .selectFrom("users")
    .select("id")
    .where("id", "=", anyOf(ids))
    .where("isActive", "=", true)
    .orderBy("id")
    .execute();
  return users.map(({ id }) => id);
}

/** One for each user. */
function newNotices({ userIds, describe, ...notice }: NoticeOfBatch): NewNotice[] {
  const text = describe(notice.subjects.length);
  return userIds.map((userId) => ({ ...notice, ...text, userId }));
}

/**
 * The first act of a batch adds the notice of a user, and the later ones add their hosts to it and
 * correct what it says of their number. Each act is a transaction of its own, so the notice tells at
 * every moment of what was done, also when the process dies before the last act.
 *
 * So a notice is written anew for each of its hosts. The largest batch, an import of 5,000 rows,
 * takes a third longer when all are for one client than when they are for ten.
 */
async function joinNotices(deps: NotifyDeps, notice: NoticeOfBatch, at: number): Promise<void> {
  const { em } = deps;
  const present = await lockNotices(em, notice);

  for (const { id, subjects: earlier } of present) {
    const subjects = joinSubjects(earlier, notice.subjects);
    await kyselyOf(em)
      .updateTable("notices")
      .set({ ...notice.describe(subjects.length), subjects: jsonb(subjects), readAt: null })
      .where("id", "=", id)
      .execute();
  }

  await joinQueuedMessages(em, notice, (count) =>
    groupMessageOf({ ...notice, ...notice.describe(count) }),
  );

  const userIds = notice.userIds.filter((id) => !present.some(({ userId }) => userId === id));
  const added = newNotices({ ...notice, userIds });
  await insertNotices(deps, added, { at, delay: BATCH_DELAY_SECONDS });

  await tellGroups(deps, added, { at, delay: BATCH_DELAY_SECONDS });
}

/** Those that earlier acts of the batch have added. */
async function lockNotices(em: SqlEntityManager, { batchId, type, userIds }: NoticeOfBatch) {
  return await kyselyOf(em)
    .selectFrom("notices")
    .select(["id", "userId", "subjects"])
    .where("batchId", "=", batchId)
    .where("type", "=", type)
    .where("userId", "=", anyOf(userIds))
    .orderBy("id")
    .forUpdate()
    .execute();
}
