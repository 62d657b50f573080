import type { StreamEvent } from "@shared/events.ts";
import { isLiveSync, type SyncRun, type SyncRunList } from "@shared/sync.ts";
import type { Query, QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { trpc } from "./trpc";

type Utils = ReturnType<typeof trpc.useUtils>;
type Router = (typeof ROUTERS)[number];

/** Events within this time cause one refetch. */
const PAUSE_MS = 500;
const ROUTERS = ["auth", "users", "hosts", "configs", "renewals", "settings"] as const;
/** The routers whose queries an event makes stale. */
const STALE: Readonly<Record<StreamEvent["type"], readonly Router[]>> = {
  "stream.ready": ROUTERS,
  "sync.progress": [],
  "sync.finished": ["hosts", "configs"],
  "hosts.changed": ["hosts", "users", "renewals"],
  "removals.changed": ["hosts"],
  "assignment.changed": ["hosts", "users", "renewals"],
  "renewal.created": ["renewals"],
  "renewal.cancelled": ["renewals"],
  "renewal.processed": ["renewals", "hosts"],
  "settings.changed": ["settings", "hosts"],
};

/** Applies events to the query cache: sync runs are written into it, other queries on the page are fetched again. */
export function createEventApplier(utils: Utils, queryClient: QueryClient): (event: StreamEvent) => void {
  const stale = new Set<Router>();
  let isScheduled = false;

  function markStale(routers: readonly Router[]): void {
    for (const router of routers) stale.add(router);
    if (stale.size === 0 || isScheduled) return;
    isScheduled = true;
    setTimeout(refetch, PAUSE_MS);
  }

  function refetch(): void {
    isScheduled = false;
    const routers = [...stale];
    stale.clear();
    for (const router of routers) {
      // The answer of a first fetch may be older than the event, and invalidation skips it.
      if (hasFirstFetch(queryClient, router)) markStale([router]);
      else void queryClient.invalidateQueries({ queryKey: [[router]], predicate: hasData });
    }
  }

  return function applyEvent(event: StreamEvent): void {
    if (event.type === "sync.progress" || event.type === "sync.finished") writeSyncRun(utils, queryClient, event.data);
    if (event.type === "stream.ready") {
      // Fetches during the outage have failed.
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
      if (event.data.resumed) return;
    }
    // A newer server may send types that this page does not know.
    markStale(STALE[event.type] ?? []);
  };
}

function hasData({ state }: Query): boolean {
  return state.data !== undefined;
}

function hasFirstFetch(queryClient: QueryClient, router: Router): boolean {
  return queryClient.isFetching({ queryKey: [[router]], predicate: (query) => !hasData(query) }) > 0;
}

/** Writes a run into `hosts.syncRun` and every cached page of `hosts.syncRuns` that has it. */
function writeSyncRun(utils: Utils, queryClient: QueryClient, run: SyncRun): void {
  const known = utils.hosts.syncRun.getData({ id: run.id });
  if (known === undefined || isNewer(run, known)) utils.hosts.syncRun.setData({ id: run.id }, run);
  let isListed = false;
  const lists = { queryKey: getQueryKey(trpc.hosts.syncRuns, undefined, "query") };
  queryClient.setQueriesData(lists, (list: SyncRunList | undefined) => {
    const index = list?.runs.findIndex(({ id }) => id === run.id) ?? -1;
    const shown = list?.runs[index];
    if (list === undefined || shown === undefined) return list;
    isListed = true;
    return isNewer(run, shown) ? { ...list, runs: list.runs.with(index, run) } : list;
  });
  if (!isListed) void queryClient.invalidateQueries(lists, { cancelRefetch: false });
}

/** Events that are repeated after a reconnect must not take a finished run back to running. */
function isNewer(run: SyncRun, shown: SyncRun): boolean {
  if (!isLiveSync(shown.status)) return !isLiveSync(run.status);
  return !isLiveSync(run.status) || run.hostsSeen >= shown.hostsSeen || run.regionsDone >= shown.regionsDone;
}
