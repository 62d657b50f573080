import { type Dispatcher, request } from "undici";
import { networkFailureKind } from "../platform/egress/network-failure.ts";
import { readRetryAfter } from "../platform/egress/retry-after.ts";
import { httpStatusFailure, ProviderFailure, retCodeFailure } from "./failure.ts";
import { Envelope } from "./schemas.ts";
import type { FlatParams } from "./sign.ts";

export interface ExchangeOptions {
  readonly endpoint: URL;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
  readonly attemptTimeoutMs: number;
}

export interface ProviderAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
}

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json",
  // Nothing here decompresses an answer.
  "accept-encoding": "identity",
  "user-agent": "host-console",
} as const;

/** One POST and its answer. @throws ProviderFailure for anything but RetCode 0. */
export async function exchange(
  params: FlatParams,
  options: ExchangeOptions,
): Promise<ProviderAnswer> {
  const timeout = AbortSignal.timeout(options.attemptTimeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    return await postAndRead(params, { ...options, signal });
  } catch (error) {
    // What the caller ended fails with the caller's reason, whatever undici made of it.
    options.signal.throwIfAborted();
    throw timeout.aborted ? new ProviderFailure("timeout") : networkFailure(error);
  }
}

async function postAndRead(params: FlatParams, options: ExchangeOptions): Promise<ProviderAnswer> {
  const { statusCode, headers, body } = await request(options.endpoint, {
    dispatcher: options.dispatcher,
    signal: options.signal,
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(params),
  });
  const headerId = readRequestId(headers["x-ucloud-request-uuid"]);
  const retryAfterMs = readRetryAfter(headers["retry-after"]);
  if (!mayHaveRetCode(statusCode)) {
    // Destroying an unread body emits an error, which needs a listener.
    body.on("error", () => {}).destroy();
    throw httpStatusFailure(statusCode, { requestId: headerId, retryAfterMs });
  }

  const answer = parseAnswer(await body.bytes());
  if (answer === null) {
    if (statusCode < 300) throw new ProviderFailure("malformed", { requestId: headerId });
    throw httpStatusFailure(statusCode, { requestId: headerId });
  }

  const requestId = headerId ?? readRequestId(answer.body.Request_uuid);
  if (answer.retCode !== 0) {
    throw retCodeFailure(answer.retCode, { requestId, retryAfterMs });
  }
  if (statusCode >= 400) throw httpStatusFailure(statusCode, { requestId });
  return { body: answer.body, requestId };
}

/** Business errors come as HTTP 200 or 4xx with a RetCode; 429 comes from a gateway before it. */
function mayHaveRetCode(statusCode: number): boolean {
  const isClientError = statusCode >= 400 && statusCode < 500;
  return statusCode < 300 || (isClientError && statusCode !== 429);
}

interface ParsedAnswer {
  readonly body: ProviderAnswer["body"];
  readonly retCode: number;
}

/**
 * Null for anything but a JSON object with a whole RetCode. Some services send that number as text.
 */
function parseAnswer(bytes: Uint8Array): ParsedAnswer | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const { data } = Envelope.safeParse(JSON.parse(text));
    return data === undefined ? null : { body: data, retCode: data.RetCode };
  } catch {
    return null;
  }
}

/** It is logged, so it must have the form of an id. */
function readRequestId(value: unknown): string | null {
  return typeof value === "string" && /^[\w-]{1,100}$/.test(value) ? value : null;
}

/** The failure for what undici or Node threw. Any other error is a bug and is returned as it is. */
function networkFailure(error: unknown): unknown {
  if (error instanceof ProviderFailure) return error;

  const kind = networkFailureKind(error);
  return kind === null ? error : new ProviderFailure(kind);
}
