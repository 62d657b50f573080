import { isLiveSync, type SyncRun } from "@shared/sync.ts";
import { navigate } from "wouter/use-browser-location";
import { errorCode, toastActError } from "@/api/errors";
import { trpc } from "@/api/trpc";

/** The newest runs; the live stream writes into this query. */
export const RECENT = { page: 1, limit: 20 } as const;
/** For networks that let no socket through. */
const POLL_MS = 5000;
const none: readonly SyncRun[] = [];

/**
 * Recent runs, newest first, and the live ones among them. For super admins only. Polls while a run
 * is live.
 */
export function useSyncRuns() {
  const { data } = trpc.hosts.syncRuns.useQuery(RECENT, {
    refetchInterval: ({ state }) =>
      state.data?.runs.some(({ status }) => isLiveSync(status)) && POLL_MS,
  });
  const recent = data?.runs ?? none;

  return {
    isLoaded: data !== undefined,
    recent,
    live: recent.filter(({ status }) => isLiveSync(status)),
  };
}

/**
 * How many hosts of a configuration wait for a decision now; a run says only what it held itself.
 */
export function useHeldHosts(configId: string, enabled = true): number {
  return (
    trpc.hosts.heldRemovals.useQuery({ configId, limit: 1 }, { enabled }).data?.pagination.total ??
    0
  );
}

const toConfigs = { label: "前往配置管理", onClick: () => navigate("/configs") };

/** Starts runs without waiting for their end. `start()` takes every active configuration. */
export function useStartSync(onStarted?: () => void) {
  const sync = trpc.hosts.sync.useMutation({
    onSuccess: () => onStarted?.(),
    // STATE_CONFLICT: no configuration is active.
    onError: (error) =>
      toastActError(
        "同步失败",
        error,
        errorCode(error) === "STATE_CONFLICT" ? { action: toConfigs } : {},
      ),
  });
  return {
    isStarting: sync.isPending,
    start: (configId?: string) =>
      sync.mutate(configId === undefined ? { wait: 0 } : { configId, wait: 0 }),
  };
}
