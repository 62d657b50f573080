import type { ReminderSettings } from "../../../shared/reminders.ts";
import { localDay } from "../../../shared/shanghai.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { type Fields, fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import type { RemindersDeps } from "./deps.ts";
import type { ReminderSettingsRow } from "./entity.ts";
import { publishRemindersChanged } from "./events.ts";
import { lockReminderSettings } from "./locks.ts";
import { presentSettings } from "./present.ts";

/**
 * Replaces the rules. Today is looked at once more by the new ones, at their time; what was sent of it
 * is not sent again. Marks of the time during which nobody was reminded are not made up for.
 */
export async function updateReminderSettings(
  deps: RemindersDeps,
  input: ReminderSettings,
): Promise<ReminderSettings> {
  return await inTransaction(deps, async (em) => {
    const row = await lockReminderSettings(em);
    const before = presentSettings(row);
    const now = await deps.databaseClock.now(em);
    const changes = fieldChanges(auditedFields(before), auditedFields(input));
    const record = { action: "reminders.updateSettings", changes } as const;
    await recordAudit({ ...deps, em }, record, now);
    if (changes.length === 0) return before;

    em.assign(row, {
      isActive: input.isActive,
      assignmentMarks: input.assignmentMarks,
      hostMarks: input.hostMarks,
      sendAt: input.sendAt,
      remindsClient: input.recipients.client,
      remindsAdmin: input.recipients.admin,
      remindsSuperAdmin: input.recipients.superAdmin,
      savedAt: now,
      coveredDay: coveredDayOf(row, before, localDay(now) - 1),
    });
    await em.flush();

    await publishRemindersChanged(em, now);
    return presentSettings(row);
  });
}

function coveredDayOf(
  { coveredDay }: ReminderSettingsRow,
  { isActive: wasActive }: ReminderSettings,
  yesterday: number,
): number {
  return wasActive ? Math.min(coveredDay ?? yesterday, yesterday) : yesterday;
}

/** What the audit log compares. Both come with their marks in order. */
function auditedFields(settings: ReminderSettings): Fields {
  const { isActive, assignmentMarks, hostMarks, sendAt, recipients } = settings;
  return {
    isActive,
    assignmentMarks: assignmentMarks.map(String),
    hostMarks: hostMarks.map(String),
    sendAt,
    "recipients.client": recipients.client,
    "recipients.admin": recipients.admin,
    "recipients.superAdmin": recipients.superAdmin,
  };
}
