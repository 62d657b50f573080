import type { StreamEvent } from "@shared/events.ts";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";
import { failureCode } from "./failure";

/** `connecting` the first time, `reconnecting` after that or when the first try failed, `offline` when the browser has no network. */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline";

type LiveConnectionOptions = {
  token: string;
  onEvent: (event: StreamEvent) => void;
  onStateChange: (state: ConnectionState) => void;
  /** The server does not accept the token (any more). */
  onUnauthenticated: () => void;
};

const PING = { intervalMs: 20_000, pongTimeoutMs: 10_000 };
const MAX_DELAY_MS = 8000;
/** A socket that closes sooner than this was refused rather than lost. */
const STABLE_MS = 5000;
const REOPEN_MS = 3000;

/**
 * The one socket of the page: subscribes to `events.stream`, reconnects with growing pauses, resumes after the last event that was handled.
 * Disposing closes it.
 */
export function openLiveConnection(options: LiveConnectionOptions): Disposable {
  const stopping = new AbortController();
  let state: ConnectionState = "connecting";
  let lastEventId: string | undefined;
  let socket: Disposable | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;

  function become(next: ConnectionState): void {
    if (next === state || stopping.signal.aborted) return;
    state = next;
    options.onStateChange(next);
  }

  function open(): void {
    clearTimeout(reopening);
    socket?.[Symbol.dispose]();
    socket = openSocket({
      token: options.token,
      lastEventId,
      onEvent(id, event) {
        become("live");
        options.onEvent(event);
        lastEventId = id;
      },
      onLost: () => become(navigator.onLine ? "reconnecting" : "offline"),
      onEnded(isUnauthenticated) {
        if (stopping.signal.aborted) return;
        if (isUnauthenticated) return options.onUnauthenticated();
        become("reconnecting");
        reopening = setTimeout(open, REOPEN_MS);
      },
    });
  }

  window.addEventListener("online", open, { signal: stopping.signal });
  window.addEventListener("offline", () => become("offline"), { signal: stopping.signal });
  if (!navigator.onLine) become("offline");
  open();
  return {
    [Symbol.dispose]() {
      stopping.abort();
      clearTimeout(reopening);
      socket?.[Symbol.dispose]();
    },
  };
}

type SocketOptions = {
  token: string;
  lastEventId: string | undefined;
  onEvent: (id: string, event: StreamEvent) => void;
  /** The socket went; it is being opened again. */
  onLost: () => void;
  /** The subscription itself is over; nothing more will come. */
  onEnded: (isUnauthenticated: boolean) => void;
};

function openSocket({ token, lastEventId, onEvent, onLost, onEnded }: SocketOptions): Disposable {
  let isOpen = true;
  let openedAt = 0;
  const socket = createWSClient({
    url: streamUrl(),
    connectionParams: { token },
    keepAlive: { enabled: true, ...PING },
    retryDelayMs: (attempt) => retryDelay(attempt, Date.now() - openedAt),
    onOpen: () => {
      openedAt = Date.now();
    },
    onClose: () => isOpen && onLost(),
    onError: () => isOpen && onLost(),
  });
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });
  // After a reconnect the socket client repeats the subscription with the id of the last event it received.
  const subscription = client.events.stream.subscribe(lastEventId === undefined ? undefined : { lastEventId }, {
    onData: ({ id, data }) => onEvent(id, data),
    onError: (error) => isOpen && onEnded(failureCode(error) === "UNAUTHENTICATED"),
    onStopped: () => isOpen && onEnded(false),
  });
  return {
    [Symbol.dispose]() {
      isOpen = false;
      subscription.unsubscribe();
      void socket.close();
    },
  };
}

/** At once after a stable connection, else doubling, with jitter so that a thousand consoles do not return together. */
function retryDelay(attempt: number, openForMs: number): number {
  const step = attempt + (openForMs < STABLE_MS ? 1 : 0);
  const delay = step === 0 ? 300 : Math.min(1000 * 2 ** (step - 1), MAX_DELAY_MS);
  return delay * (0.5 + Math.random() / 2);
}

function streamUrl(): string {
  const url = new URL("/trpc", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
