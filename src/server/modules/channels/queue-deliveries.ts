import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import type { NoticeType } from "../../../shared/notices.ts";
import { jsonb } from "../../platform/database/expressions.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { createIdGenerator } from "../../platform/id-generator.ts";
import type { JobQueue } from "../../platform/jobs/queue.ts";
import type { ChannelRow } from "./entity.ts";
import {
  type GroupMessage,
  joinGroupMessages,
  joinSubjects,
  type NoticeSubject,
} from "./group-message.ts";

export const DELIVER_JOB = "deliver-notices";

interface QueueingDeps {
  readonly em: SqlEntityManager;
  readonly jobs: Pick<JobQueue, "send">;
}

/** A notice that goes to its owner by e-mail. */
export interface NewLetter {
  readonly batchId: string;
  readonly noticeId: string;
  readonly type: NoticeType;
}

/** What goes to every group and program, once for a batch and type. */
export interface NewGroupMessage {
  readonly batchId: string;
  readonly type: NoticeType;
  readonly message: GroupMessage;
}

/** In seconds. `delay` gives the other acts of a batch the time to join it. */
interface QueuedAt {
  readonly at: number;
  readonly delay?: number;
}

interface NewDelivery {
  readonly channel_id: string;
  readonly channel_name: string;
  readonly batch_id: string;
  readonly notice_id: string | null;
  readonly type: NoticeType;
  readonly group_message: GroupMessage | null;
}

/**
 * Queues a delivery of each notice through every e-mail channel that has its type, in the
 * transaction that adds the notice, and wakes the workers.
 */
export async function queueLetters(
  deps: QueueingDeps,
  letters: readonly NewLetter[],
  when: QueuedAt,
): Promise<void> {
  if (letters.length === 0) return;

  const channels = await findActiveChannels(deps.em);
  const rows: NewDelivery[] = [];
  for (const channel of channels) {
    if (channel.type !== "email") continue;

    const wanted = letters.filter(({ type }) => channel.types.includes(type));
    for (const { batchId, noticeId, type } of wanted) {
      rows.push(deliveryOf(channel, { batchId, noticeId, type, message: null }));
    }
  }
  await insertDeliveries(deps, rows, when);
}

/**
 * Queues the messages through every other channel that has their type, and wakes the workers. A
 * batch has one of each type: what came with an earlier notice of it stays.
 */
export async function queueGroupMessages(
  deps: QueueingDeps,
  messages: readonly NewGroupMessage[],
  when: QueuedAt,
): Promise<void> {
  if (messages.length === 0) return;

  const channels = await findActiveChannels(deps.em);
  const rows: NewDelivery[] = [];
  for (const channel of channels) {
    if (channel.type === "email") continue;

    const wanted = messages.filter(({ type }) => channel.types.includes(type));
    for (const each of wanted) rows.push(deliveryOf(channel, { ...each, noticeId: null }));
  }
  await insertDeliveries(deps, rows, when);
}

/** In the order in which their jobs are locked until the commit. */
async function findActiveChannels(em: SqlEntityManager) {
  return await kyselyOf(em)
    .selectFrom("notice_channels")
    .select(["id", "name", "type", "types"])
    .where("isActive", "=", true)
    .orderBy("id")
    .execute();
}

interface DeliveryContent extends Omit<NewLetter, "noticeId"> {
  readonly noticeId: string | null;
  readonly message: GroupMessage | null;
}

function deliveryOf(
  { id, name }: Pick<ChannelRow, "id" | "name">,
  { batchId, noticeId, type, message }: DeliveryContent,
): NewDelivery {
  return {
    channel_id: id,
    channel_name: name,
    batch_id: batchId,
    notice_id: noticeId,
    type,
    group_message: message,
  };
}

async function insertDeliveries(
  { em, jobs }: QueueingDeps,
  rows: readonly NewDelivery[],
  { at, delay = 0 }: QueuedAt,
): Promise<void> {
  if (rows.length === 0) return;

  const newId = createIdGenerator(rows.length, at);
  const numbered = rows.map((row) => ({ id: newId(), ...row }));
  await sql`
    insert into notice_deliveries
      (id, channel_id, channel_name, batch_id, notice_id, type, group_message,
       status, next_attempt_at, created_at)
    select id, channel_id, channel_name, batch_id, notice_id, type, group_message,
      'queued', ${at + delay}::bigint, ${at}::bigint
    from json_populate_recordset(null::notice_deliveries, ${JSON.stringify(numbered)}::json)
    order by id
    on conflict (batch_id, channel_id, type, coalesce(notice_id, batch_id)) do nothing
  `.execute(em.getKysely());

  for (const channelId of new Set(rows.map((row) => row.channel_id))) {
    await sendDeliverJob({ em, jobs }, channelId, { delay });
  }
}

interface JoinedBatch {
  readonly batchId: string;
  readonly type: NoticeType;
  readonly subjects: readonly NoticeSubject[];
}

/**
 * Adds to the messages of a batch that wait to be sent. `describe` words what is added by the number
 * of subjects that there are then. The caller has locked the notices of the batch.
 */
export async function joinQueuedMessages(
  em: SqlEntityManager,
  { batchId, type, subjects }: JoinedBatch,
  describe: (count: number) => GroupMessage,
): Promise<void> {
  const queued = await kyselyOf(em)
    .selectFrom("notice_deliveries")
    .select(["id", "groupMessage"])
    .where("batchId", "=", batchId)
    .where("type", "=", type)
    .where("status", "=", "queued")
    .where("groupMessage", "is not", null)
    .orderBy("id")
    .forUpdate()
    .execute();

  for (const { id, groupMessage } of queued) {
    if (groupMessage === null) continue;

    const count = joinSubjects(groupMessage.subjects, subjects).length;
    const joined = joinGroupMessages(groupMessage, describe(count));
    await kyselyOf(em)
      .updateTable("notice_deliveries")
      .set({ groupMessage: jsonb(joined) })
      .where("id", "=", id)
      .execute();
  }
}

/** Wakes the worker of the channel; nothing when it waits or works already. */
export async function sendDeliverJob(
  { em, jobs }: QueueingDeps,
  channelId: string,
  { delay = 0 }: { readonly delay?: number } = {},
): Promise<void> {
  await jobs.send(em, DELIVER_JOB, { channelId }, { singletonKey: channelId, startAfter: delay });
}

/** Makes everything due that waits for another try through the channel. `at` in Unix seconds. */
export async function retryDeliveries(
  em: SqlEntityManager,
  channelId: string,
  at: number,
): Promise<void> {
  await kyselyOf(em)
    .updateTable("notice_deliveries")
    .set({ nextAttemptAt: at })
    .where("channelId", "=", channelId)
    .where("status", "=", "queued")
    .where("nextAttemptAt", ">", at)
    .execute();
}
