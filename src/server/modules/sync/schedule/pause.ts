import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { SyncRun } from "../../../../shared/sync.ts";
import { publishConfigsChanged } from "../../provider-configs/events.ts";
import type { SyncDeps } from "../deps.ts";
import { notifyOfPause } from "../notices.ts";
import { findNewestRuns, findSchedules } from "./queries.ts";
import { type ScheduleState, scheduleState } from "./schedule.ts";

export async function readScheduleState(
  em: SqlEntityManager,
  configId: string,
  now: number,
): Promise<ScheduleState> {
  const [schedule] = await findSchedules(em, [configId]);
  if (schedule === undefined) return { kind: "off" };
  const runs = await findNewestRuns(em, [configId], now);
  return scheduleState(schedule, runs.get(configId) ?? [], now);
}

/**
 * Publishes, and tells super admins of a pause, when the end of this run, which is written already,
 * has paused the schedule of its configuration or let it go on: the state with the run is compared
 * with the one without it.
 */
export async function publishPauseOrResume(
  { databaseClock, jobs }: Pick<SyncDeps, "databaseClock" | "jobs">,
  em: SqlEntityManager,
  { id, configId }: Pick<SyncRun, "id" | "configId">,
  at: number,
): Promise<void> {
  const [schedule] = await findSchedules(em, [configId]);
  if (schedule === undefined) return;

  const now = await databaseClock.now(em);
  const runs = (await findNewestRuns(em, [configId], now)).get(configId) ?? [];
  const others = runs.filter((run) => run.id !== id);
  const state = scheduleState(schedule, runs, now);
  const wasPaused = scheduleState(schedule, others, now).kind === "paused";
  if ((state.kind === "paused") === wasPaused) return;

  if (state.kind === "paused") {
    await notifyOfPause({ em, jobs }, { configId, reason: state.reason }, at);
  }
  await publishConfigsChanged(em, [configId], at);
}
