import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";

const JSON_TYPE = "application/json; charset=utf-8";

/** Parameters of a flat JSON body; none when it is unreadable. */
export async function readParams(request: IncomingMessage): Promise<Map<string, string>> {
  try {
    const fields = Object.entries(JSON.parse(await text(request)));
    return new Map(fields.map(([name, value]) => [name, String(value)]));
  } catch {
    return new Map();
  }
}

/** What goes over the wire. */
export type Reply =
  | HttpReply
  | { how: "drip"; text: string; bytes: number; everyMs: number }
  | { how: "huge"; mebibytes: number; gzip: boolean }
  | { how: "hang" }
  | { how: "reset"; text: string };

export interface HttpReply {
  how: "http";
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

export function jsonReply(text: string): HttpReply {
  return { how: "http", status: 200, headers: { "Content-Type": JSON_TYPE }, text };
}

/** Resolves when the reply is sent. `onEnd` runs before the last byte of an HTTP reply. */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  { signal, onEnd }: { signal: AbortSignal; onEnd: () => void },
): Promise<void> {
  switch (reply.how) {
    case "http": {
      const body = Buffer.from(reply.text);
      response.writeHead(reply.status, { ...reply.headers, "Content-Length": body.length });
      onEnd();
      response.end(body);
      return;
    }
    case "hang":
      return;
    case "reset":
      return await reset(response, reply.text);
    case "drip":
      return await drip(response, reply, signal);
    case "huge": {
      const encoding = reply.gzip ? { "Content-Encoding": "gzip" } : {};
      response.writeHead(200, { "Content-Type": JSON_TYPE, ...encoding });
      const body = Readable.from(padding(reply.mebibytes));
      await (reply.gzip
        ? pipeline(body, createGzip(), response, { signal })
        : pipeline(body, response, { signal }));
    }
  }
}

async function reset(response: ServerResponse, text: string): Promise<void> {
  const { socket } = response;
  if (text !== "") {
    response.writeHead(200, {
      "Content-Type": JSON_TYPE,
      "Content-Length": Buffer.byteLength(text),
    });
    await new Promise<void>((resolve) =>
      response.write(text.slice(0, text.length / 2), () => resolve()),
    );
    // A reset discards what is still queued.
    await sleep(20);
  }
  socket?.resetAndDestroy();
}

async function drip(
  response: ServerResponse,
  { text, bytes, everyMs }: Reply & { how: "drip" },
  signal: AbortSignal,
): Promise<void> {
  const body = Buffer.from(text);
  response.writeHead(200, { "Content-Type": JSON_TYPE, "Content-Length": body.length });
  for (let at = 0; at < body.length; at += bytes) {
    response.write(body.subarray(at, at + bytes));
    await sleep(everyMs, undefined, { signal });
  }
  response.end();
}

function* padding(mebibytes: number): Generator<Buffer> {
  yield Buffer.from('{"RetCode":0,"TotalCount":0,"UHostSet":[],"Padding":"');
  const block = Buffer.alloc(1024 * 1024, "x");
  for (let i = 0; i < mebibytes; i++) yield block;
  yield Buffer.from('"}');
}
