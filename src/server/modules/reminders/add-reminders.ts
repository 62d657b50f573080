import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { localDay } from "../../../shared/shanghai.ts";
import { createIdGenerator } from "../../platform/id-generator.ts";
import { addNotices, tellGroups } from "../notice-records/add-notices.ts";
import type { RemindersDeps } from "./deps.ts";
import { publishRemindersChanged } from "./events.ts";
import {
  countHosts,
  noticeOf,
  type RemindedEnd,
  type ReminderMessage,
  type ReminderType,
} from "./messages.ts";

interface Occasion {
  /** The same for all notices of a type, so that a group gets one message of them. */
  readonly batchIdOf: (type: ReminderType) => string;
  /** In Unix seconds, by the database's clock. */
  readonly at: number;
  /** Null for the rules. */
  readonly sentBy: SuperAdmin | null;
}

interface SuperAdmin {
  readonly id: string;
  readonly name: string;
}

/** A message with its place in the ledger. */
interface LedgerEntry extends ReminderMessage {
  readonly id: string;
  readonly batchId: string;
  readonly noticeId: string | undefined;
}

/**
 * Adds the messages to the ledger and to the inboxes of their recipients, in the caller's
 * transaction, which has locked the settings: a message is in both or in none.
 */
export async function addReminders(
  { em, jobs }: Pick<RemindersDeps, "em" | "jobs">,
  messages: readonly ReminderMessage[],
  { batchIdOf, at, sentBy }: Occasion,
): Promise<void> {
  if (messages.length === 0) return;

  const notices = messages.map((message) => noticeOf(message, batchIdOf(message.type), at));
  const noticeIds = await addNotices({ em, jobs }, notices, at);
  // What the rules send is told to groups when the day is whole (`remind.ts`).
  if (sentBy !== null) await tellGroups({ em, jobs }, notices, { at });

  const newId = createIdGenerator(messages.length, at);
  const entries = messages.map((message, index) => ({
    ...message,
    id: newId(),
    batchId: batchIdOf(message.type),
    noticeId: noticeIds[index],
  }));
  await insertReminders(em, entries, { at, sentBy });
  await insertHosts(em, entries, at);

  await publishRemindersChanged(em, at);
}

async function insertReminders(
  em: SqlEntityManager,
  entries: readonly LedgerEntry[],
  { at, sentBy }: Pick<Occasion, "at" | "sentBy">,
): Promise<void> {
  const rows = entries.map(({ id, type, recipient, batchId, noticeId, ends }) => ({
    id,
    type,
    recipient_id: recipient.id,
    recipient_name: recipient.name,
    batch_id: batchId,
    notice_id: noticeId,
    mark: nearestMark(ends),
    host_count: countHosts(ends),
    sent_by_id: sentBy?.id ?? null,
    sent_by_name: sentBy?.name ?? null,
  }));
  await sql`
    insert into reminders
      (id, type, recipient_id, recipient_name, batch_id, notice_id, mark, host_count,
       sent_by_id, sent_by_name, created_at)
    select
      id, type, recipient_id, recipient_name, batch_id, notice_id, mark, host_count,
      sent_by_id, sent_by_name, ${at}::bigint
    from json_populate_recordset(null::reminders, ${JSON.stringify(rows)}::json)
  `.execute(em.getKysely());
}

/** There may be thousands: they are sent as one document instead of a parameter for each value. */
async function insertHosts(
  em: SqlEntityManager,
  entries: readonly LedgerEntry[],
  at: number,
): Promise<void> {
  const endCount = entries.reduce((sum, { ends }) => sum + ends.length, 0);
  const newId = createIdGenerator(endCount, at);

  const rows = entries.flatMap(({ id: reminderId, recipient, ends }) =>
    ends.map(({ hostId, hostName, assignmentId, expireTime, mark }) => ({
      id: newId(),
      reminder_id: reminderId,
      recipient_id: recipient.id,
      host_id: hostId,
      host_name: hostName,
      assignment_id: assignmentId,
      expire_time: expireTime,
      mark,
    })),
  );
  await sql`
    insert into reminder_hosts
      (id, reminder_id, recipient_id, host_id, host_name, assignment_id, expire_time, mark, day)
    select
      id, reminder_id, recipient_id, host_id, host_name, assignment_id, expire_time, mark,
      ${localDay(at)}::int
    from json_populate_recordset(null::reminder_hosts, ${JSON.stringify(rows)}::json)
  `.execute(em.getKysely());
}

/** Null when a person sends them. */
function nearestMark(ends: readonly RemindedEnd[]): number | null {
  const marks = ends.flatMap(({ mark }) => (mark === null ? [] : [mark]));
  return marks.length === 0 ? null : Math.min(...marks);
}
