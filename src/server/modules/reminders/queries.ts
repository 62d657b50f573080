import { paginate } from "../../../shared/page.ts";
import type {
  ListRemindersInput,
  ReminderList,
  ReminderSettings,
} from "../../../shared/reminders.ts";
import type { RemindersDeps } from "./deps.ts";
import { ReminderSettingsEntity } from "./entity.ts";
import { findPage, readDeliveries, readReminders } from "./page.ts";
import { presentReminder, presentSettings } from "./present.ts";

/** They are one row, which a migration made. */
export async function getReminderSettings({
  em,
}: Pick<RemindersDeps, "em">): Promise<ReminderSettings> {
  return presentSettings(await em.findOneOrFail(ReminderSettingsEntity, { id: 1 }));
}

/** Newest first. */
export async function listReminders(
  { em }: Pick<RemindersDeps, "em">,
  input: ListRemindersInput,
): Promise<ReminderList> {
  const { ids, total } = await findPage(em, input);
  const rows = await readReminders(em, ids);
  const deliveries = await readDeliveries(em, rows);

  return {
    reminders: rows.map((row) => presentReminder(row, deliveries)),
    pagination: paginate(input, total),
  };
}
