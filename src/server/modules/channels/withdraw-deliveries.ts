import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { NoticeType } from "../../../shared/notices.ts";
import { jsonb } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { GroupMessage } from "./group-message.ts";

interface WithdrawnDeliveries {
  readonly batchId: string;
  readonly type: NoticeType;
  /** The notice that tells the user of it. */
  readonly noticeId: string;
  readonly userId: string;
  readonly renewalId: string;
  /** The notice tells of nothing else. */
  readonly isNoticeGone: boolean;
}

/**
 * Takes what is told of a request out of the messages that wait to be sent, and removes those that
 * tell of nothing else. Returns whether one of them was sent, or may have been: a try that is under
 * way, or of which no answer came. The rows are locked, so that a worker which is about to send one
 * waits for the commit, and then finds it gone or reads what is left of its notice.
 */
export async function withdrawDeliveries(
  em: SqlEntityManager,
  { batchId, type, noticeId, userId, renewalId, isNoticeGone }: WithdrawnDeliveries,
): Promise<boolean> {
  const deliveries = await kyselyOf(em)
    .selectFrom("notice_deliveries")
    .select(["id", "status", "attempts", "groupMessage"])
    .where("batchId", "=", batchId)
    .where("type", "=", type)
    .where((eb) => eb.or([eb("noticeId", "=", noticeId), eb("noticeId", "is", null)]))
    .orderBy("id")
    .forUpdate()
    .execute();

  for (const { id, status, groupMessage } of deliveries) {
    if (status !== "queued") continue;

    if (groupMessage === null) {
      if (isNoticeGone) await removeDelivery(em, id);
    } else {
      const left = withoutRequest(groupMessage, { renewalId, userId, isNoticeGone });
      await keepOrRemove(em, id, left);
    }
  }
  return deliveries.some(({ attempts }) => attempts > 0);
}

function withoutRequest(
  message: GroupMessage,
  {
    renewalId,
    userId,
    isNoticeGone,
  }: Pick<WithdrawnDeliveries, "renewalId" | "userId" | "isNoticeGone">,
): GroupMessage {
  const { userIds, subjects } = message;
  return {
    ...message,
    userIds: isNoticeGone ? userIds.filter((id) => id !== userId) : userIds,
    subjects: subjects.filter((subject) => subject.renewalId !== renewalId),
  };
}

async function keepOrRemove(em: SqlEntityManager, id: string, left: GroupMessage): Promise<void> {
  if (left.subjects.length === 0) {
    await removeDelivery(em, id);
    return;
  }

  await kyselyOf(em)
    .updateTable("notice_deliveries")
    .set({ groupMessage: jsonb(left) })
    .where("id", "=", id)
    .execute();
}

async function removeDelivery(em: SqlEntityManager, id: string): Promise<void> {
  await kyselyOf(em).deleteFrom("notice_deliveries").where("id", "=", id).execute();
}
