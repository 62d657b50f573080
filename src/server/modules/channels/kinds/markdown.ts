import { localTime } from "../../../../shared/shanghai.ts";
import type { Message, MessageHost } from "../message.ts";
import { shortLine } from "./shown-text.ts";

const MAX_TITLE = 100;
const MAX_MESSAGE = 400;
const MAX_NAME = 60;
const MAX_NAMED_USERS = 3;

/**
 * Markup of markdown and mentions, which a robot would obey: `<@all>` in the name of a host would
 * call everybody. Robots differ in how they escape, so each is shown as its full-width twin.
 */
const MARKUP = /[<>[\]*`#~|\\&]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Text from outside as it may stand in markdown: one line, shortened, no markup. */
function plainText(text: string, max: number): string {
  return shortLine(text, max).replace(MARKUP, (character) =>
    String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH_OFFSET),
  );
}

export function markdownTitle({ title }: Pick<Message, "title">): string {
  return plainText(title, MAX_TITLE);
}

/**
 * The message without its title, as markdown that `fits`. Whole lines of hosts are left out until it
 * does, the ones that end last first, and their number is told. Everything else is short enough.
 */
export function markdownBody(message: Message, fits: (markdown: string) => boolean): string {
  let shown = message.hosts.length;
  let body = writeBody(message, shown);
  while (!fits(body) && shown > 0) {
    shown -= 1;
    body = writeBody(message, shown);
  }
  return body;
}

function writeBody({ message, hosts, moreHosts, url }: Message, shown: number): string {
  const lines = hosts.slice(0, shown).map(hostLine);
  const more = moreHosts + hosts.length - shown;
  if (more > 0) lines.push(`> 另有 ${more} 台`);

  const link = url === null ? "" : `[在控制台查看](${url})`;
  const parts = [plainText(message, MAX_MESSAGE), lines.join("\n"), link];
  return parts.filter((part) => part !== "").join("\n\n");
}

function hostLine({ name, userNames, expireTime, daysLeft }: MessageHost): string {
  const host = `> ${plainText(name, MAX_NAME)}${describeUsers(userNames)}`;
  if (expireTime === null || daysLeft === null) return host;

  const end = localTime(expireTime).replace("T", " ");
  return `${host}：${end} ${daysLeft > 0 ? `到期，剩 ${daysLeft} 天` : "已到期"}`;
}

function describeUsers(names: readonly string[]): string {
  if (names.length === 0) return "";
  const named = names.slice(0, MAX_NAMED_USERS).map((name) => plainText(name, MAX_NAME));
  const more = names.length > MAX_NAMED_USERS ? ` 等 ${names.length} 人` : "";
  return `（${named.join("、")}${more}）`;
}
