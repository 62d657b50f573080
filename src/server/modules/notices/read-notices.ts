import type { ReadNotices, ReadNoticesInput } from "../../../shared/notices.ts";
import { anyOfRows } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { countChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { publishNoticesRead } from "../notice-records/events.ts";
import type { NoticesDeps } from "./deps.ts";
import { countUnread } from "./queries.ts";

/**
 * Marks these of the caller's notices as read, or all of them. Those that are read already keep
 * their time; those of others and unknown ones are ignored.
 */
export async function readNotices(
  deps: NoticesDeps,
  caller: Caller,
  input: ReadNoticesInput,
): Promise<ReadNotices> {
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const db = kyselyOf(em);
    let unread = db
      .selectFrom("notices")
      .select("id")
      .where("userId", "=", caller.id)
      .where("readAt", "is", null)
      .orderBy("id")
      .forUpdate();
    if (!input.all) unread = unread.where("id", "=", anyOf(input.ids));

    const { numUpdatedRows } = await db
      .updateTable("notices")
      .set({ readAt: at })
      .where("id", "=", anyOfRows(unread))
      .executeTakeFirstOrThrow();

    const record = {
      action: "notices.read",
      subject: { type: "user", id: caller.id, label: caller.name },
      changes: countChanges({ readNotices: Number(numUpdatedRows) }),
    } as const;
    await recordAudit({ ...deps, em }, record, at);
    if (numUpdatedRows > 0n) await publishNoticesRead(em, { userId: caller.id }, at);
    return { unreadCount: await countUnread(em, caller.id) };
  });
}
