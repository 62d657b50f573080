import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";

/** What finally goes over the wire. */
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

const JSON_TYPE = "application/json; charset=utf-8";

export function jsonReply(text: string): HttpReply {
  return { how: "http", status: 200, headers: { "Content-Type": JSON_TYPE }, text };
}

/**
 * Sends a reply; resolves when it is sent or the caller is gone.
 * @param done called just before the last byte leaves, so that a caller's next call is never counted beside this one
 */
export async function sendReply(
  response: ServerResponse,
  reply: Reply,
  signal: AbortSignal,
  done: () => void,
): Promise<void> {
  switch (reply.how) {
    case "http": {
      const body = Buffer.from(reply.text);
      response.writeHead(reply.status, { ...reply.headers, "Content-Length": body.length });
      done();
      response.end(body);
      return;
    }
    case "hang":
      return;
    case "reset":
      await reset(response, reply.text);
      return;
    case "drip":
      await drip(response, reply, signal);
      return;
    case "huge":
      await huge(response, reply, signal);
      return;
  }
}

async function reset(response: ServerResponse, text: string): Promise<void> {
  const { socket } = response;
  if (text !== "") {
    response.writeHead(200, { "Content-Type": JSON_TYPE, "Content-Length": Buffer.byteLength(text) });
    await new Promise<void>((resolve) => response.write(text.slice(0, text.length / 2), () => resolve()));
    // the half answer has to leave before the reset, which discards whatever is still queued
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

async function huge(
  response: ServerResponse,
  { mebibytes, gzip }: Reply & { how: "huge" },
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "Content-Type": JSON_TYPE, ...(gzip ? { "Content-Encoding": "gzip" } : {}) });
  const source = Readable.from(padding(mebibytes));
  if (gzip) await pipeline(source, createGzip(), response, { signal });
  else await pipeline(source, response, { signal });
}

function* padding(mebibytes: number): Generator<Buffer> {
  yield Buffer.from('{"RetCode":0,"TotalCount":0,"UHostSet":[],"Padding":"');
  const block = Buffer.alloc(1024 * 1024, "x");
  for (let i = 0; i < mebibytes; i++) yield block;
  yield Buffer.from('"}');
}
