import type { StreamEvent } from "@shared/events.ts";
import { onlineManager, useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from "react";
import { useHasLasted } from "@/lib/use-has-lasted";
import { createEventApplier } from "./apply-event";
import { useIsAlwaysRefused } from "./handshakes";
import { trpc } from "./trpc";

/**
 * `connecting` until the first connection succeeds, fails or takes long, which makes it
 * `unavailable`: proxies may refuse or swallow WebSockets. `reconnecting` after a connection was
 * lost; `refused` when no attempt succeeds although the server answers; `offline` when the browser
 * has no network.
 */
type ConnectionState =
  | "connecting"
  | "live"
  | "reconnecting"
  | "unavailable"
  | "refused"
  | "offline";
type Listener = (event: StreamEvent) => void;
type LiveUpdates = { state: ConnectionState; listeners: Set<Listener> };

const LiveUpdatesContext = createContext<LiveUpdates | null>(null);

/** A proxy that swallows WebSockets lets a browser wait for minutes. */
const CONNECT_PATIENCE_MS = 10_000;
/** Without the stream, what is on the page is as old as this at most. */
export const POLL_SECONDS = 30;

/** Subscribes to `events.stream` and applies every event to the query cache. */
export function LiveUpdatesProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [apply] = useState(() => createEventApplier(queryClient));
  const [listeners] = useState(() => new Set<Listener>());
  const [wasLive, setWasLive] = useState(false);
  const isOnline = useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline());
  const { status, error } = trpc.events.stream.useSubscription(undefined, {
    onData({ data: event }) {
      setWasLive(true);
      apply(event);
      for (const listener of listeners) listener(event);
    },
  });

  const isLive = status === "pending";
  const isAlwaysRefused = useIsAlwaysRefused();
  const isSlow = useHasLasted(!isLive, CONNECT_PATIENCE_MS);
  usePolling(isOnline && !isLive);

  function connectionState(): ConnectionState {
    if (!isOnline) return "offline";
    if (isLive) return "live";
    if (isAlwaysRefused) return "refused";
    if (wasLive) return "reconnecting";
    return isSlow || error !== null ? "unavailable" : "connecting";
  }

  return (
    <LiveUpdatesContext value={{ state: connectionState(), listeners }}>
      {children}
    </LiveUpdatesContext>
  );
}

/**
 * Fetches what is on the page again and again while it is visible, and at once when it becomes
 * visible after that was due.
 */
function usePolling(isPolling: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isPolling) return undefined;

    let isDue = false;
    const refetch = () => {
      isDue = document.hidden;
      // A slow answer is waited for instead of being asked for anew.
      if (!isDue) void queryClient.invalidateQueries(undefined, { cancelRefetch: false });
    };
    const onVisible = () => {
      if (isDue) refetch();
    };
    const timer = setInterval(refetch, POLL_SECONDS * 1000);
    document.addEventListener("visibilitychange", onVisible);

    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [isPolling, queryClient]);
}

/** State of the live stream, for the dot and the banner. */
export function useConnectionState(): ConnectionState {
  return useLiveUpdates().state;
}

/** Calls `action` for every event, after it was applied to the cache. */
export function useLiveEvent(action: Listener): void {
  const { listeners } = useLiveUpdates();
  const onEvent = useEffectEvent(action);
  useEffect(() => {
    const listener: Listener = (event) => onEvent(event);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listeners]);
}

function useLiveUpdates(): LiveUpdates {
  const updates = use(LiveUpdatesContext);
  if (updates === null) throw new Error("no LiveUpdatesProvider above");
  return updates;
}
