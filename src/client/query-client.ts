import { QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { notify } from "@/lib/notify";
import { isWorthRetrying } from "./failure";
import { LOAD_FAILED, notifyFailure } from "./failure-notice";

/** How long an answer is shown without asking again; the live stream invalidates what changes earlier. */
const FRESH_MS = 15_000;
/** A toast says so too when one of these cannot be shown at all. */
const LISTS = ["users.list", "hosts.list", "renewals.list", "configs.list"];

export function createQueryClient(): QueryClient {
  const queryCache = new QueryCache({
    onError(error, { queryKey, state }) {
      if (state.data === undefined && isList(queryKey)) notifyFailure("加载失败", error, { id: LOAD_FAILED });
    },
    onSuccess(_, { queryKey }) {
      // It came after all: what has been said of it is no longer so.
      if (isList(queryKey)) notify.dismiss(LOAD_FAILED);
    },
  });
  return new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < 1 && isWorthRetrying(error),
        refetchOnWindowFocus: false,
        // Offline, a call fails with its sentence instead of waiting without a word; it is asked again once the network is back.
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

/** Keys of tRPC begin with the procedure's path. */
function isList([path]: QueryKey): boolean {
  return Array.isArray(path) && LISTS.includes(path.join("."));
}
