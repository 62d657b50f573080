import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { useState } from "react";
import { useConnectionState } from "@/api/live-updates";
import { trpc } from "@/api/trpc";

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

/** Runs that go on, and those that were going on or began since this was mounted and have ended: their summary stays in sight. */
export function useWatchedRuns() {
  const { query, recent } = useSyncRuns();
  const [found, setFound] = useState<readonly SyncRun[] | null>(null);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  if (found === null && query.data !== undefined) setFound(recent);
  const watched = recent.filter(
    (run) =>
      isLiveSync(run.status) ||
      (isWitnessed(run, found ?? none) && !dismissed.includes(run.id) && isNewest(run, recent)),
  );
  return {
    query,
    watched,
    dismiss: (id: string) => setDismissed((ids) => [...ids, id]),
  };
}

/** Judged by the runs that were found at first: a run that fails at once may never be seen going on. */
function isWitnessed(run: SyncRun, found: readonly SyncRun[]): boolean {
  const known = found.find(({ id }) => id === run.id);
  return known === undefined ? run.startedAt >= (found[0]?.startedAt ?? 0) : isLiveSync(known.status);
}

/** Of its configuration; an older summary makes way for a newer run. */
function isNewest(run: SyncRun, newestFirst: readonly SyncRun[]): boolean {
  return newestFirst.find(({ configId }) => configId === run.configId)?.id === run.id;
}
