import type { StreamEvent } from "@shared/events.ts";
import { isLiveSync, type SyncRun, type SyncRunList } from "@shared/sync.ts";
import { hashKey, type InvalidateQueryFilters, type QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "../../server/app-router.ts";
import { trpc } from "./trpc";

/** The queries of a router, of all of them, or a part of those of hosts (`filterOf`). */
type Stale = keyof inferRouterOutputs<AppRouter> | "all" | "present hosts" | "changes";

/** Events within this time cause one refetch. */
const PAUSE_MS = 500;
/** The same for what an event concerns only at its edge. */
const LONG_PAUSE_MS = 10_000;
/** What an event makes stale. */
const STALE: Readonly<Record<StreamEvent["type"], readonly Stale[]>> = {
  "stream.ready": ["all"],
  "sync.progress": [],
  "sync.finished": ["hosts", "configs"],
  "hosts.changed": ["present hosts"],
  "annotations.changed": ["hosts"],
  "removals.changed": ["hosts"],
  "config.changed": ["configs"],
  // A notice names its hosts with their ends.
  "assignment.changed": ["hosts", "users", "renewals", "notices"],
  // Hosts and renewals show names of users, and the frame that of the caller.
  "user.changed": ["users", "hosts", "renewals", "auth"],
  // A host names its open request.
  "renewal.created": ["renewals", "hosts"],
  "renewal.cancelled": ["renewals", "hosts"],
  "renewal.processed": ["renewals", "hosts"],
  "settings.changed": ["settings", "hosts"],
  "notice.created": ["notices"],
  "notices.read": ["notices"],
  "reminders.changed": ["reminders"],
  // Sent with each delivery, too, and the ledger says how each stands.
  "channel.changed": ["noticeChannels", "reminders"],
  "securitySettings.changed": ["securitySettings"],
};

/**
 * Users are listed with the number of their hosts, and requests with the names of theirs. During a
 * sync the hosts change twice a second, and these hardly ever: they may be older for a moment. So
 * may the list of changes, which takes the server up to seconds where it is long.
 */
const STALE_LATER: Readonly<Partial<Record<StreamEvent["type"], readonly Stale[]>>> = {
  "hosts.changed": ["users", "renewals", "changes"],
};

function filterOf(stale: Stale): InvalidateQueryFilters {
  switch (stale) {
    case "all":
      return {};
    case "present hosts":
      return { queryKey: [["hosts"]], predicate: ({ queryKey }) => !isOfChanges(queryKey) };
    case "changes":
      return { predicate: ({ queryKey }) => isOfChanges(queryKey) };
    default:
      return { queryKey: [[stale]] };
  }
}

const [CHANGES] = getQueryKey(trpc.hosts.changes);

function isOfChanges([path]: readonly unknown[]): boolean {
  return hashKey([path]) === hashKey([CHANGES]);
}

/**
 * Applies events to the query cache: sync runs are written into it, other queries on the page are
 * fetched again.
 */
export function createEventApplier(queryClient: QueryClient): (event: StreamEvent) => void {
  const markStale = collector(PAUSE_MS);
  const markStaleLater = collector(LONG_PAUSE_MS);

  /** Fetches what it was given, once in the pause that begins with the first of them. */
  function collector(pauseMs: number): (added: readonly Stale[]) => void {
    const stale = new Set<Stale>();
    let isScheduled = false;

    function refetch(): void {
      isScheduled = false;
      const filters = stale.has("all") ? [{}] : [...stale].map(filterOf);
      stale.clear();
      for (const filter of filters) void queryClient.invalidateQueries(filter);
    }

    return (added) => {
      for (const each of added) stale.add(each);
      if (stale.size === 0 || isScheduled) return;

      isScheduled = true;
      setTimeout(refetch, pauseMs);
    };
  }

  return function applyEvent(event: StreamEvent): void {
    if (event.type === "sync.progress" || event.type === "sync.finished") {
      writeSyncRun(queryClient, event.data);
    }
    if (event.type === "stream.ready") {
      // Fetches during the outage have failed.
      void queryClient.refetchQueries({
        type: "active",
        predicate: ({ state }) => state.status === "error",
      });
      if (event.data.resumed) return;
    }
    // A newer server may send types that this page does not know.
    markStale(STALE[event.type] ?? []);
    markStaleLater(STALE_LATER[event.type] ?? []);
  };
}

/**
 * Writes a run into every cached page of `hosts.syncRuns` that has it; another one is new, and the
 * pages are fetched.
 */
function writeSyncRun(queryClient: QueryClient, run: SyncRun): void {
  const lists = { queryKey: getQueryKey(trpc.hosts.syncRuns, undefined, "query") };
  let isListed = false;
  queryClient.setQueriesData(lists, (list: SyncRunList | undefined) => {
    const index = list?.runs.findIndex(({ id }) => id === run.id) ?? -1;
    const shown = list?.runs[index];
    if (list === undefined || shown === undefined) return list;

    isListed = true;
    // An event that is repeated after a reconnect must not take a finished run back.
    const isRepeated = isLiveSync(run.status) && !isLiveSync(shown.status);
    return isRepeated ? list : { ...list, runs: list.runs.with(index, withErrors(run, shown)) };
  });
  if (!isListed) void queryClient.invalidateQueries(lists, { cancelRefetch: false });
}

/** Progress carries the errors of a run only when there are more than before. */
function withErrors(run: SyncRun, { errors }: SyncRun): SyncRun {
  return isLiveSync(run.status) && run.errors.length === 0 ? { ...run, errors } : run;
}
