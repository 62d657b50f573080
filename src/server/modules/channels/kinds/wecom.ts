import type { z } from "zod";
import type { WecomConfig } from "../../../../shared/notice-channels.ts";
import type { SendDeps } from "../deps.ts";
import type { Message, SendOutcome } from "../message.ts";
import { markdownBody, markdownTitle } from "./markdown.ts";
import { post } from "./post.ts";
import { judgeRobot, type RobotCode } from "./robot.ts";
import { secretsOfRobot } from "./shown-text.ts";

/** Of the content, in UTF-8. */
const MAX_BYTES = 4_096;

const CODES = new Map<number, RobotCode>([
  [45009, { kind: "pause", seconds: 60, reason: "企业微信限制了发送频率" }],
  [93000, { kind: "refused", reason: "地址中的 key 不正确，或机器人已被移除" }],
]);

export async function sendToWecom(
  deps: SendDeps,
  { url }: z.infer<typeof WecomConfig>,
  message: Message,
): Promise<SendOutcome> {
  const body = { msgtype: "markdown", markdown: { content: writeContent(message) } };
  const result = await post(deps, { url, body: JSON.stringify(body) });
  return judgeRobot(result, {
    service: "企业微信",
    codes: CODES,
    secrets: secretsOfRobot({ url }),
  });
}

function writeContent(message: Message): string {
  const title = `### ${markdownTitle(message)}\n\n`;
  const fits = (text: string) => Buffer.byteLength(title + text) <= MAX_BYTES;
  return title + markdownBody(message, fits);
}
