import { createHmac } from "node:crypto";

/** Base64. `timestamp` in milliseconds. */
export function signForDingtalk(timestamp: number, secret: string): string {
  return createHmac("sha256", secret).update(`${timestamp}\n${secret}`).digest("base64");
}

/** Base64; what is signed is the key of an empty text. `timestamp` in seconds. */
export function signForFeishu(timestamp: number, secret: string): string {
  return createHmac("sha256", `${timestamp}\n${secret}`).digest("base64");
}

/** The value of `webhook-signature`. `timestamp` in seconds. */
export function signWebhook(
  {
    id,
    timestamp,
    body,
  }: { readonly id: string; readonly timestamp: number; readonly body: string },
  secret: string,
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const text = `${id}.${timestamp}.${body}`;
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}
