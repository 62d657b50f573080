import { type Dispatcher, request } from "undici";
import { httpStatusFailure, ProviderFailure, retCodeFailure } from "./failure.ts";
import { networkFailure } from "./network-failure.ts";
import { type BodyLimits, readBody } from "./read-body.ts";
import { readRetryAfter } from "./retry.ts";
import type { FlatParams } from "./sign.ts";

export interface ExchangeOptions extends BodyLimits {
  readonly endpoint: URL;
  readonly dispatcher: Dispatcher;
  /** Ends the exchange with the signal's reason. */
  readonly signal: AbortSignal;
  /** From the start of the connection to the last byte. */
  readonly timeoutMs: number;
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
  const deadline = AbortSignal.timeout(options.timeoutMs);
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
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  });
  const requestId = readRequestId(headers["x-ucloud-request-uuid"]);
  const retryAfterMs = readRetryAfter(headers["retry-after"]);
  const isReadable = statusCode < 300 || (statusCode >= 400 && statusCode < 500 && statusCode !== 429);
  if (!isReadable) {
    // Destroying an unread body makes it emit an error, which must find a listener.
    body.on("error", () => {}).destroy();
    throw httpStatusFailure(statusCode, requestId, retryAfterMs);
  }
  const { maxBodyBytes, maxReadingBytes, dispatcher: wayOut } = options;
  const envelope = parseEnvelope(await readBody(body, { maxBodyBytes, maxReadingBytes, wayOut, requestId }));
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
