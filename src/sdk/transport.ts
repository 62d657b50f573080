import { splitLink, type TRPCLink } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";
import { callLink } from "./call-link.ts";
import type { WebSocketClass } from "./public-types.ts";
import { Subscriptions } from "./subscriptions.ts";

export interface TransportOptions {
  /** Absolute http(s) address of the tRPC endpoint. */
  readonly url: string;
  /** The bearer token at this moment; null while signed out. */
  readonly token: () => string | null;
  /** Needed where there is no global `WebSocket`. */
  readonly WebSocket?: WebSocketClass | undefined;
  /** Aborts HTTP calls; read when a call is sent. */
  readonly signal?: () => AbortSignal;
  /** Hears of each attempt to open the WebSocket whether its handshake was accepted. */
  readonly onHandshake?: (isAccepted: boolean) => void;
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

/** Opens nothing until it is used. */
export function createTransport(options: TransportOptions): Transport {
  const subscriptions = new Subscriptions(options);
  const byKind = splitLink<AppRouter>({
    condition: ({ type }) => type === "subscription",
    true: subscriptions.links,
    false: callLink(options),
  });

  return {
    links: [byKind],
    reconnect: () => subscriptions.reconnect(),
    close: () => subscriptions.close(),
  };
}
