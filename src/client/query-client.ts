import { QueryClient } from "@tanstack/react-query";
import { isWorthRetrying } from "./failure";

/** How long an answer is shown without asking again; the live stream invalidates what changes earlier. */
const FRESH_MS = 15_000;

export function createQueryClient(): QueryClient {
  return new QueryClient({
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
