import { REMINDERS_JOB, remindersJob } from "../../src/server/modules/reminders/reminders-job.ts";
import { programActor } from "../../src/server/platform/actor.ts";
import type { Clock } from "../../src/server/platform/clock.ts";
import type { JobQueue } from "../../src/server/platform/jobs/queue.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import type { ReminderSettings } from "../../src/shared/reminders.ts";
import type { TestApp } from "./app.ts";
import { databaseClockOf } from "./clocks.ts";
import { firstDelivery } from "./deliveries.ts";
import { assertOk } from "./rest.ts";
import { silentLog } from "./silent-log.ts";

/** A valid body of reminders.updateSettings, switched on. */
export function buildReminderSettings(more: Partial<ReminderSettings> = {}): ReminderSettings {
  return {
    isActive: true,
    assignmentMarks: [30, 7, 3, 1, 0],
    hostMarks: [30, 7, 3, 1, 0],
    sendAt: "09:00",
    recipients: { client: true, admin: true, superAdmin: true },
    ...more,
  };
}

export async function saveReminderSettings(
  { root }: Pick<TestApp, "root">,
  more: Partial<ReminderSettings> = {},
): Promise<void> {
  await assertOk(root.put("/api/reminder-settings", buildReminderSettings(more)));
}

/** Takes the jobs that send what was queued. */
const NO_WORKERS: JobQueue = { send: async () => true, raisePriority: async () => {} };

/** Runs the job once, as the queue does each minute. `clock` is that of the database. */
export async function runRemindersJob(
  { orm }: Pick<TestApp, "orm">,
  clock: Pick<Clock, "now">,
): Promise<void> {
  const deps = { em: orm.em.fork(), bus: createLocalBus(), log: silentLog };
  const actor = programActor("system", REMINDERS_JOB);
  const job = remindersJob({ ...deps, databaseClock: databaseClockOf(clock), actor });
  await job.handle({}, firstDelivery(NO_WORKERS));
}
