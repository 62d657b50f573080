import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { ChannelType, DeliveryStatus } from "../../../shared/notice-channels.ts";
import type { NoticeType } from "../../../shared/notices.ts";
import type { GroupMessage } from "./group-message.ts";

/** A way out of the console for notices: e-mail, the robot of a group, a webhook. */
export const ChannelEntity = defineEntity({
  name: "NoticeChannel",
  tableName: "notice_channels",
  properties: (p) => ({
    id: p.uuid().primary(),
    name: p.text(),
    type: p.text().$type<ChannelType>(),
    isActive: p.boolean().default(true),
    /** Its whole configuration as JSON: the address of a robot is a secret, too. */
    configSealed: p.text().lazy().hidden(),
    /** What it is to send. */
    types: p.json<NoticeType[]>().defaultRaw("'[]'"),
    /** It asked for a pause until then, in Unix seconds: too many messages. */
    pausedUntil: p.bigint("number").nullable(),
    createdAt: p.bigint("number"),
  }),
});
export type ChannelRow = InferEntity<typeof ChannelEntity>;

/**
 * One message through one channel. By e-mail each notice is a message of its own to its owner; to a
 * group or a webhook goes one message for all notices of a type in a batch. Without foreign keys: it
 * outlives channel and notice, and is kept as long as the ledger of reminders.
 */
export const DeliveryEntity = defineEntity({
  name: "NoticeDelivery",
  tableName: "notice_deliveries",
  properties: (p) => ({
    /** A UUIDv7; stays the same over all tries, so that the other side can drop a repetition. */
    id: p.uuid().primary(),
    channelId: p.uuid(),
    /** As named then. */
    channelName: p.text(),
    batchId: p.uuid(),
    /** Of an e-mail; null for what tells of the whole batch. */
    noticeId: p.uuid().nullable(),
    type: p.text().$type<NoticeType>(),
    /** What it says of the batch, until it is decided; null for an e-mail. */
    groupMessage: p.json<GroupMessage>().nullable(),
    status: p.text().$type<DeliveryStatus>(),
    attempts: p.integer().default(0),
    /** When it is due, in Unix seconds; null once it is decided. */
    nextAttemptAt: p.bigint("number").nullable(),
    lastAttemptAt: p.bigint("number").nullable(),
    /** Why the last try failed, or why nothing was sent: a sentence for people. */
    error: p.text().nullable(),
    createdAt: p.bigint("number"),
  }),
  indexes: [
    {
      name: "notice_deliveries_once",
      expression: `create unique index notice_deliveries_once
        on notice_deliveries (batch_id, channel_id, type, coalesce(notice_id, batch_id))`,
    },
    {
      name: "notice_deliveries_due",
      expression: `create index notice_deliveries_due
        on notice_deliveries (channel_id, next_attempt_at) where status = 'queued'`,
    },
    {
      name: "notice_deliveries_unsent",
      expression: `create index notice_deliveries_unsent
        on notice_deliveries (status, batch_id, notice_id) where status <> 'sent'`,
    },
    {
      name: "notice_deliveries_newest",
      expression: `create index notice_deliveries_newest
        on notice_deliveries (channel_id, last_attempt_at desc) where last_attempt_at is not null`,
    },
  ],
  checks: [
    {
      name: "notice_deliveries_status_check",
      expression: "status in ('queued', 'sent', 'failed', 'skipped')",
    },
  ],
});
export type DeliveryRow = InferEntity<typeof DeliveryEntity>;
