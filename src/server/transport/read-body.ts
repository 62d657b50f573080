import type { IncomingMessage } from "node:http";
import { finished, type Readable } from "node:stream";
import { AppError } from "../core/errors.ts";
import { assertFewKeys } from "../core/limit-keys.ts";

export const MAX_BODY_BYTES = 256 * 1024;
/** Of all bodies that this process reads at the same time. */
export const MAX_BYTES_BEING_READ = 64 * 1024 * 1024;
const RETRY_SECONDS = 1;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-?8"?\s*)?$/i;

let bytesBeingRead = 0;

/** The JSON object of a request; an absent body is `{}`. Throws PAYLOAD_TOO_LARGE, UNAVAILABLE, UNSUPPORTED_MEDIA_TYPE or INVALID_INPUT. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  reserveBody(request);
  const bytes = await readAll(request);
  if (bytes.length === 0) return {};
  assertJsonType(request);
  const value = parse(bytes);
  if (!isObject(value)) throw new AppError("INVALID_INPUT", "请求内容必须是一个 JSON 对象");
  assertFewKeys(value);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Counts a body until it is read: half-sent ones cannot fill the memory. Throws PAYLOAD_TOO_LARGE, UNAVAILABLE. */
export function reserveBody(request: IncomingMessage & Readable): void {
  const bytes = declaredLength(request);
  if (bytes > MAX_BODY_BYTES) throw new AppError("PAYLOAD_TOO_LARGE");
  if (bytesBeingRead + bytes > MAX_BYTES_BEING_READ) {
    throw new AppError("UNAVAILABLE", undefined, { retryAfter: RETRY_SECONDS });
  }
  if (bytes === 0) return;
  bytesBeingRead += bytes;
  finished(request, () => {
    bytesBeingRead -= bytes;
  });
}

/** Bytes; a chunked body may be as long as any. */
function declaredLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return MAX_BODY_BYTES;
  return Number(headers["content-length"] ?? 0);
}

/** `express.json` would read a refused body to its end before it answers. */
async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new AppError("PAYLOAD_TOO_LARGE");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function assertJsonType({ headers }: IncomingMessage): void {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
  if (!JSON_TYPE.test(type) || encoding !== "identity") throw new AppError("UNSUPPORTED_MEDIA_TYPE");
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new AppError("INVALID_INPUT", "请求内容不是有效的 JSON");
  }
}
