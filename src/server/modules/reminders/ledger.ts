import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { v5 as idOfName } from "uuid";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import {
  REMINDER_TYPES,
  type RemindedEnd,
  type ReminderType,
  type SingleReminder,
} from "./messages.ts";

const NAMESPACE = "0b9c3f1e-5a56-4c53-9d0a-6f5f0a3f7c11";

/** A day, by the rules that were saved then. */
interface PlannedDay {
  readonly settings: { readonly savedAt: number };
  readonly days: { readonly today: number };
}

/**
 * The batch of a type and day. Computed, and so the same after a crash: a recipient has one message
 * of a batch. Rules that are saved make another batch of the day, for what they add.
 */
export function batchIdOf({ settings, days }: PlannedDay): (type: ReminderType) => string {
  return (type) => idOfName(`${type} ${days.today} ${settings.savedAt}`, NAMESPACE);
}

/** How many messages of the day were sent, whichever process has sent them. */
export async function countSent(em: SqlEntityManager, plan: PlannedDay): Promise<number> {
  const batchIds = REMINDER_TYPES.map(batchIdOf(plan));
  const { sent } = await kyselyOf(em)
    .selectFrom("reminders as r")
    .select((eb) => eb.fn.countAll<number>().as("sent"))
    .where("r.batchId", "=", anyOf(batchIds))
    .executeTakeFirstOrThrow();
  return sent;
}

/** What an end is of: an assignment, or a host at the provider. */
export function endIdOf({ assignmentId, hostId }: RemindedEnd): string {
  return assignmentId ?? hostId;
}

/**
 * Without the recipients who have the message of the batch already, and without the marks of which
 * they have heard on another day or by other rules. The caller has locked the settings.
 */
export async function withoutSent(
  em: SqlEntityManager,
  reminders: readonly SingleReminder[],
  plan: PlannedDay,
): Promise<SingleReminder[]> {
  const batchOf = batchIdOf(plan);
  const batches = await findBatches(em, reminders, batchOf);
  const marks = await findMarks(em, reminders);

  return reminders.filter(({ type, recipient, end }) => {
    const hasBatch = batches.has(`${batchOf(type)} ${recipient.id}`);
    return !hasBatch && !marks.has(markKey(recipient.id, endIdOf(end), end));
  });
}

/** By batch and recipient. */
async function findBatches(
  em: SqlEntityManager,
  reminders: readonly SingleReminder[],
  batchOf: (type: ReminderType) => string,
): Promise<ReadonlySet<string>> {
  const batchIds = new Set(reminders.map(({ type }) => batchOf(type)));
  const found = await kyselyOf(em)
    .selectFrom("reminders as r")
    .select(["r.batchId", "r.recipientId"])
    .where("r.batchId", "=", anyOf([...batchIds]))
    .execute();
  return new Set(found.map(({ batchId, recipientId }) => `${batchId} ${recipientId}`));
}

/** Of these ends, as `markKey` names them. */
async function findMarks(
  em: SqlEntityManager,
  reminders: readonly SingleReminder[],
): Promise<ReadonlySet<string>> {
  const endIds = new Set(reminders.map(({ end }) => endIdOf(end)));
  const found = await kyselyOf(em)
    .selectFrom("reminder_hosts as sent")
    .select(["sent.recipientId", "sent.expireTime", "sent.mark"])
    .select((eb) => eb.fn.coalesce("sent.assignmentId", "sent.hostId").as("endId"))
    .where((eb) => eb(eb.fn.coalesce("sent.assignmentId", "sent.hostId"), "=", anyOf([...endIds])))
    .where("sent.mark", "is not", null)
    .execute();
  return new Set(found.map((row) => markKey(row.recipientId, row.endId, row)));
}

function markKey(
  recipientId: string,
  endId: string,
  { expireTime, mark }: Pick<RemindedEnd, "expireTime" | "mark">,
): string {
  return `${recipientId} ${endId} ${expireTime} ${mark}`;
}
