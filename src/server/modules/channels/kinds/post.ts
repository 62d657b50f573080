import { type Dispatcher, request } from "undici";
import {
  type NetworkFailureKind,
  networkFailureKind,
} from "../../../platform/egress/network-failure.ts";
import { readRetryAfter } from "../../../platform/egress/retry-after.ts";
import type { SendDeps } from "../deps.ts";
import type { SendOutcome } from "../message.ts";
import { PAUSE_REFUSED, PAUSE_WITHOUT_ANSWER } from "./pauses.ts";

/** Connecting, sending and the whole answer. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const PAUSE_TOO_MANY = 60;

const NEEDS_HTTPS = "地址不是 https://，且不在 OUTBOUND_ALLOWED 中，已拒绝访问";
const FAILURES: Readonly<Record<NetworkFailureKind, string>> = {
  "address-refused": "地址指向内网、本机或保留地址，已拒绝访问",
  timeout: "对方没有在 15 秒内答复",
  dns: "无法解析地址中的域名",
  tls: "对方的 HTTPS 证书校验失败",
  network: "无法连接对方或连接中断",
  "too-large": "对方的答复过大",
  malformed: "对方的答复无法识别",
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** `answered`: with 2xx. Everything else is an outcome already. */
export type PostResult =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly outcome: SendOutcome };

interface Post {
  readonly url: string;
  /** JSON. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One POST through the outbound guard, without following redirects. Rejects with the reason of
 * `deps.signal` when that ends it.
 */
export async function post(deps: SendDeps, { url, body, headers }: Post): Promise<PostResult> {
  if (new URL(url).protocol !== "https:" && !deps.outbound.isAllowed(url)) {
    return failed(NEEDS_HTTPS, PAUSE_WITHOUT_ANSWER);
  }

  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await request(url, {
      dispatcher: deps.outbound.dispatcher,
      signal: AbortSignal.any([deps.signal, timeout]),
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        // Nothing here decompresses an answer.
        "accept-encoding": "identity",
        "user-agent": "host-console",
        ...headers,
      },
      body,
    });
    return await readAnswer(deps, response);
  } catch (error) {
    // What the caller ended fails with the caller's reason, whatever undici made of it.
    deps.signal.throwIfAborted();
    return withoutAnswer(timeout.aborted ? "timeout" : networkFailureKind(error), error);
  }
}

async function readAnswer(
  { clock }: SendDeps,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<PostResult> {
  const text = await readText(body);
  if (text === null) return failed(FAILURES["too-large"]);
  if (statusCode >= 200 && statusCode < 300) {
    return { kind: "answered", answer: { status: statusCode, text } };
  }
  if (statusCode === 410) {
    const error = "对方已停用此地址（HTTP 410），请更换地址";
    return { kind: "failed", outcome: { kind: "refused", error, pauseSeconds: PAUSE_REFUSED } };
  }

  const retryAfterMs = readRetryAfter(headers["retry-after"], clock.now() * 1000);
  const asked = retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1000);
  const pause = statusCode === 429 ? (asked ?? PAUSE_TOO_MANY) : asked;
  return failed(describeStatus(statusCode), pause);
}

/** Null when it is too large. */
async function readText(body: Dispatcher.ResponseData["body"]): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (size > MAX_ANSWER_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function describeStatus(status: number): string {
  if (status === 429) return "对方要求降低发送频率（HTTP 429）";
  if (status >= 300 && status < 400) {
    return `对方返回了跳转（HTTP ${status}），请直接填写最终的地址`;
  }
  if (status >= 500) return `对方暂时不可用（HTTP ${status}）`;
  return `对方返回了 HTTP ${status}，请检查地址`;
}

function withoutAnswer(kind: NetworkFailureKind | null, error: unknown): PostResult {
  // Not a failure of the other side, but a bug here.
  if (kind === null) throw error;

  const isAnswer = kind === "too-large" || kind === "malformed";
  return failed(FAILURES[kind], isAnswer ? undefined : PAUSE_WITHOUT_ANSWER);
}

function failed(error: string, pauseSeconds?: number): PostResult {
  const pause = pauseSeconds === undefined ? {} : { pauseSeconds };
  return { kind: "failed", outcome: { kind: "retry", error, ...pause } };
}
