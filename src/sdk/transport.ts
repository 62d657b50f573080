import {
  createWSClient,
  httpBatchLink,
  retryLink,
  splitLink,
  TRPCClientError,
  type TRPCLink,
  type TRPCWebSocketClient,
  wsLink,
} from "@trpc/client";
import { type Observer, observable } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";
import { errorCode } from "./error-code.ts";
import type { WebSocketClass } from "./public-types.ts";

export interface TransportOptions {
  /** Absolute http(s) address of the tRPC endpoint. */
  readonly url: string;
  /** The bearer token at this moment; null while signed out. */
  readonly token: () => string | null;
  /** Needed where there is no global `WebSocket`. */
  readonly WebSocket?: WebSocketClass | undefined;
  /** Aborts HTTP calls; read when a call is sent. */
  readonly signal?: () => AbortSignal;
}

export interface Transport {
  /** Terminating links: calls go over HTTP in batches, subscriptions over one WebSocket. */
  readonly links: TRPCLink<AppRouter>[];
  /**
   * Replaces the connection by one with the present token; without a token subscriptions end with
   * UNAUTHENTICATED.
   */
  reconnect(): void;
  /**
   * Completes the subscriptions and closes the connection; a later subscription opens a new one.
   */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Limits of the server and of common proxies. */
const BATCH = { maxItems: 20, maxURLLength: 6000 };
const PING = { enabled: true, intervalMs: 20_000, pongTimeoutMs: 10_000 };
/** An unused connection is closed, so that a program that has unsubscribed can end. */
const IDLE_MS = 1_000;
const MAX_DELAY_MS = 8_000;
/** Close code of a connection without a valid session. */
const UNAUTHENTICATED = 4401;
const NO_WEBSOCKET =
  "There is no WebSocket here. Pass one, such as that of the package ws: createConsoleClient({ url, WebSocket })";
const TRANSIENT = ["UNAVAILABLE", "INTERNAL", "TOO_MANY_REQUESTS"];

/**
 * Opens nothing until it is used. Subscriptions reconnect and resume after their last event until
 * the session is over.
 */
export function createTransport({ url, token, signal, ...options }: TransportOptions): Transport {
  const WebSocket = options.WebSocket ?? globalThis.WebSocket;
  const subscriptions = new Set<
    Pick<Observer<unknown, TRPCClientError<AppRouter>>, "error" | "complete">
  >();
  let client: TRPCWebSocketClient | undefined;
  let connection = { token: token(), isRefused: false };
  let refusedToken: string | null = null;

  function openClient(): TRPCWebSocketClient {
    if (WebSocket === undefined) throw new Error(NO_WEBSOCKET);
    client ??= createWSClient({
      url: url.replace(/^http/, "ws"),
      connectionParams() {
        connection = { token: token(), isRefused: false };
        return { token: connection.token ?? "" };
      },
      // The client uses no more of it than WebSocketClass has, but its type is that of the browser.
      WebSocket: WebSocket as typeof globalThis.WebSocket,
      lazy: { enabled: true, closeMs: IDLE_MS },
      keepAlive: PING,
      retryDelayMs: backoff,
      onClose(cause) {
        if (cause?.code === UNAUTHENTICATED) refuse();
      },
    });
    return client;
  }

  /**
   * Ends the session when two connections in a row are refused with one token: after the first, a
   * refresh may be under way.
   */
  function refuse(): boolean {
    if (connection.isRefused) return false;
    connection.isRefused = true;
    const isOver = connection.token === token() && connection.token === refusedToken;
    refusedToken = connection.token;
    if (isOver) endSession();
    return isOver;
  }

  function endSession(): void {
    for (const observer of [...subscriptions]) observer.error(unauthenticated());
    void client?.close();
  }

  const tracked: TRPCLink<AppRouter> =
    () =>
    ({ op, next }) =>
      observable((observer) => {
        if (token() === null) return observer.error(unauthenticated());
        subscriptions.add(observer);
        try {
          const subscription = next(op).subscribe(observer);
          return () => {
            subscriptions.delete(observer);
            subscription.unsubscribe();
          };
        } catch (error) {
          subscriptions.delete(observer);
          observer.error(
            TRPCClientError.from(error instanceof Error ? error : new Error(String(error))),
          );
        }
      });

  return {
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: [
          tracked,
          retryLink({
            retry: ({ error }) =>
              isTransient(error) || (errorCode(error) === "UNAUTHENTICATED" && !refuse()),
            retryDelayMs: backoff,
          }),
          (runtime) => (operation) =>
            wsLink<AppRouter>({ client: openClient() })(runtime)(operation),
        ],
        false: httpBatchLink({
          url,
          ...BATCH,
          headers() {
            const bearer = token();
            return bearer === null ? {} : { authorization: `Bearer ${bearer}` };
          },
          async fetch(target, options) {
            const signals = [options?.signal, signal?.(), AbortSignal.timeout(REQUEST_TIMEOUT_MS)];
            const aborted = AbortSignal.any(
              signals.filter((one) => one !== undefined && one !== null),
            );
            return allowForeignBody(await fetch(target, { ...options, signal: aborted }));
          },
        }),
      }),
    ],
    reconnect() {
      if (token() === null) endSession();
      else client?.connection?.ws.close();
    },
    async close() {
      for (const observer of [...subscriptions]) observer.complete();
      await client?.close();
    },
  };
}

/** Without data it is a lost connection: the server answers every call with a code. */
function isTransient(error: TRPCClientError<AppRouter>): boolean {
  const code = errorCode(error);
  return code === null ? error.shape === undefined : TRANSIENT.includes(code);
}

/** Doubles from one second, with jitter so that clients do not return together. */
function backoff(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
}

/**
 * Reads a body that is no JSON, such as the page of a proxy, as an empty object: a parse error
 * would hide the HTTP status.
 */
function allowForeignBody(response: Response): Response {
  const read = response.json.bind(response);
  const value = () =>
    read().catch((error) => (error instanceof SyntaxError ? {} : Promise.reject(error)));
  return Object.defineProperty(response, "json", { value });
}

function unauthenticated(): TRPCClientError<AppRouter> {
  const data = { code: "UNAUTHENTICATED", httpStatus: 401, requestId: "" } as const;
  return TRPCClientError.from({ error: { code: -32001, message: "认证失败，请重新登录", data } });
}
