import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { NoticeType } from "../../../shared/notices.ts";
import { jsonb } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { NoticeSubject } from "../channels/group-message.ts";
import { withdrawDeliveries } from "../channels/withdraw-deliveries.ts";
import type { NewNotice } from "./add-notices.ts";
import { publishNoticesRead } from "./events.ts";

interface WithdrawnNotice {
  readonly userId: string;
  readonly type: NoticeType;
  readonly renewalId: string;
  /** Words what is left of a notice that tells of several requests. */
  readonly describe: (
    left: readonly NoticeSubject[],
  ) => Pick<NewNotice, "title" | "message" | "link">;
}

/**
 * Takes back what a user was told of a request, which is not so any more: the notice of a single act
 * is deleted, that of a batch tells of the others only. Returns whether anybody may know of it: who
 * read or deleted the notice, or was sent a message. They want to be told again. `at` in Unix
 * seconds.
 */
export async function withdrawNotice(
  em: SqlEntityManager,
  { userId, type, renewalId, describe }: WithdrawnNotice,
  at: number,
): Promise<boolean> {
  const notice = await lockNotice(em, { userId, type, renewalId });
  if (notice === undefined) return true;

  const { id: noticeId, batchId, readAt } = notice;
  const left = notice.subjects.filter((subject) => subject.renewalId !== renewalId);
  const isNoticeGone = left.length === 0;
  if (isNoticeGone) {
    await kyselyOf(em).deleteFrom("notices").where("id", "=", noticeId).execute();
  } else {
    await kyselyOf(em)
      .updateTable("notices")
      .set({ ...describe(left), subjects: jsonb(left) })
      .where("id", "=", noticeId)
      .execute();
  }

  const deliveries = { batchId, type, noticeId, userId, renewalId, isNoticeGone };
  const wasSent = await withdrawDeliveries(em, deliveries);
  await publishNoticesRead(em, { userId }, at);
  return wasSent || readAt !== null;
}

/** The newest one: a request may be decided in the same way again. */
async function lockNotice(
  em: SqlEntityManager,
  { userId, type, renewalId }: Pick<WithdrawnNotice, "userId" | "type" | "renewalId">,
) {
  return await kyselyOf(em)
    .selectFrom("notices")
    .select(["id", "batchId", "subjects", "readAt"])
    .where("userId", "=", userId)
    .where("type", "=", type)
    .where((eb) => eb(eb.ref("subjects").$castTo<object>(), "@>", jsonb([{ renewalId }])))
    .orderBy("createdAt", "desc")
    .orderBy("seq", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}
