import { NOTICE_TYPE_LABELS, type NoticeType } from "../../../../shared/notices.ts";
import { localDate } from "../../../../shared/shanghai.ts";
import type { Message, MessageHost, Recipient } from "../message.ts";

export interface HostLine {
  readonly name: string;
  /** `2026-12-01` of Shanghai. */
  readonly end: string;
  readonly timeLeft: string;
  readonly userNames: readonly string[];
}

/** What a letter says: its two forms lay out the same words. */
export interface Letter {
  readonly greeting: string;
  /** What it is about, in a few words above the title; null where the title says just that. */
  readonly kind: string | null;
  readonly title: string;
  readonly message: string;
  readonly columns: {
    readonly end: string;
    readonly timeLeft: string;
    readonly users: string;
  };
  /** Without ends nothing of the hosts ends, without users its reader is the one who has them. */
  readonly hasEnds: boolean;
  readonly hasUsers: boolean;
  readonly hosts: readonly HostLine[];
  /** Null when all hosts are named. */
  readonly more: string | null;
  /** Null while the console does not know its own address. */
  readonly button: { readonly label: string; readonly url: string } | null;
  readonly reason: string;
  readonly switchOff: string;
  readonly accountUrl: string | null;
}

const TEST_KIND = "测试邮件";
const NOTHING = "—";

/** Where a reader switches the letters off; null while the console does not know its own address. */
export function accountUrl({ url }: Pick<Message, "url">): string | null {
  return url === null ? null : new URL("/account", url).href;
}

export function writeLetter(message: Message, { name, address }: Recipient): Letter {
  const { type, title, hosts, moreHosts, url } = message;
  const kind = type === "test" ? TEST_KIND : NOTICE_TYPE_LABELS[type];
  return {
    greeting: `${oneLine(name)}，您好：`,
    kind: kind === title ? null : kind,
    title: oneLine(title),
    message: message.message,
    columns: { end: nameOfEnd(type), timeLeft: "剩余天数", users: "用户" },
    hasEnds: hosts.some(({ expireTime }) => expireTime !== null),
    hasUsers: hosts.some(({ userNames }) => userNames.length > 0),
    hosts: hosts.map(hostLine),
    more: moreHosts > 0 ? `另有 ${moreHosts} 台` : null,
    button: url === null ? null : { label: "在控制台中查看", url },
    reason: `您收到这封邮件，是因为您在多主机管理系统中的账号使用邮箱 ${address}。`,
    switchOff: "如不想再收到，可在控制台的“个人设置”中关闭“邮件通知”。",
    accountUrl: accountUrl(message),
  };
}

function hostLine({ name, expireTime, daysLeft, userNames }: MessageHost): HostLine {
  return {
    name: oneLine(name),
    end: expireTime === null ? NOTHING : localDate(expireTime),
    timeLeft: daysLeft === null ? NOTHING : describeDaysLeft(daysLeft),
    userNames: userNames.map(oneLine),
  };
}

/** The provider's end is told apart from that of an assignment. */
function nameOfEnd(type: NoticeType | "test"): string {
  return type === "host.expiring" || type === "host.expired" ? "云端到期" : "到期日期";
}

/** Days are rounded up, so none are left within the day after the end. */
function describeDaysLeft(days: number): string {
  if (days > 0) return `${days} 天`;
  return days < 0 ? `已过期 ${-days} 天` : "过期不到 1 天";
}

/** Names may hold line breaks, which would forge lines of the letter. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
