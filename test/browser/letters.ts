import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { composeLetter } from "../../src/server/modules/channels/letter/compose-letter.ts";
import type { Message } from "../../src/server/modules/channels/message.ts";
import { buildMessage, buildMessageHost, MESSAGE_TIME } from "../harness/message.ts";

const DAY = 86_400;
/** A mail program on a desk gives a letter part of its window. */
const SIZES = { desktop: { width: 820, height: 600 }, phone: { width: 360, height: 640 } };

/** One that a client gets, and one that names the users to a super admin. */
const LETTERS: Readonly<Record<string, Message>> = {
  "letter-client": buildMessage({
    title: "3 台主机即将到期",
    message: "您有 3 台主机即将到期，请在到期前申请续费。",
    hosts: [
      host("订单系统-主节点", 1),
      host("web-01", 3),
      host("data-platform-production-cluster-node-0001.example.internal", 7),
    ],
  }),
  "letter-super-admin": buildMessage({
    type: "assignment.expired",
    severity: "critical",
    title: "14 台主机已到期",
    message: "这些主机的分配已到期，请续期或收回。",
    hosts: [
      host("订单系统-主节点", -2, "张克虎"),
      host('<测试> & "演示" 😀', -1, "李明", "王晓华"),
      host("שרת-01", 0, "欧阳慧敏"),
    ],
    moreHosts: 11,
  }),
};

/** Draws letters in both sizes and themes. */
export async function drawLetters(
  browser: Browser,
  output: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const recipient = { name: "张克虎", address: "zhang@example.com" };
  for (const [name, message] of Object.entries(LETTERS)) {
    if (!isWanted(name)) continue;

    const { html } = composeLetter(message, recipient);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [size, viewport] of Object.entries(SIZES)) {
        await using page = await browser.newPage({ viewport, colorScheme, locale: "zh-CN" });
        await page.setContent(html);
        const path = join(output, `${name}-${size}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
}

function host(name: string, days: number, ...userNames: readonly string[]) {
  return buildMessageHost({
    name,
    daysLeft: days,
    expireTime: MESSAGE_TIME + days * DAY,
    userNames,
  });
}
