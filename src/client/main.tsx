import "./styles/theme.css";
// Follows the system's theme on every page.
import "@/lib/use-theme";
import { QueryClientProvider } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { keepKeysOfCompositions } from "@/lib/composition";
import { notify } from "@/lib/notify";
import { createQueryClient } from "./api/query-client";
import { createTrpcClient, trpc } from "./api/trpc";
import { App } from "./app/app";
import { prefetchConsole } from "./app/lazy-shell";
import { LazyToaster } from "./app/lazy-toaster";
import { SessionProvider } from "./session/session";
import { createSessionStore } from "./session/session-store";

start();

function start(): void {
  const session = createSessionStore();
  const queryClient = createQueryClient();
  const api = createTrpcClient(session, readCallerAgain);
  // Nothing of one person is left for the next.
  session.onTokenChange(() => {
    queryClient.clear();
    notify.dismiss();
  });
  session.followOtherTabs();
  keepKeysOfCompositions();
  if (session.token() !== null) setTimeout(() => prefetchConsole(location.pathname));

  /** What it must do first decides which screen is shown. */
  function readCallerAgain(): void {
    const caller = { queryKey: getQueryKey(trpc.auth.me) };
    void queryClient.invalidateQueries(caller, { cancelRefetch: false });
  }

  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root");
  // In a transition, so that the first rendering does not block a slow phone.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <trpc.Provider client={api} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <SessionProvider store={session}>
              <App />
              <LazyToaster />
            </SessionProvider>
          </QueryClientProvider>
        </trpc.Provider>
      </StrictMode>,
    ),
  );
}
