import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { useState } from "react";
import { useConnectionState } from "@/live-updates";
import { trpc } from "@/trpc";

/** The newest runs, live ones among them; the stream writes its news into this very query. */
const RECENT = { page: 1, limit: 20 } as const;
const POLL_MS = 3000;
/** With the stream up, only as a net below it. */
const SLOW_POLL_MS = 20_000;
const none: readonly SyncRun[] = [];

/** Recent runs and those of them that are going on. For super admins only. While one goes on and the socket is down, it asks every few seconds. */
export function useSyncRuns() {
  const connection = useConnectionState();
  const query = trpc.hosts.syncRuns.useQuery(RECENT, {
    refetchInterval: ({ state }) => {
      if (!state.data?.runs.some(({ status }) => isLiveSync(status))) return false;
      return connection === "live" ? SLOW_POLL_MS : POLL_MS;
    },
  });
  const recent = query.data?.runs ?? none;
  return { query, recent, live: recent.filter(({ status }) => isLiveSync(status)) };
}

/** Runs that go on, and those that were seen going on since this was mounted and have ended: their summary stays in sight. */
export function useWatchedRuns() {
  const { query, recent, live } = useSyncRuns();
  const [seen, setSeen] = useState<readonly string[]>([]);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const fresh = live.filter(({ id }) => !seen.includes(id)).map(({ id }) => id);
  if (fresh.length > 0) setSeen([...seen, ...fresh]);
  const watched = recent.filter(
    (run) => isLiveSync(run.status) || (seen.includes(run.id) && !dismissed.includes(run.id) && isNewest(run, recent)),
  );
  return {
    query,
    watched,
    dismiss: (id: string) => setDismissed((ids) => [...ids, id]),
  };
}

/** Of its configuration; an older summary makes way for a newer run. */
function isNewest(run: SyncRun, newestFirst: readonly SyncRun[]): boolean {
  return newestFirst.find(({ configId }) => configId === run.configId)?.id === run.id;
}
