import type { Job } from "../../platform/jobs/job.ts";
import type { RemindersJobDeps } from "./deps.ts";
import { sendDueReminders } from "./remind.ts";

export const REMINDERS_JOB = "reminders";

/** Looks each minute whether the time of the day has come. The queue delivers it to one replica. */
export function remindersJob({ em, ...deps }: RemindersJobDeps): Job {
  return {
    name: REMINDERS_JOB,
    cron: "* * * * *",
    pollSeconds: 5,
    async handle(_payload, { jobs }) {
      await sendDueReminders({ ...deps, jobs, em: em.fork() });
    },
  };
}
