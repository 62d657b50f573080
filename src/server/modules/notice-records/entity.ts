import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";
import type { NoticeSubject } from "../channels/group-message.ts";

/**
 * A notice in the inbox of one user. It keeps which hosts it is about, not what they were: names and
 * ends are read with it, in the reader's scope of that moment. Without foreign keys: what it tells of
 * may be gone.
 */
export const NoticeEntity = defineEntity({
  name: "Notice",
  tableName: "notices",
  properties: (p) => ({
    /** A UUIDv7 of the time `createdAt`. */
    id: p.uuid().primary(),
    /** Within a second it says which came first. */
    seq: p.bigint("number").autoincrement(),
    userId: p.uuid(),
    /** The same for all notices of one occasion: a batch, or the reminders of a kind and day. */
    batchId: p.uuid(),
    type: p.text().$type<NoticeType>(),
    severity: p.text().$type<NoticeSeverity>(),
    title: p.text(),
    message: p.text(),
    /** A path of the console. */
    link: p.text().nullable(),
    subjects: p.json<NoticeSubject[]>().defaultRaw("'[]'"),
    createdAt: p.bigint("number"),
    readAt: p.bigint("number").nullable(),
  }),
  indexes: [
    {
      name: "notices_of_users",
      expression: "create index notices_of_users on notices (user_id, created_at desc, seq desc)",
    },
    {
      name: "notices_unread",
      expression: "create index notices_unread on notices (user_id) where read_at is null",
    },
    {
      name: "notices_of_batches",
      expression: "create unique index notices_of_batches on notices (batch_id, user_id, type)",
    },
  ],
});
export type NoticeRow = InferEntity<typeof NoticeEntity>;
