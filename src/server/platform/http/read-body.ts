import { isUtf8 } from "node:buffer";
import type { Request } from "express";
import { AppError } from "../errors.ts";
import { assertFewKeys } from "../trpc/limit-keys.ts";
import type { ReservedBody } from "./body-budget.ts";

export const MAX_BODY_BYTES = 256 * 1024;
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-?8"?\s*)?$/i;

/**
 * The JSON object of a request; an absent body is `{}`. Throws as `readBody` does,
 * UNSUPPORTED_MEDIA_TYPE and INVALID_INPUT.
 */
export async function readJsonObject(
  request: Request,
  reserved: ReservedBody,
): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, reserved);
  if (bytes.length === 0) return {};
  if (!announcesJson(request)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");

  assertUtf8(bytes);
  const value = parse(bytes);
  if (!isObject(value)) throw new AppError("INVALID_INPUT", "请求内容必须是一个 JSON 对象");
  assertFewKeys(value);
  return value;
}

/**
 * Reads a body to its end and gives back what it reserved. `express.json` would read a refused body
 * to its end before it answers. Throws PAYLOAD_TOO_LARGE, and UNAVAILABLE when the budget is used
 * up.
 */
export async function readBody(
  request: Request,
  reserved: ReservedBody,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer<ArrayBuffer>> {
  if (announcesTooMuch(request, maxBytes)) throw new AppError("PAYLOAD_TOO_LARGE");
  using held = reserved;
  const chunks: Buffer[] = [];
  let size = 0;

  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw new AppError("PAYLOAD_TOO_LARGE");
    held.add(bytes.length);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Whether the length that a request announces is that of no body that is accepted. */
export function announcesTooMuch({ headers }: Request, maxBytes = MAX_BODY_BYTES): boolean {
  return Number(headers["content-length"] ?? 0) > maxBytes;
}

/** Whether the headers announce what is read: JSON in UTF-8, not compressed. */
export function announcesJson({ headers }: Request): boolean {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
  return JSON_TYPE.test(type) && encoding === "identity";
}

/** Otherwise a decoder would put other characters in the place of what it cannot read. */
export function assertUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw malformed();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw malformed();
  }
}

function malformed(): AppError {
  return new AppError("INVALID_INPUT", "请求内容不是有效的 JSON");
}
