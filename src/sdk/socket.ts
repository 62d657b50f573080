import { createWSClient, type TRPCWebSocketClient } from "@trpc/client";
import type { WebSocketClass } from "./public-types.ts";
import type { Token } from "./token.ts";

/** The server's close code for a session that is missing or over. */
const UNAUTHENTICATED = 4401;
/** Closed from this side: not a loss. */
const ORDINARY = [1000, 1005];
/** An unused socket is closed, so that a program that has unsubscribed can end. */
const IDLE_MS = 1_000;
const PING = { intervalMs: 20_000, pongTimeoutMs: 10_000 };
/** A connection or a subscription that ends sooner than this was refused rather than lost. */
export const STABLE_MS = 5_000;
const DELAY_MS = { first: 500, max: 30_000 };

export interface SocketOptions {
  readonly url: string;
  readonly token: Token;
  readonly WebSocket: WebSocketClass;
  /** The token is not accepted and there is no other: it does not reconnect any more. */
  readonly onRefused: () => void;
}

export interface Socket {
  readonly client: TRPCWebSocketClient;
  /** The token that the present connection was made with. */
  offered(): string | null;
  /** Whether the present token is one that the server does not accept, or there is none. */
  isRefused(): boolean;
  isOpen(): boolean;
  /** Reconnects with the present token. */
  renew(): void;
  close(): Promise<void>;
}

/** Before each connection it waits for its turn and for a token that the server has not refused yet. */
export function openSocket({ url, token, WebSocket, onRefused }: SocketOptions): Socket {
  const stopping = new AbortController();
  let offered: string | null = null;
  let refused: string | null = null;
  let openedAt: number | null = null;
  let losses = 0;

  const isRefused = () => token.current() === null || token.current() === refused;

  async function admission(): Promise<string> {
    await token.settled();
    if (!isRefused()) {
      await pause(reconnectDelay(losses), stopping.signal);
      await token.settled();
    }
    if (isRefused()) {
      onRefused();
      throw new Error("the session is over");
    }
    offered = token.current();
    return url;
  }

  const client = createWSClient({
    url: admission,
    connectionParams: () => ({ token: offered ?? "" }),
    // The client uses no more of it than WebSocketClass has, but asks for the browser's whole type.
    WebSocket: WebSocket as typeof globalThis.WebSocket,
    lazy: { enabled: true, closeMs: IDLE_MS },
    keepAlive: { enabled: true, ...PING },
    retryDelayMs: () => 0,
    onOpen() {
      openedAt = Date.now();
    },
    onClose(cause) {
      if (cause?.code === UNAUTHENTICATED) refused = offered;
      const held = openedAt !== null && Date.now() - openedAt >= STABLE_MS;
      openedAt = null;
      losses = ORDINARY.includes(cause?.code ?? 0) ? 0 : held ? 1 : losses + 1;
    },
  });

  return {
    client,
    offered: () => offered,
    isRefused,
    isOpen: () => client.connection?.state === "open",
    renew() {
      if (token.current() !== offered) client.connection?.ws.close();
    },
    async close() {
      stopping.abort();
      await client.close();
    },
  };
}

/** Doubles, with jitter so that a thousand programs do not return together. */
export function reconnectDelay(losses: number): number {
  if (losses === 0) return 0;
  return Math.min(DELAY_MS.first * 2 ** (losses - 1), DELAY_MS.max) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 && !signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error("the socket was closed"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
