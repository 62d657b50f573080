import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

const JSON_TYPE = "application/json; charset=utf-8";

/** Parameters of a flat JSON object; none when the body is unreadable. */
export async function readParams(request: IncomingMessage): Promise<Map<string, string>> {
  try {
    const fields = Object.entries(JSON.parse(await text(request)));
    return new Map(fields.map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map();
  }
}

/** What goes over the wire: an HTTP response, nothing, or a TCP reset. */
export type Reply = HttpReply | "hang" | "reset";

interface HttpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

export function jsonReply(text: string): HttpReply {
  return { status: 200, headers: { "Content-Type": JSON_TYPE }, text };
}

/** `onEnd` runs before the last byte of an HTTP response. */
export function sendReply(response: ServerResponse, reply: Reply, onEnd: () => void): void {
  if (reply === "hang") return;
  if (reply === "reset") return void response.socket?.resetAndDestroy();
  const body = Buffer.from(reply.text);
  response.writeHead(reply.status, { ...reply.headers, "Content-Length": body.length });
  onEnd();
  response.end(body);
}
