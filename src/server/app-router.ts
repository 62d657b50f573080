import { authRouter } from "./auth/router.ts";
import { configsRouter } from "./configs/router.ts";
import { mergeRouters, router } from "./core/trpc.ts";
import { eventsRouter } from "./events/router.ts";
import { hostsRouter } from "./hosts/router.ts";
import { renewalsRouter } from "./renewals/router.ts";
import { settingsRouter } from "./settings/router.ts";
import { syncRouter } from "./sync/router.ts";
import { usersRouter } from "./users/router.ts";

export const appRouter = router({
  auth: authRouter,
  users: usersRouter,
  hosts: mergeRouters(hostsRouter, syncRouter),
  configs: configsRouter,
  renewals: renewalsRouter,
  settings: settingsRouter,
  events: eventsRouter,
});

export type AppRouter = typeof appRouter;
