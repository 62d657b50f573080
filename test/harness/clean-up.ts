import { CLEAN_UP_JOB, cleanUpJob } from "../../src/server/operations/clean-up-job.ts";
import { programActor } from "../../src/server/platform/actor.ts";
import type { Clock } from "../../src/server/platform/clock.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import type { Log } from "../../src/server/platform/log.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { TestApp } from "./app.ts";
import { databaseClockOf } from "./clocks.ts";
import { firstDelivery } from "./deliveries.ts";
import { silentLog } from "./silent-log.ts";

interface CleanUpOptions {
  /** Of the database. */
  readonly clock: Pick<Clock, "now">;
  readonly log?: Log;
  readonly sessionLimits?: { readonly ttl: number; readonly idle: number };
}

/** Runs the clean-up once, as the queue does. */
export async function cleanUp(
  { orm }: Pick<TestApp, "orm">,
  { clock, log = silentLog, sessionLimits = { ttl: 43_200, idle: 7_200 } }: CleanUpOptions,
): Promise<void> {
  const limits = { sessionLimits, auditRetention: 400 * DAY_SECONDS };
  const deps = { em: orm.em.fork(), bus: createLocalBus(), log, ...limits };
  const actor = programActor("system", CLEAN_UP_JOB);
  const job = cleanUpJob({ ...deps, databaseClock: databaseClockOf(clock), actor });
  await job.handle({}, firstDelivery());
}
