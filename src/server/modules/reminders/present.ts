import type { Reminder, ReminderSettings } from "../../../shared/reminders.ts";
import { EXPIRED_MARK, type ReminderSettingsRow } from "./entity.ts";
import type { FoundDelivery, FoundReminder } from "./page.ts";

export function presentSettings(row: ReminderSettingsRow): ReminderSettings {
  return {
    isActive: row.isActive,
    assignmentMarks: row.assignmentMarks,
    hostMarks: row.hostMarks,
    sendAt: row.sendAt,
    recipients: {
      client: row.remindsClient,
      admin: row.remindsAdmin,
      superAdmin: row.remindsSuperAdmin,
    },
  };
}

/** Only super admins see reminders, and all of each. */
export function presentReminder(
  row: FoundReminder,
  deliveries: readonly FoundDelivery[],
): Reminder {
  const own = deliveries.filter(
    ({ batchId, noticeId }) =>
      batchId === row.batchId && (noticeId === null || noticeId === row.noticeId),
  );
  return {
    id: row.id,
    type: row.type,
    recipient: { id: row.recipientId, name: row.recipientName },
    mark: presentMark(row.mark),
    hostCount: row.hostCount,
    hosts: row.hosts.map(({ mark, ...host }) => ({ ...host, mark: presentMark(mark) })),
    sentBy: presentSender(row),
    createdAt: row.createdAt,
    deliveries: own.map(({ batchId: _batch, noticeId: _notice, ...delivery }) => delivery),
  };
}

function presentSender({ sentById: id, sentByName: name }: FoundReminder): Reminder["sentBy"] {
  return id === null || name === null ? null : { id, name };
}

/** The type says that an end has passed. */
function presentMark(mark: number | null): number | null {
  return mark === EXPIRED_MARK ? null : mark;
}
