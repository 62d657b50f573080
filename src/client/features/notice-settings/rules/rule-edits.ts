import { DEFAULT_MARKS, DEFAULT_SEND_AT, ReminderSettings } from "@shared/reminders.ts";
import type { z } from "zod";

/** What somebody has changed of the rules and not saved yet. */
export const RuleEdits = ReminderSettings.extend({
  recipients: ReminderSettings.shape.recipients.partial(),
}).partial();
export type RuleEdits = z.infer<typeof RuleEdits>;

/** Those of a new installation. Whether reminders are sent at all is not among them. */
export const DEFAULT_RULES = {
  assignmentMarks: [...DEFAULT_MARKS],
  hostMarks: [...DEFAULT_MARKS],
  sendAt: DEFAULT_SEND_AT,
  recipients: { client: true, admin: true, superAdmin: true },
} satisfies RuleEdits;

/** What is shown: the stored rules with the edits over them, switch by switch. */
export function withEdits(stored: ReminderSettings, edits: RuleEdits): ReminderSettings {
  const { client, admin, superAdmin } = stored.recipients;

  return {
    isActive: edits.isActive ?? stored.isActive,
    assignmentMarks: edits.assignmentMarks ?? stored.assignmentMarks,
    hostMarks: edits.hostMarks ?? stored.hostMarks,
    sendAt: edits.sendAt ?? stored.sendAt,
    recipients: {
      client: edits.recipients?.client ?? client,
      admin: edits.recipients?.admin ?? admin,
      superAdmin: edits.recipients?.superAdmin ?? superAdmin,
    },
  };
}

/** The edits that differ from the stored rules. */
export function changesOf(stored: ReminderSettings, edits: RuleEdits): RuleEdits {
  const { recipients = {}, ...others } = edits;
  const changedRecipients = differing(stored.recipients, recipients);

  return {
    ...differing(stored, others),
    ...(hasFields(changedRecipients) && { recipients: changedRecipients }),
  };
}

export function hasFields(edits: object): boolean {
  return Object.keys(edits).length > 0;
}

function differing<Stored extends object, Edits extends object>(
  stored: Stored,
  edits: Edits,
): Partial<Edits> {
  const before = new Map<string, unknown>(Object.entries(stored));
  const changed: Partial<Edits> = {};
  for (const name in edits) {
    const isSame = JSON.stringify(edits[name]) === JSON.stringify(before.get(name));
    if (!isSame) changed[name] = edits[name];
  }
  return changed;
}
