import {
  assignmentImportRouter,
  assignmentsRouter,
  userAssignmentsRouter,
} from "./modules/assignments/router.ts";
import { activityRouter, auditRouter } from "./modules/audit/router.ts";
import { authRouter, securitySettingsRouter, userTokensRouter } from "./modules/auth/router.ts";
import { channelsRouter } from "./modules/channels/router.ts";
import { configsRouter } from "./modules/config-management/router.ts";
import { deliveriesRouter } from "./modules/deliveries/router.ts";
import { historyRouter } from "./modules/history/router.ts";
import { hostsRouter } from "./modules/hosts/router.ts";
import { noticesRouter } from "./modules/notices/router.ts";
import { remindersRouter } from "./modules/reminders/router.ts";
import { renewalsRouter } from "./modules/renewals/router.ts";
import { settingsRouter } from "./modules/settings/router.ts";
import { syncRouter } from "./modules/sync/router.ts";
import { userManagementRouter } from "./modules/user-management/router.ts";
import { usersRouter } from "./modules/users/router.ts";
import { eventsRouter } from "./platform/events/router.ts";
import { mergeRouters, router } from "./platform/trpc/trpc.ts";

const calls = {
  auth: mergeRouters(authRouter, activityRouter),
  users: mergeRouters(usersRouter, userAssignmentsRouter, userTokensRouter, userManagementRouter),
  hosts: mergeRouters(hostsRouter, assignmentsRouter, syncRouter, historyRouter),
  assignments: assignmentImportRouter,
  configs: configsRouter,
  renewals: renewalsRouter,
  notices: noticesRouter,
  settings: settingsRouter,
  reminders: remindersRouter,
  noticeChannels: mergeRouters(channelsRouter, deliveriesRouter),
  securitySettings: securitySettingsRouter,
  audit: auditRouter,
};

/**
 * Without subscriptions: tRPC would serve them over HTTP as event streams, which nothing counts or
 * ends.
 */
export const httpRouter = router(calls);

export const appRouter = router({ ...calls, events: eventsRouter });

export type AppRouter = typeof appRouter;
