import type { IncomingMessage } from "node:http";
import { AppError } from "../core/errors.ts";
import { assertBoundedJson } from "./bounded-json.ts";

export const MAX_BODY_BYTES = 256 * 1024;
/** Of all bodies that this process reads at the same time. */
export const MAX_BYTES_BEING_READ = 64 * 1024 * 1024;
const RETRY_SECONDS = 1;

let bytesBeingRead = 0;

/** The JSON object of a request; an absent body is `{}`. Throws PAYLOAD_TOO_LARGE, UNAVAILABLE, UNSUPPORTED_MEDIA_TYPE or INVALID_INPUT. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  assertBoundedJson(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("INVALID_INPUT", "请求内容必须是一个 JSON 对象");
  }
  return Object.fromEntries(Object.entries(value));
}

/** The JSON text of a request, unparsed; `""` when there is no body. */
export async function readText(request: IncomingMessage): Promise<string> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return "";
  assertJsonType(request);
  const text = decodeUtf8(bytes);
  // No JSON begins with a byte order mark, yet some readers behind this one would drop it silently.
  if (text.startsWith("\ufeff")) throw new AppError("INVALID_INPUT", "请求内容不是有效的 JSON");
  return text;
}

/** Reserves the declared length while it reads, so that many half-sent bodies cannot fill the memory. */
async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const reserved = declaredLength(request);
  if (reserved > MAX_BODY_BYTES) throw new AppError("PAYLOAD_TOO_LARGE");
  if (bytesBeingRead + reserved > MAX_BYTES_BEING_READ) {
    throw new AppError("UNAVAILABLE", undefined, { retryAfter: RETRY_SECONDS });
  }
  bytesBeingRead += reserved;
  try {
    return await readAll(request);
  } finally {
    bytesBeingRead -= reserved;
  }
}

/** Bytes; a chunked body may be as long as any. */
function declaredLength({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return MAX_BODY_BYTES;
  return Number(headers["content-length"] ?? 0);
}

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

/** Throws UNSUPPORTED_MEDIA_TYPE unless the request declares uncompressed JSON in UTF-8. */
export function assertJsonType(request: IncomingMessage): void {
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  const charsets = parameters.map((each) => each.trim()).filter((each) => each.startsWith("charset="));
  const isUtf8 = charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset));
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (type.trim() !== "application/json" || !isUtf8 || encoding !== "identity") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AppError("INVALID_INPUT", "请求内容不是有效的 UTF-8 文本");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("INVALID_INPUT", "请求内容不是有效的 JSON");
  }
}
