import type { z } from "zod";
import type { SignedRobotConfig } from "../../../../shared/notice-channels.ts";
import type { SendDeps } from "../deps.ts";
import type { Message, SendOutcome } from "../message.ts";
import { markdownBody, markdownTitle } from "./markdown.ts";
import { post } from "./post.ts";
import { judgeRobot, type RobotCode } from "./robot.ts";
import { secretsOfRobot } from "./shown-text.ts";
import { signForDingtalk } from "./signatures.ts";

/** Of the whole body, in UTF-8. */
const MAX_BYTES = 20_000;

const TOO_MANY: RobotCode = {
  kind: "pause",
  seconds: 600,
  reason: "钉钉限制了发送频率，十分钟后再发送",
};
const UNKNOWN_TOKEN: RobotCode = {
  kind: "refused",
  reason: "地址中的 access_token 不正确，或机器人已被移除",
};
const CODES = new Map<number, RobotCode>([
  [130101, TOO_MANY],
  [660026, TOO_MANY],
  [300001, UNKNOWN_TOKEN],
  [300005, UNKNOWN_TOKEN],
  [310000, { kind: "refused", reason: "钉钉的安全设置不匹配，请检查密钥、关键词与 IP 地址" }],
]);

export async function sendToDingtalk(
  deps: SendDeps,
  config: z.infer<typeof SignedRobotConfig>,
  message: Message,
): Promise<SendOutcome> {
  const title = markdownTitle(message);
  const bodyOf = (text: string) =>
    JSON.stringify({ msgtype: "markdown", markdown: { title, text: `### ${title}\n\n${text}` } });
  const fits = (text: string) => Buffer.byteLength(bodyOf(text)) <= MAX_BYTES;

  const url = signedUrl(config, deps.clock.now() * 1000);
  const result = await post(deps, { url, body: bodyOf(markdownBody(message, fits)) });
  return judgeRobot(result, { service: "钉钉", codes: CODES, secrets: secretsOfRobot(config) });
}

/** `timestamp` in milliseconds. */
function signedUrl({ url, secret }: z.infer<typeof SignedRobotConfig>, timestamp: number): string {
  const signed = new URL(url);
  signed.searchParams.set("timestamp", String(timestamp));
  signed.searchParams.set("sign", signForDingtalk(timestamp, secret));
  return signed.href;
}
