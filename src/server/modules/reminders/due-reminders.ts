import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { findActiveSuperAdmins } from "../users/queries.ts";
import {
  type DueAssignmentEnd,
  type DueEnd,
  findDueAssignmentEnds,
  findDueHostEnds,
  type Recipient,
} from "./due-ends.ts";
import { EXPIRED_MARK, type ReminderSettingsRow } from "./entity.ts";
import type { DueDays } from "./marks.ts";
import type { SingleReminder } from "./messages.ts";

/** Whatever somebody is to hear on these days, of all ends or of these assignments and hosts. */
export async function findDueReminders(
  em: SqlEntityManager,
  settings: ReminderSettingsRow,
  days: DueDays,
  ids?: readonly string[],
): Promise<SingleReminder[]> {
  const { assignmentMarks, hostMarks } = settings;
  const assignmentEnds = await findDueAssignmentEnds(em, { marks: assignmentMarks, days, ids });
  const hostEnds = await findDueHostEnds(em, { marks: hostMarks, days, ids });
  const superAdmins = settings.remindsSuperAdmin ? await findActiveSuperAdmins(em) : [];

  return [
    ...assignmentEnds.flatMap((end) => toClient(end, settings)),
    ...assignmentEnds.flatMap((end) => toAdmin(end, settings)),
    ...[...assignmentEnds, ...hostEnds].flatMap((end) => toSuperAdmins(end, superAdmins)),
  ];
}

function toClient(
  { client, admin: _, ...end }: DueAssignmentEnd,
  { remindsClient }: ReminderSettingsRow,
): SingleReminder[] {
  if (client === null || !remindsClient) return [];
  return [{ type: typeOf(end), recipient: client, isForClient: true, end }];
}

function toAdmin(
  { admin, client: _, ...end }: DueAssignmentEnd,
  { remindsAdmin }: ReminderSettingsRow,
): SingleReminder[] {
  if (admin === null || !remindsAdmin) return [];
  return [{ type: typeOf(end), recipient: admin, isForClient: false, end }];
}

function toSuperAdmins(end: DueEnd, superAdmins: readonly Recipient[]): SingleReminder[] {
  return superAdmins.map((recipient) => ({
    type: typeOf(end),
    recipient,
    isForClient: false,
    end,
  }));
}

function typeOf({ assignmentId, mark }: DueEnd): SingleReminder["type"] {
  if (mark === EXPIRED_MARK) return assignmentId === null ? "host.expired" : "assignment.expired";
  return assignmentId === null ? "host.expiring" : "assignment.expiring";
}
