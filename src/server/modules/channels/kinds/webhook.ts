import type { z } from "zod";
import type { WebhookConfig } from "../../../../shared/notice-channels.ts";
import type { SendDeps } from "../deps.ts";
import type { Message, SendOutcome } from "../message.ts";
import { post } from "./post.ts";
import { signWebhook } from "./signatures.ts";

/** Signed as https://www.standardwebhooks.com says, version 1. */
export async function sendToWebhook(
  deps: SendDeps,
  { url, secret }: z.infer<typeof WebhookConfig>,
  message: Message,
): Promise<SendOutcome> {
  const timestamp = deps.clock.now();
  const body = JSON.stringify(bodyOf(message, timestamp));
  const headers = {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signWebhook({ id: message.id, timestamp, body }, secret),
  };

  const result = await post(deps, { url, body, headers });
  if (result.kind === "failed") return result.outcome;
  return { kind: "sent", answer: `对方已接受（HTTP ${result.answer.status}）` };
}

/** docs/api.md (Webhooks) describes it. */
function bodyOf({ type, url, hosts, moreHosts, ...message }: Message, timestamp: number) {
  return {
    type,
    timestamp: new Date(timestamp * 1000).toISOString(),
    data: {
      id: message.id,
      severity: message.severity,
      title: message.title,
      message: message.message,
      createdAt: message.createdAt,
      hosts: hosts.map(({ hostId, name, expireTime, daysLeft, userNames }) => {
        return { hostId, hostName: name, expireTime, daysLeft, users: userNames };
      }),
      moreHosts,
      link: url,
    },
  };
}
