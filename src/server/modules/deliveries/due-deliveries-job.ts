import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { sendDeliverJob } from "../channels/queue-deliveries.ts";
import type { DeliveriesDeps } from "./deps.ts";
import { isDue, isPaused } from "./due.ts";

export const DUE_DELIVERIES_JOB = "due-deliveries";

/**
 * Wakes the worker of each channel that has something due: a try whose wait is over, or a message
 * whose job was lost. Those of a deleted channel are among them, to be skipped.
 */
export function dueDeliveriesJob({ em, ...deps }: DeliveriesDeps): Job {
  return {
    name: DUE_DELIVERIES_JOB,
    cron: "* * * * *",
    repeatAfterSeconds: [20, 40],
    pollSeconds: 5,
    async handle(_payload, { jobs }) {
      const own = { ...deps, em: em.fork() };
      const channelIds = await findDueChannels(own);
      if (channelIds.length === 0) return;

      await inTransaction(own, async (inside) => {
        for (const id of channelIds) await sendDeliverJob({ em: inside, jobs }, id);
      });
    },
  };
}

async function findDueChannels({ em, databaseClock }: DeliveriesDeps): Promise<string[]> {
  const now = await databaseClock.now(em);
  const due = await kyselyOf(em)
    .selectFrom("notice_deliveries as d")
    .select("d.channelId")
    .distinct()
    .where((eb) => isDue(eb, now))
    .where((eb) => {
      const paused = eb
        .selectFrom("notice_channels as c")
        .select("c.id")
        .whereRef("c.id", "=", "d.channelId")
        .where((channel) => isPaused(channel, now));
      return eb.not(eb.exists(paused));
    })
    // The order in which queueDeliveries locks their jobs.
    .orderBy("d.channelId")
    .execute();
  return due.map(({ channelId }) => channelId);
}
