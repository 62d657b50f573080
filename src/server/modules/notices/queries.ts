import type { SqlEntityManager } from "@mikro-orm/postgresql";
import {
  type ListNoticesInput,
  MAX_NOTICE_ITEMS,
  type Notice,
  type NoticeList,
} from "../../../shared/notices.ts";
import { paginate } from "../../../shared/page.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { viewerOf } from "../hosts/access.ts";
import type { NoticesDeps } from "./deps.ts";
import { readNoticeItems } from "./items.ts";
import { linkOfNotice } from "./link.ts";

/** The caller's own notices, newest first. */
export async function listNotices(
  { em, clock }: NoticesDeps,
  caller: Caller,
  input: ListNoticesInput,
): Promise<NoticeList> {
  const { rows, total } = await readPage(em, caller.id, input);
  const items = await readNoticeItems(em, viewerOf({ clock }, caller), rows);

  const notices = rows.map((row): Notice => {
    const { subjects: _subjects, ...notice } = row;
    const visible = items.get(notice.id) ?? [];
    return {
      ...notice,
      link: linkOfNotice(row),
      items: visible.slice(0, MAX_NOTICE_ITEMS),
      hostCount: visible.length,
    };
  });
  const unreadCount = await countUnread(em, caller.id);
  return { notices, unreadCount, pagination: paginate(input, total) };
}

async function readPage(
  em: SqlEntityManager,
  userId: string,
  { page, limit, unread, type }: ListNoticesInput,
) {
  let own = kyselyOf(em).selectFrom("notices as n").where("n.userId", "=", userId);
  if (unread !== undefined) own = own.where("n.readAt", unread ? "is" : "is not", null);
  if (type !== undefined) own = own.where("n.type", "=", type);

  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await own
    .select([
      "n.id",
      "n.type",
      "n.severity",
      "n.title",
      "n.message",
      "n.link",
      "n.subjects",
      "n.createdAt",
      "n.readAt",
    ])
    .orderBy("n.createdAt", "desc")
    .orderBy("n.seq", "desc")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total };
}

/** Of the user's whole inbox. */
export async function countUnread(em: SqlEntityManager, userId: string): Promise<number> {
  const { unread } = await kyselyOf(em)
    .selectFrom("notices")
    .select((eb) => eb.fn.countAll<number>().as("unread"))
    .where("userId", "=", userId)
    .where("readAt", "is", null)
    .executeTakeFirstOrThrow();
  return unread;
}
