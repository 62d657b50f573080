import type { StreamEvent } from "@shared/events.ts";
import { isLiveSync, type SyncRun, type SyncRunList } from "@shared/sync.ts";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { trpc } from "./trpc";

type Utils = ReturnType<typeof trpc.useUtils>;

const REFETCH_PAUSE_MS = 1000;

/** Brings the query cache up to date with what the server says has happened. Sync runs are written into it, the rest is asked for again. */
export function createEventApplier(utils: Utils, queryClient: QueryClient) {
  const again = (queryKey: QueryKey) => askAgain(queryClient, queryKey);
  const refetchHosts = paced(() => {
    again(getQueryKey(trpc.hosts.list));
    again(getQueryKey(trpc.hosts.get));
    again(getQueryKey(trpc.hosts.summary));
  }, REFETCH_PAUSE_MS);

  const refetchRenewals = paced(() => again(getQueryKey(trpc.renewals)), REFETCH_PAUSE_MS);
  const refetchUsers = paced(() => again(getQueryKey(trpc.users)), REFETCH_PAUSE_MS);

  return function applyEvent(event: StreamEvent): void {
    switch (event.type) {
      case "stream.ready":
        if (event.data.resumed) refetchFailed(queryClient);
        else void queryClient.invalidateQueries();
        return;
      case "sync.progress":
        writeSyncRun(utils, queryClient, event.data);
        return;
      case "sync.finished":
        writeSyncRun(utils, queryClient, event.data);
        again(getQueryKey(trpc.hosts.syncRun, { id: event.data.id }, "query"));
        again(getQueryKey(trpc.hosts.syncRuns));
        again(getQueryKey(trpc.configs.list));
        refetchHosts();
        return;
      case "hosts.changed":
        refetchHosts();
        // Maybe not by a sync: a client may have come to this admin, or gone, and its requests with it.
        if (event.data.configId !== undefined) return;
        refetchUsers();
        refetchRenewals();
        return;
      case "assignment.changed":
        refetchHosts();
        // They tell until when the host is the client's.
        refetchRenewals();
        return;
      case "settings.changed":
        again(getQueryKey(trpc.settings));
        refetchHosts();
        return;
      case "renewal.created":
      case "renewal.cancelled":
        again(getQueryKey(trpc.renewals));
        return;
      case "renewal.processed":
        again(getQueryKey(trpc.renewals));
        // A completed one has moved the expiry of its host.
        refetchHosts();
        return;
    }
    // A newer server may send what this page does not know yet.
    event satisfies never;
  };
}

/**
 * An answer under way may be older than the event, and nothing more would come to correct it: it is asked for once more. Where it is the
 * first one, only when it is there, for invalidating leaves a first one be, and news after news would keep a page from ever being filled.
 */
function askAgain(queryClient: QueryClient, queryKey: QueryKey): void {
  const active = queryClient.getQueryCache().findAll({ queryKey, type: "active", fetchStatus: "fetching" });
  const awaited = active.filter(({ state }) => state.data === undefined);
  void queryClient.invalidateQueries({ queryKey });
  for (const query of awaited) {
    const again = { queryKey: query.queryKey, exact: true };
    void query.fetch().then(
      () => queryClient.invalidateQueries(again, { cancelRefetch: false }),
      () => undefined,
    );
  }
}

/** A stream that resumes has missed no event, but what was asked for while the server was away has failed and would stay so. */
function refetchFailed(queryClient: QueryClient): void {
  void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
}

/** Into `hosts.syncRun` and every cached `hosts.syncRuns` page that holds it; a page that could hold it is asked for again. */
function writeSyncRun(utils: Utils, queryClient: QueryClient, run: SyncRun): void {
  const known = utils.hosts.syncRun.getData({ id: run.id });
  if (known === undefined || isNewer(run, known)) utils.hosts.syncRun.setData({ id: run.id }, run);
  let isListed = false;
  const lists = { queryKey: getQueryKey(trpc.hosts.syncRuns, undefined, "query") };
  queryClient.setQueriesData(lists, (list: SyncRunList | undefined) => {
    if (list === undefined) return list;
    const place = list.runs.findIndex(({ id }) => id === run.id);
    const shown = list.runs[place];
    if (shown === undefined) return list;
    isListed = true;
    return isNewer(run, shown) ? { ...list, runs: list.runs.with(place, run) } : list;
  });
  if (!isListed) void queryClient.invalidateQueries(lists, { cancelRefetch: false });
}

/** Events that are sent again after a reconnect must not take a finished run back to running. */
function isNewer(run: SyncRun, shown: SyncRun): boolean {
  if (!isLiveSync(shown.status)) return !isLiveSync(run.status);
  return !isLiveSync(run.status) || run.hostsSeen >= shown.hostsSeen || run.regionsDone >= shown.regionsDone;
}

/** Runs at once, then at most once per pause, the last call never lost. */
function paced(action: () => void, pauseMs: number): () => void {
  let isPausing = false;
  let isWanted = false;
  return function run(): void {
    if (isPausing) {
      isWanted = true;
      return;
    }
    isPausing = true;
    action();
    setTimeout(() => {
      isPausing = false;
      if (!isWanted) return;
      isWanted = false;
      run();
    }, pauseMs);
  };
}
