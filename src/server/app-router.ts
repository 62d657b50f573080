import { assignmentsRouter, userAssignmentsRouter } from "./modules/assignments/router.ts";
import { authRouter } from "./modules/auth/router.ts";
import { configsRouter } from "./modules/config-management/router.ts";
import { historyRouter } from "./modules/history/router.ts";
import { hostsRouter } from "./modules/hosts/router.ts";
import { renewalsRouter } from "./modules/renewals/router.ts";
import { settingsRouter } from "./modules/settings/router.ts";
import { syncRouter } from "./modules/sync/router.ts";
import { userManagementRouter } from "./modules/user-management/router.ts";
import { usersRouter } from "./modules/users/router.ts";
import { eventsRouter } from "./platform/events/router.ts";
import { mergeRouters, router } from "./platform/trpc/trpc.ts";

const calls = {
  auth: authRouter,
  users: mergeRouters(usersRouter, userAssignmentsRouter, userManagementRouter),
  hosts: mergeRouters(hostsRouter, assignmentsRouter, syncRouter, historyRouter),
  configs: configsRouter,
  renewals: renewalsRouter,
  settings: settingsRouter,
};

/**
 * Without subscriptions: tRPC would serve them over HTTP as event streams, which nothing counts or
 * ends.
 */
export const httpRouter = router(calls);

export const appRouter = router({ ...calls, events: eventsRouter });

export type AppRouter = typeof appRouter;
