import "./zod-setup";
import "./styles/theme.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { Toaster } from "@/components/ui/toaster";
import { notify } from "@/lib/notify";
import { App } from "./app";
import { prefetchConsole } from "./prefetch-console";
import { createQueryClient } from "./query-client";
import { SessionProvider } from "./session";
import { createSessionActions } from "./session-actions";
import { createSessionStore, type SessionStore } from "./session-store";
import { createApiClient, trpc } from "./trpc";

start();

/** The only place where the console's long-lived things are made. */
function start(): void {
  const store = createSessionStore(() => localStorage);
  const queryClient = createQueryClient();
  const api = createApiClient({ token: store.token, userId: store.userId, onUnauthenticated: store.expire });
  const actions = createSessionActions(store, api, (sentence) => notify.error(sentence, { id: "session" }));

  onUserChange(store, () => {
    queryClient.clear();
    notify.dismiss();
  });
  store.subscribe(() => {
    const session = store.get();
    if (session.status === "unauthenticated" && session.because === "expired") {
      notify.error("认证失败，请重新登录", { id: "session" });
    }
  });
  store.followOtherTabs(new AbortController().signal);
  void actions.confirmStored();
  // What will most likely be seen is on its way meanwhile. Not in this turn, which is the longest of all as it is.
  if (store.get().status === "loading") setTimeout(() => prefetchConsole(location.pathname));

  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root");
  // In slices, as every first drawing here: a slow phone would be deaf for a fifth of a second.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <trpc.Provider client={api} queryClient={queryClient}>
          <QueryClientProvider client={queryClient}>
            <SessionProvider store={store} actions={actions}>
              <App />
              <Toaster />
            </SessionProvider>
          </QueryClientProvider>
        </trpc.Provider>
      </StrictMode>,
    ),
  );
}

/** Nothing that one person has read, or was told, is there for the next. */
function onUserChange(store: SessionStore, action: () => void): void {
  let userId = store.userId();
  store.subscribe(() => {
    const next = store.userId();
    if (next === userId) return;
    userId = next;
    action();
  });
}
