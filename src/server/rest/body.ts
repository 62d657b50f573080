import type { IncomingMessage } from "node:http";
import { AppError } from "../core/errors.ts";

export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_DEPTH = 32;

/** The JSON object of a request; an absent body is `{}`. Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or INVALID_INPUT. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text === "") return {};
  assertShallow(text);
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

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw new AppError("PAYLOAD_TOO_LARGE");
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

/** Throws UNSUPPORTED_MEDIA_TYPE unless the request is announced as JSON in UTF-8 that is not packed. */
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

/** Counts brackets outside strings, before anything recursive sees the text. */
export function assertShallow(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      depth++;
      if (depth > MAX_DEPTH) throw new AppError("INVALID_INPUT", `JSON 嵌套不能超过${MAX_DEPTH}层`);
    } else if (character === "}" || character === "]") depth--;
  }
}
