import type { StreamEvent } from "@shared/events.ts";
import { onlineManager, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { createEventApplier } from "./apply-event";
import { trpc } from "./trpc";

/** `connecting` until the first connection succeeds or fails; `offline` when the browser has no network. */
type ConnectionState = "connecting" | "live" | "reconnecting" | "offline";
type Listener = (event: StreamEvent) => void;
type LiveUpdates = { state: ConnectionState; listeners: Set<Listener> };

const LiveUpdatesContext = createContext<LiveUpdates | null>(null);

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

  function connectionState(): ConnectionState {
    if (!isOnline) return "offline";
    if (status === "pending") return "live";
    return wasLive || error !== null ? "reconnecting" : "connecting";
  }

  return <LiveUpdatesContext value={{ state: connectionState(), listeners }}>{children}</LiveUpdatesContext>;
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
