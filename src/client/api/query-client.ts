import { MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import {
  errorCode,
  isOutcomeUnknown,
  isWorthRetrying,
  LOAD_FAILED,
  toastActError,
  toastError,
} from "./errors";

/** Title of the toast for a failure, and a fixed text in place of the server's message. */
type ErrorMeta = { errorTitle?: string; errorMessage?: string };

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: ErrorMeta;
    mutationMeta: ErrorMeta;
  }
}

/** Age at which a mounted query is fetched again; events and mutations invalidate earlier. */
const STALE_MS = 15_000;
/** Queries whose first failure is toasted without a title of their own. */
const LISTS = ["users.list", "hosts.list", "renewals.list", "configs.list"];

/**
 * Caches of the console: every mutation invalidates every query, and failures with
 * `meta.errorTitle` are toasted.
 */
export function createQueryClient(): QueryClient {
  const queryCache = new QueryCache({
    onError(error, { queryKey, meta = {}, state }) {
      const title = meta.errorTitle ?? (isList(queryKey) ? LOAD_FAILED : undefined);
      if (state.data === undefined && title !== undefined) {
        toastError(title, error, toastOptions(title, meta.errorMessage));
      }
    },
  });
  const mutationCache = new MutationCache({
    // Awaited by the mutation, so a dialog closes over the new rows and the focus does not go back
    // to a row that is about to leave.
    onSuccess: () => queryClient.invalidateQueries(),
    onError(error, _variables, _result, { meta = {} }) {
      if (meta.errorTitle !== undefined) {
        toastActError(meta.errorTitle, error, toastOptions(meta.errorTitle, meta.errorMessage));
      }
      // A refused change often means that the page shows an older state; one whose outcome is
      // unknown may have been made.
      if (errorCode(error) !== null || isOutcomeUnknown(error)) {
        void queryClient.invalidateQueries();
      }
    },
  });
  const queryClient: QueryClient = new QueryClient({
    queryCache,
    mutationCache,
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (failures, error) => failures < 1 && isWorthRetrying(error),
        refetchOnWindowFocus: false,
        // Offline, a call fails with a message instead of being paused; it is repeated once the
        // network is back.
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
  return queryClient;
}

/** A second failure of the same kind replaces the first. */
function toastOptions(title: string, message?: string) {
  return { id: title, ...(message === undefined ? {} : { message }) };
}

/** Keys of tRPC begin with the procedure's path. */
function isList([path]: QueryKey): boolean {
  return Array.isArray(path) && LISTS.includes(path.join("."));
}
