import { authRouter } from "./auth/router.ts";
import { configsRouter } from "./configs/router.ts";
import { mergeRouters, router } from "./core/trpc.ts";
import { eventsRouter } from "./events/router.ts";
import { hostsRouter } from "./hosts/router.ts";
import { renewalsRouter } from "./renewals/router.ts";
import { settingsRouter } from "./settings/router.ts";
import { syncRouter } from "./sync/router.ts";
import { usersRouter } from "./users/router.ts";

const calls = {
  auth: authRouter,
  users: usersRouter,
  hosts: mergeRouters(hostsRouter, syncRouter),
  configs: configsRouter,
  renewals: renewalsRouter,
  settings: settingsRouter,
};

/** Without subscriptions: tRPC would serve them over HTTP as event streams, which nothing counts or ends. */
export const httpRouter = router(calls);

export const appRouter = router({ ...calls, events: eventsRouter });

export type HttpRouter = typeof httpRouter;
export type AppRouter = typeof appRouter;
