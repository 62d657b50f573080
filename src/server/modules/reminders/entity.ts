import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { NoticeType } from "../../../shared/notices.ts";

/** The mark of the day after an end (`marks.ts`). */
export const EXPIRED_MARK = -1;

/** One row, which a migration made: the rules, and how far they have been followed. */
export const ReminderSettingsEntity = defineEntity({
  name: "ReminderSettings",
  tableName: "reminder_settings",
  properties: (p) => ({
    id: p.integer().primary().autoincrement(false),
    isActive: p.boolean(),
    /** Days before the end of an assignment; the largest first. */
    assignmentMarks: p.json<number[]>().defaultRaw("'[30, 7, 3, 1, 0]'"),
    /** The same before the provider's end of a host. */
    hostMarks: p.json<number[]>().defaultRaw("'[30, 7, 3, 1, 0]'"),
    /** A time of day in Shanghai, such as `09:00`. */
    sendAt: p.text().default("09:00"),
    remindsClient: p.boolean().default(true),
    remindsAdmin: p.boolean().default(true),
    remindsSuperAdmin: p.boolean().default(true),
    /** When somebody changed the rules last, in Unix seconds; 0 for never. */
    savedAt: p.bigint("number").defaultRaw("0"),
    /**
     * The last day whose marks have all been sent, as days since 1970-01-01 in Shanghai; null before
     * the first one.
     */
    coveredDay: p.integer().nullable(),
  }),
  checks: [{ name: "reminder_settings_id_check", expression: "id = 1" }],
});
export type ReminderSettingsRow = InferEntity<typeof ReminderSettingsEntity>;

/**
 * The ledger: one message to one recipient. Without foreign keys: it outlives the user, the hosts
 * and the notice in the inbox.
 */
export const ReminderEntity = defineEntity({
  name: "Reminder",
  tableName: "reminders",
  properties: (p) => ({
    /** A UUIDv7 of the time `createdAt`. */
    id: p.uuid().primary(),
    type: p.text().$type<NoticeType>(),
    recipientId: p.uuid(),
    /** As named then. */
    recipientName: p.text(),
    /** Of its notice: the same for all recipients of a type and day. */
    batchId: p.uuid(),
    noticeId: p.uuid(),
    /** The nearest of its hosts'; null when a person sent it. */
    mark: p.integer().nullable(),
    hostCount: p.integer(),
    /** The person who sent it, as named then; null for the rules. */
    sentById: p.uuid().nullable(),
    sentByName: p.text().nullable(),
    createdAt: p.bigint("number"),
  }),
  indexes: [
    {
      name: "reminders_of_batches",
      expression: "create unique index reminders_of_batches on reminders (batch_id, recipient_id)",
    },
    {
      name: "reminders_of_recipients",
      expression: "create index reminders_of_recipients on reminders (recipient_id, id desc)",
    },
  ],
});

/**
 * An end of which a message tells. Two unique indexes keep the promises of the ledger, whatever
 * crashes, however many replicas run and wherever a clock is set: each recipient hears once of each
 * mark of an end, and at most once a day what a person sends of a host.
 */
export const ReminderHostEntity = defineEntity({
  name: "ReminderHost",
  tableName: "reminder_hosts",
  properties: (p) => ({
    /** A UUIDv7 of the time of its reminder. */
    id: p.uuid().primary(),
    reminderId: p.uuid(),
    recipientId: p.uuid(),
    hostId: p.uuid(),
    /** As named then. */
    hostName: p.text(),
    /** Whose end it is; null where it is the host's at the provider. */
    assignmentId: p.uuid().nullable(),
    /** In Unix seconds. */
    expireTime: p.bigint("number"),
    /** Days before the end, -1 after it (`marks.ts`); null when a person sent it. */
    mark: p.integer().nullable(),
    /** On which it was sent, as days since 1970-01-01 in Shanghai. */
    day: p.integer(),
  }),
  indexes: [
    { name: "reminder_hosts_of_reminders", properties: ["reminderId", "expireTime", "id"] },
    { name: "reminder_hosts_of_hosts", properties: ["hostId", "reminderId"] },
    {
      name: "reminder_hosts_once_a_mark",
      expression: `create unique index reminder_hosts_once_a_mark
        on reminder_hosts (coalesce(assignment_id, host_id), expire_time, mark, recipient_id)
        where mark is not null`,
    },
    {
      name: "reminder_hosts_once_a_day",
      expression: `create unique index reminder_hosts_once_a_day
        on reminder_hosts (host_id, recipient_id, day) where mark is null`,
    },
  ],
});
