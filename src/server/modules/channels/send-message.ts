import type { SendDeps } from "./deps.ts";
import { sendToDingtalk } from "./kinds/dingtalk.ts";
import { sendEmail } from "./kinds/email.ts";
import { sendToFeishu } from "./kinds/feishu.ts";
import { sendToWebhook } from "./kinds/webhook.ts";
import { sendToWecom } from "./kinds/wecom.ts";
import type { Message, Recipient, SendOutcome } from "./message.ts";
import type { ChannelSetup } from "./sealed-config.ts";

/** Every kind of channel, and how it sends. Only e-mail goes to a person: to `recipient`. */
export async function sendMessage(
  deps: SendDeps,
  channel: ChannelSetup,
  message: Message,
  recipient: Recipient | null,
): Promise<SendOutcome> {
  switch (channel.type) {
    case "email":
      if (recipient === null) return { kind: "undeliverable", error: "没有收件人的邮箱地址" };
      return await sendEmail(deps, channel.config, message, recipient);
    case "wecom":
      return await sendToWecom(deps, channel.config, message);
    case "dingtalk":
      return await sendToDingtalk(deps, channel.config, message);
    case "feishu":
      return await sendToFeishu(deps, channel.config, message);
    case "webhook":
      return await sendToWebhook(deps, channel.config, message);
  }
}
