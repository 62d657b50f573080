import type { StreamEvent } from "@shared/events.ts";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, startTransition, use, useEffect, useEffectEvent, useState } from "react";
import { createEventApplier } from "./apply-event";
import { type ConnectionState, openLiveConnection } from "./live-connection";
import { useSessionStore } from "./session";
import { trpc } from "./trpc";

type Listener = (event: StreamEvent) => void;
type LiveUpdates = { state: ConnectionState; listeners: Set<Listener> };

const LiveUpdatesContext = createContext<LiveUpdates | null>(null);

/** Keeps the page's one socket open for this token and the query cache up to date. A new token means a new socket. */
export function LiveUpdatesProvider({ token, children }: { token: string; children: ReactNode }) {
  const queryClient = useQueryClient();
  const utils = trpc.useUtils();
  const store = useSessionStore();
  const [state, setState] = useState<ConnectionState>("connecting");
  const [listeners] = useState(() => new Set<Listener>());

  useEffect(() => {
    const apply = createEventApplier(utils, queryClient);
    const connection = openLiveConnection({
      token,
      // The page may be on its way to the screen: that is not to be broken off, and done at one go, for the sake of a dot.
      onStateChange: (next) => startTransition(() => setState(next)),
      onUnauthenticated: () => store.expire(token),
      onEvent(event) {
        apply(event);
        for (const listener of listeners) listener(event);
      },
    });
    return () => connection[Symbol.dispose]();
  }, [token, utils, queryClient, store, listeners]);

  return <LiveUpdatesContext value={{ state, listeners }}>{children}</LiveUpdatesContext>;
}

/** How the live stream stands, for the dot and the banner. */
export function useConnectionState(): ConnectionState {
  return useLiveUpdates().state;
}

/** Hears every event of one type, after the query cache has been told: `useLiveEvent("sync.finished", ({ data: run }) => …)`. */
export function useLiveEvent<Type extends StreamEvent["type"]>(
  type: Type,
  action: (event: Extract<StreamEvent, { type: Type }>) => void,
): void {
  const { listeners } = useLiveUpdates();
  const hear = useEffectEvent((event: StreamEvent) => {
    if (isOfType(event, type)) action(event);
  });
  useEffect(() => {
    const listener = (event: StreamEvent) => hear(event);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listeners]);
}

function useLiveUpdates(): LiveUpdates {
  const updates = use(LiveUpdatesContext);
  if (updates === null) throw new Error("no LiveUpdatesProvider above");
  return updates;
}

function isOfType<Type extends StreamEvent["type"]>(
  event: StreamEvent,
  type: Type,
): event is Extract<StreamEvent, { type: Type }> {
  return event.type === type;
}
