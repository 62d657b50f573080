import type { z } from "zod";
import type { SignedRobotConfig } from "../../../../shared/notice-channels.ts";
import type { NoticeSeverity } from "../../../../shared/notices.ts";
import type { SendDeps } from "../deps.ts";
import type { Message, SendOutcome } from "../message.ts";
import { markdownBody, markdownTitle } from "./markdown.ts";
import { post } from "./post.ts";
import { judgeRobot, type RobotCode } from "./robot.ts";
import { secretsOfRobot } from "./shown-text.ts";
import { signForFeishu } from "./signatures.ts";

/** Of the whole body, in UTF-8. */
const MAX_BYTES = 20_000;

const COLOURS = {
  info: "blue",
  warning: "orange",
  critical: "red",
} as const satisfies Record<NoticeSeverity, string>;

const CODES = new Map<number, RobotCode>([
  [9499, { kind: "bug", reason: "飞书无法识别消息的内容" }],
  [11232, { kind: "pause", seconds: 60, reason: "飞书限制了发送频率" }],
  [19021, { kind: "refused", reason: "签名不正确，请检查密钥与服务器时间" }],
]);

export async function sendToFeishu(
  deps: SendDeps,
  config: z.infer<typeof SignedRobotConfig>,
  message: Message,
): Promise<SendOutcome> {
  const timestamp = deps.clock.now();
  const bodyOf = (text: string) =>
    JSON.stringify({
      timestamp: String(timestamp),
      sign: signForFeishu(timestamp, config.secret),
      msg_type: "interactive",
      card: writeCard(message, text),
    });
  const fits = (text: string) => Buffer.byteLength(bodyOf(text)) <= MAX_BYTES;

  const body = bodyOf(markdownBody(message, fits));
  const result = await post(deps, { url: config.url, body });
  return judgeRobot(result, { service: "飞书", codes: CODES, secrets: secretsOfRobot(config) });
}

function writeCard(message: Message, markdown: string) {
  return {
    config: { wide_screen_mode: true },
    header: {
      title: { tag: "plain_text", content: markdownTitle(message) },
      template: COLOURS[message.severity],
    },
    elements: [{ tag: "markdown", content: markdown }],
  };
}
