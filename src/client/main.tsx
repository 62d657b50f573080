import "./styles/theme.css";
// Follows the system's theme on every page.
import "@/lib/use-theme";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { Toaster } from "@/components/ui/sonner";
import { keepKeysOfCompositions } from "@/lib/composition";
import { notify } from "@/lib/notify";
import { createQueryClient } from "./api/query-client";
import { createTrpcClient, trpc } from "./api/trpc";
import { App } from "./app/app";
import { prefetchConsole } from "./app/lazy-shell";
import { SessionProvider } from "./session/session";
import { createSessionStore } from "./session/session-store";

start();

function start(): void {
  const session = createSessionStore();
  const queryClient = createQueryClient();
  const api = createTrpcClient(session);
  // Nothing of one person is left for the next.
  session.onTokenChange(() => {
    queryClient.clear();
    notify.dismiss();
  });
  session.followOtherTabs();
  keepKeysOfCompositions();
  if (session.token() !== null) setTimeout(() => prefetchConsole(location.pathname));

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
              <Toaster />
            </SessionProvider>
          </QueryClientProvider>
        </trpc.Provider>
      </StrictMode>,
    ),
  );
}
