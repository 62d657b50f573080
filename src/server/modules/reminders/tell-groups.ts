import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { startOfLocalDay } from "../../../shared/shanghai.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { lowestIdAt } from "../../platform/id-generator.ts";
import type { NewGroupMessage } from "../channels/queue-deliveries.ts";
import { queueGroupMessages } from "../channels/queue-deliveries.ts";
import type { RemindersDeps } from "./deps.ts";
import type { DueDays } from "./marks.ts";
import { describeReminder, isReminderType, type RemindedEnd } from "./messages.ts";

/**
 * Queues what groups and programs hear of the days that are due: one message for each batch, of all
 * the ends that the ledger has of it. So it is called when the last recipient has its reminder.
 * Before that a group would be told of the first of them alone, and never of the rest. Batches that
 * rules of before left unfinished are among them; one that is queued already stays as it is.
 */
export async function tellGroups(
  deps: Pick<RemindersDeps, "em" | "jobs">,
  days: DueDays,
): Promise<void> {
  const batches = await findBatches(deps.em, days);

  const messages: NewGroupMessage[] = [];
  for (const { batchId, type } of batches) {
    if (!isReminderType(type)) continue;

    const ends = await findEnds(deps.em, batchId);
    const reminder = describeReminder({ type, isForClient: false, ends }, days.now);
    const { title, message, severity, link, subjects } = reminder;
    const text = { title, message };
    messages.push({ batchId, type, message: { severity, text, link, userIds: [], subjects } });
  }
  await queueGroupMessages(deps, messages, { at: days.now });
}

/** Those that the rules have made. */
async function findBatches(em: SqlEntityManager, { after }: DueDays) {
  return await kyselyOf(em)
    .selectFrom("reminders")
    .select(["batchId", "type"])
    .distinct()
    .where("id", ">=", lowestIdAt(startOfLocalDay(after + 1)))
    .where("mark", "is not", null)
    .orderBy("batchId")
    .execute();
}

/** Each once, to however many recipients it was told. */
async function findEnds(em: SqlEntityManager, batchId: string): Promise<RemindedEnd[]> {
  const rows = await kyselyOf(em)
    .selectFrom("reminders as r")
    .innerJoin("reminder_hosts as end", "end.reminderId", "r.id")
    .leftJoin("hosts as h", "h.id", "end.hostId")
    .select(["end.hostId", "end.hostName", "end.assignmentId", "end.expireTime", "end.mark"])
    .select((eb) => eb("h.autoRenew", "is", true).as("isAutoRenewed"))
    .distinct()
    .where("r.batchId", "=", batchId)
    .orderBy("end.expireTime")
    .orderBy("end.hostId")
    .execute();
  return rows.map((row) => ({ ...row, isAutoRenewed: row.isAutoRenewed === true }));
}
