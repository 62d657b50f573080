import { MAX_EXPIRING_DAYS } from "../../../shared/hosts.ts";
import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";
import { datesApart } from "../../../shared/shanghai.ts";
import type { NewNotice } from "../notice-records/add-notices.ts";
import type { Recipient } from "./due-ends.ts";

export const REMINDER_TYPES = [
  "assignment.expiring",
  "assignment.expired",
  "host.expiring",
  "host.expired",
] as const;
export type ReminderType = (typeof REMINDER_TYPES)[number];

export function isReminderType(type: NoticeType): type is ReminderType {
  const reminders: readonly NoticeType[] = REMINDER_TYPES;
  return reminders.includes(type);
}

/** An end of which a message tells. */
export interface RemindedEnd {
  readonly hostId: string;
  readonly hostName: string;
  readonly assignmentId: string | null;
  /** In Unix seconds. */
  readonly expireTime: number;
  /** Null when a person sends it. */
  readonly mark: number | null;
  /** The provider renews the host by itself. Of an assignment it says nothing. */
  readonly isAutoRenewed: boolean;
}

/** One message to one recipient, of all ends that concern it. */
export interface ReminderMessage {
  readonly type: ReminderType;
  readonly recipient: Recipient;
  readonly isForClient: boolean;
  readonly ends: readonly RemindedEnd[];
}

/** Of one end to one recipient. */
export type SingleReminder = Omit<ReminderMessage, "ends"> & { readonly end: RemindedEnd };

/** Joins what one recipient is to hear of one type. */
export function joinReminders(singles: readonly SingleReminder[]): ReminderMessage[] {
  const joined = Map.groupBy(singles, ({ type, recipient }) => `${type} ${recipient.id}`);
  return [...joined.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];

    const { type, recipient, isForClient } = first;
    return { type, recipient, isForClient, ends: group.map(({ end }) => end) };
  });
}

/** The notice in the inbox of the recipient. */
export function noticeOf(message: ReminderMessage, batchId: string, now: number): NewNotice {
  const { type, recipient } = message;
  return { userId: recipient.id, batchId, type, ...describeReminder(message, now) };
}

type DescribedReminder = Omit<ReminderMessage, "recipient">;

/**
 * What a message says. It names counts, not hosts, and no date: the host that ends first may have
 * been taken back when it is read, and then neither its name nor its end is the reader's to know.
 */
export function describeReminder(
  reminder: DescribedReminder,
  now: number,
): Omit<NewNotice, "userId" | "batchId" | "type"> {
  const { type, ends } = reminder;
  const firstEnd = Math.min(...ends.map(({ expireTime }) => expireTime));

  return {
    severity: severityOf(type, datesApart(now, firstEnd)),
    title: `${countHosts(ends)} 台主机${TITLES[type]}`,
    message: adviceOf(reminder),
    link: linkTo(reminder, now),
    subjects: ends.map(({ hostId, assignmentId }) => ({ hostId, assignmentId })),
  };
}

/** Several clients may have one host. */
export function countHosts(ends: readonly RemindedEnd[]): number {
  return new Set(ends.map(({ hostId }) => hostId)).size;
}

const TITLES: Readonly<Record<ReminderType, string>> = {
  "assignment.expiring": "即将到期",
  "assignment.expired": "已到期",
  "host.expiring": "云端即将到期",
  "host.expired": "云端已到期",
};

const URGENT_DAYS = 1;
const SOON_DAYS = 7;

/** `days` from today until the first end. */
function severityOf(type: ReminderType, days: number): NoticeSeverity {
  const isExpired = type === "assignment.expired" || type === "host.expired";
  if (isExpired || days <= URGENT_DAYS) return "critical";
  return days <= SOON_DAYS ? "warning" : "info";
}

function adviceOf({ type, isForClient, ends }: DescribedReminder): string {
  switch (type) {
    case "assignment.expiring":
      return isForClient ? "如需继续使用，请及时申请续费。" : "请提前与用户确认是否续费。";
    case "assignment.expired":
      return isForClient ? "如需继续使用，请尽快申请续费。" : "请与用户确认续费，或收回主机。";
    case "host.expiring":
      return "这些主机不会自动续费，请及时在云服务商处续费。";
    case "host.expired":
      return `${failedRenewals(ends)}请尽快在云服务商处续费，否则主机可能被删除。`;
  }
}

function failedRenewals(ends: readonly RemindedEnd[]): string {
  const count = countHosts(ends.filter(({ isAutoRenewed }) => isAutoRenewed));
  return count === 0 ? "" : `其中 ${count} 台自动续费未成功。`;
}

/**
 * One host is opened. Several have a list that has them all, for a group; the list of just these is
 * its reader's (`linkOfNotice`). Its filters count days of 24 hours from the moment.
 */
function linkTo({ type, ends }: DescribedReminder, now: number): string {
  const [first] = ends;
  if (first !== undefined && countHosts(ends) === 1) return `/hosts?host=${first.hostId}`;

  const lastEnd = Math.max(...ends.map(({ expireTime }) => expireTime));
  const days = Math.min(Math.max(datesApart(now, lastEnd) + 1, 1), MAX_EXPIRING_DAYS);
  switch (type) {
    case "assignment.expiring":
      return `/hosts?assignedExpiring=${days}`;
    case "assignment.expired":
      return "/hosts?assignedExpired=true";
    case "host.expiring":
      return `/hosts?expiring=${days}&autoRenew=false`;
    case "host.expired":
      return "/hosts?expired=true";
  }
}
