import type { ReminderSettings } from "@shared/reminders.ts";

/** `30 天`; 0 is the day of the end. */
export function markText(mark: number): string {
  return mark === 0 ? "到期当天" : `${mark} 天`;
}

/** What the rules mean: a sentence about the ends of assignments, and one about the provider's. */
export function ruleSentences(rules: ReminderSettings): readonly string[] {
  return [
    sentenceOf("分配", rules.assignmentMarks, rules.sendAt, assignmentRecipients(rules)),
    sentenceOf("云端", rules.hostMarks, rules.sendAt, hostRecipients(rules)),
  ];
}

function sentenceOf(
  end: string,
  marks: readonly number[],
  sendAt: string,
  recipients: readonly string[],
): string {
  if (marks.length === 0) return `${end}到期：没有提醒天数，不提醒。`;
  if (recipients.length === 0) return `${end}到期：没有接收人，不提醒。`;

  const who = joinNames(recipients);
  return `${end}到期：${whenText(marks, sendAt)} 提醒${who}，到期次日再提醒一次。`;
}

/** `到期前 30、7 天和当天 09:00` */
function whenText(marks: readonly number[], sendAt: string): string {
  const days = marks.filter((mark) => mark > 0);
  if (days.length === 0) return `到期当天 ${sendAt}`;

  const before = `到期前 ${days.join("、")} 天`;
  return marks.includes(0) ? `${before}和当天 ${sendAt}` : `${before}的 ${sendAt}`;
}

function assignmentRecipients({ recipients }: ReminderSettings): readonly string[] {
  const { client, admin, superAdmin } = recipients;
  const names = [
    client ? "客户" : null,
    admin ? adminName(client) : null,
    superAdmin ? "超级管理员" : null,
  ];
  return names.filter((name) => name !== null);
}

function adminName(isAfterClient: boolean): string {
  return isAfterClient ? "其负责人" : "客户的负责人";
}

/** Nobody else sees when the provider's period ends. */
function hostRecipients({ recipients }: ReminderSettings): readonly string[] {
  return recipients.superAdmin ? ["超级管理员"] : [];
}

/** `客户、其负责人和超级管理员` */
function joinNames(names: readonly string[]): string {
  const first = names.slice(0, -1);
  const last = names.at(-1) ?? "";
  return first.length === 0 ? last : `${first.join("、")}和${last}`;
}
