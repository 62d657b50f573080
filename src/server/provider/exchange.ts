import { type Dispatcher, request } from "undici";
import { httpStatusFailure, ProviderFailure, retCodeFailure } from "./failure.ts";
import { networkFailure } from "./network-failure.ts";
import type { FlatParams } from "./sign.ts";

export interface ExchangeOptions {
  readonly endpoint: URL;
  readonly dispatcher: Dispatcher;
  /** Ends the exchange with the signal's reason. */
  readonly signal: AbortSignal;
  readonly attemptTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface ProviderAnswer {
  readonly body: Record<string, unknown>;
  readonly requestId: string | null;
}

/**
 * One POST and its answer, whatever goes wrong told as a ProviderFailure; resolves only for RetCode 0.
 * Business errors are HTTP 200 with a RetCode; some services deliver that number as text.
 */
export async function exchange(params: FlatParams, options: ExchangeOptions): Promise<ProviderAnswer> {
  const deadline = AbortSignal.timeout(options.attemptTimeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  try {
    return await postAndRead(params, { ...options, signal });
  } catch (error) {
    options.signal.throwIfAborted();
    if (deadline.aborted) throw new ProviderFailure("timeout");
    throw networkFailure(error);
  }
}

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json",
  // Who does not say so may be sent a compressed answer, which is not read here: its true size is known too late.
  "accept-encoding": "identity",
  "user-agent": "host-console",
} as const;

async function postAndRead(params: FlatParams, options: ExchangeOptions): Promise<ProviderAnswer> {
  const { statusCode, headers, body } = await request(options.endpoint, {
    dispatcher: options.dispatcher,
    signal: options.signal,
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(params),
    headersTimeout: options.attemptTimeoutMs,
    bodyTimeout: options.attemptTimeoutMs,
  });
  const requestId = readRequestId(headers["x-ucloud-request-uuid"]);
  const retryAfterMs = readRetryAfter(headers["retry-after"]);
  const isReadable = statusCode < 300 || (statusCode >= 400 && statusCode < 500 && statusCode !== 429);
  if (!isReadable) {
    // Destroying an unread body makes it emit an error, which must find a listener.
    body.on("error", () => {}).destroy();
    throw httpStatusFailure(statusCode, requestId, retryAfterMs);
  }
  const bytes = await readBody(body, options.maxBodyBytes);
  if (bytes === null) throw new ProviderFailure("too-large", { requestId });
  const envelope = parseEnvelope(bytes);
  if (envelope === null) {
    throw statusCode >= 400
      ? httpStatusFailure(statusCode, requestId)
      : new ProviderFailure("malformed", { requestId });
  }
  const id = requestId ?? readRequestId(envelope.body.Request_uuid);
  if (envelope.retCode !== 0) throw retCodeFailure(envelope.retCode, id, retryAfterMs);
  if (statusCode >= 400) throw httpStatusFailure(statusCode, id);
  return { body: envelope.body, requestId: id };
}

/** Null when there are more than `maxBytes`. */
async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) return null;
  }
  return Buffer.concat(chunks, size);
}

/** Null for whatever is not a JSON object with a whole-number RetCode. */
function parseEnvelope(bytes: Uint8Array): { body: Record<string, unknown>; retCode: number } | null {
  const body = parseJson(bytes);
  if (!isRecord(body)) return null;
  const { RetCode: given } = body;
  const retCode = typeof given === "string" && /^-?\d{1,10}$/.test(given) ? Number(given) : given;
  return typeof retCode === "number" && Number.isSafeInteger(retCode) ? { body, retCode } : null;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Goes into our logs, so only what looks like an id is believed. */
function readRequestId(value: unknown): string | null {
  return typeof value === "string" && /^[\w-]{1,100}$/.test(value) ? value : null;
}

/** Milliseconds of a Retry-After header, in seconds or as a date; null for anything else. */
export function readRetryAfter(header: unknown, now = Date.now()): number | null {
  if (typeof header !== "string") return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse takes numbers and much else for dates too.
  const at = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
