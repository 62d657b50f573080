import {
  createWSClient,
  retryLink,
  TRPCClientError,
  type TRPCLink,
  type TRPCWebSocketClient,
  wsLink,
} from "@trpc/client";
import { type Observer, observable } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";
import { errorCode } from "./error-code.ts";
import type { TransportOptions } from "./transport.ts";

const PING = { enabled: true, intervalMs: 20_000, pongTimeoutMs: 10_000 };
/** An unused connection is closed, so that a program that has unsubscribed can end. */
const IDLE_MS = 1_000;
const MAX_DELAY_MS = 8_000;
/** Close code of a connection without a valid session. */
const UNAUTHENTICATED = 4401;
const NO_WEBSOCKET =
  "There is no WebSocket here. Pass one, such as that of the package ws: createConsoleClient({ url, WebSocket })";
const TRANSIENT = ["UNAVAILABLE", "INTERNAL", "TOO_MANY_REQUESTS"];

type Subscriber = Pick<Observer<unknown, TRPCClientError<AppRouter>>, "error" | "complete">;

/**
 * The subscriptions of one client, and the WebSocket that all of them share. It opens with the
 * first subscription and closes some time after the last one. A connection that is lost is opened
 * again, and each subscription resumes after its last event.
 *
 * A connection keeps the token that it was opened with. When the server refuses that token (it
 * closes the connection, or answers a subscription with UNAUTHENTICATED), the session need not be
 * over: a refresh ends the old token before its answer brings the new one. So the connection is
 * opened again with the token of that moment. Only when two connections in a row are refused with
 * the same token do the subscriptions end with UNAUTHENTICATED.
 */
export class Subscriptions {
  readonly #options: SubscriptionOptions;
  readonly #subscribers = new Set<Subscriber>();
  /** Made for the first subscription, and kept: it opens and closes connections by itself. */
  #client: TRPCWebSocketClient | undefined;
  /** The token of the newest connection, and whether the server has refused it. */
  #connection: { readonly token: string | null; isRefused: boolean };
  /** Of the newest connection. */
  #isHandshakeAccepted = false;
  /** The token of the last connection that was refused. */
  #refusedToken: string | null = null;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#connection = { token: options.token(), isRefused: false };
  }

  /** For operations that are subscriptions. */
  get links(): TRPCLink<AppRouter>[] {
    return [this.#trackLink, this.#retryLink, this.#webSocketLink];
  }

  reconnect(): void {
    if (this.#options.token() === null) this.#endSession();
    else this.#client?.connection?.ws.close();
  }

  async close(): Promise<void> {
    for (const subscriber of [...this.#subscribers]) subscriber.complete();
    await this.#client?.close();
  }

  /** Knows who is subscribed, so that all can be ended. */
  readonly #trackLink: TRPCLink<AppRouter> = () => (operation) =>
    observable((subscriber) => {
      if (this.#options.token() === null) {
        subscriber.error(unauthenticated());
        return;
      }

      this.#subscribers.add(subscriber);
      try {
        const subscription = operation.next(operation.op).subscribe(subscriber);
        return () => {
          this.#subscribers.delete(subscriber);
          subscription.unsubscribe();
        };
      } catch (error) {
        // There is no WebSocket, or its address is refused.
        this.#subscribers.delete(subscriber);
        const cause = error instanceof Error ? error : new Error(String(error));
        subscriber.error(TRPCClientError.from(cause));
      }
    });

  /** Subscribes again after a failure that passes. */
  readonly #retryLink = retryLink<AppRouter>({
    retry: ({ error }) => {
      if (isTransient(error)) return true;
      if (errorCode(error) !== "UNAUTHENTICATED") return false;
      return this.#noteRefusal() === "open again";
    },
    retryDelayMs: backoff,
  });

  readonly #webSocketLink: TRPCLink<AppRouter> = (runtime) => (operation) =>
    wsLink<AppRouter>({ client: this.#openClient() })(runtime)(operation);

  #openClient(): TRPCWebSocketClient {
    const { url, token, WebSocket = globalThis.WebSocket } = this.#options;
    if (WebSocket === undefined) throw new Error(NO_WEBSOCKET);

    this.#client ??= createWSClient({
      url: url.replace(/^http/, "ws"),
      connectionParams: () => {
        this.#connection = { token: token(), isRefused: false };
        return { token: this.#connection.token ?? "" };
      },
      // The client uses no more of it than WebSocketClass has, but its type is that of the browser.
      WebSocket: WebSocket as typeof globalThis.WebSocket,
      lazy: { enabled: true, closeMs: IDLE_MS },
      keepAlive: PING,
      retryDelayMs: backoff,
      onOpen: () => {
        this.#isHandshakeAccepted = true;
        this.#options.onHandshake?.(true);
      },
      onClose: (cause) => {
        if (!this.#isHandshakeAccepted) this.#options.onHandshake?.(false);
        this.#isHandshakeAccepted = false;
        if (cause?.code === UNAUTHENTICATED) this.#noteRefusal();
      },
    });
    return this.#client;
  }

  /**
   * The newest connection was refused; all its subscriptions hear of it, and the first counts. The
   * session ends when it is the second in a row whose token is still the present one.
   */
  #noteRefusal(): "open again" | "session is over" {
    const connection = this.#connection;
    if (connection.isRefused) return "open again";

    connection.isRefused = true;
    const isPresentToken = connection.token === this.#options.token();
    const isRefusedAgain = connection.token === this.#refusedToken;
    this.#refusedToken = connection.token;
    if (!isPresentToken || !isRefusedAgain) return "open again";

    this.#endSession();
    return "session is over";
  }

  #endSession(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.error(unauthenticated());
    void this.#client?.close();
  }
}

type SubscriptionOptions = Pick<TransportOptions, "url" | "token" | "WebSocket" | "onHandshake">;

/** Without data it is a lost connection: the server answers every call with a code. */
function isTransient(error: TRPCClientError<AppRouter>): boolean {
  const code = errorCode(error);
  return code === null ? error.shape === undefined : TRANSIENT.includes(code);
}

/** Doubles from one second, with jitter so that clients do not return together. */
function backoff(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
}

function unauthenticated(): TRPCClientError<AppRouter> {
  const data = { code: "UNAUTHENTICATED", httpStatus: 401, requestId: "" } as const;
  return TRPCClientError.from({ error: { code: -32001, message: "认证失败，请重新登录", data } });
}
