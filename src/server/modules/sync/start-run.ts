import type { EntityManager } from "@mikro-orm/postgresql";
import { v7 as newId } from "uuid";
import { LIVE_SYNC_STATUSES, type SyncRun, type SyncTrigger } from "../../../shared/sync.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { lockConfig } from "../provider-configs/locks.ts";
import type { SyncDeps } from "./deps.ts";
import { publishRun } from "./events.ts";
import { presentSyncRun } from "./present.ts";
import { recordRun } from "./record-run.ts";
import { SYNC_RUN_JOB } from "./sync-job.ts";

/** What a person waits for comes before what the schedule started. */
const PRIORITIES: Readonly<Record<SyncTrigger, number>> = { manual: 1, schedule: 0 };

const ACTIONS = { manual: "hosts.sync", schedule: "job.schedule" } as const;

interface RunRequest {
  readonly configId: string;
  readonly trigger: SyncTrigger;
  /** Null when no person asked for it. */
  readonly requestedBy: SyncRun["requestedBy"];
}

/**
 * Starts a run for a person, or finds the configuration's live one; returns its id. Refuses an
 * unknown or inactive configuration. The lock of the configuration makes a second request wait for
 * the first one and then find its run; the unique index on live runs is behind it.
 */
export async function startRun(
  deps: SyncDeps,
  { configId, requestedBy }: Omit<RunRequest, "trigger">,
): Promise<string> {
  return await inTransaction(deps, async (em) => {
    const { name, isActive } = await lockConfig(em, configId);
    noteSubject(deps, { type: "config", id: configId, label: name });
    if (!isActive) throw new AppError("STATE_CONFLICT", "该配置已停用，请先启用后再同步");

    const liveId = await findLiveRun(em, configId);
    if (liveId === null) {
      const request = { configId, configName: name, trigger: "manual", requestedBy } as const;
      return await queueRun({ ...deps, em }, request);
    }

    // It may be a scheduled run that waits behind others.
    const target = { singletonKey: liveId, priority: PRIORITIES.manual };
    await deps.jobs.raisePriority(em, SYNC_RUN_JOB, target);
    return liveId;
  });
}

/** The id of the configuration's run that is queued or running; null without one. */
export async function findLiveRun(em: EntityManager, configId: string): Promise<string | null> {
  const live = await kyselyOf(em)
    .selectFrom("sync_runs")
    .select("id")
    .where("configId", "=", configId)
    .where("status", "in", LIVE_SYNC_STATUSES)
    .executeTakeFirst();
  return live?.id ?? null;
}

/**
 * Writes a run, its job and its event together, so that a run is never queued without somebody who
 * will claim it. For a transaction that has locked the configuration and found no live run. Returns
 * the run's id.
 */
export async function queueRun(
  deps: SyncDeps,
  { configId, configName, trigger, requestedBy }: RunRequest & { readonly configName: string },
): Promise<string> {
  const { em, clock, databaseClock, jobs } = deps;
  const startedAt = clock.now();
  const run = await kyselyOf(em)
    .insertInto("sync_runs")
    .values({
      id: newId(),
      configId,
      configName,
      trigger,
      status: "queued",
      requestedBy: requestedBy?.id ?? null,
      requestedByName: requestedBy?.name ?? null,
      queuedAt: await databaseClock.now(em),
      startedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const options = { singletonKey: run.id, priority: PRIORITIES[trigger] };
  await jobs.send(em, SYNC_RUN_JOB, { runId: run.id }, options);
  await recordRun(deps, ACTIONS[trigger], run, startedAt);
  await publishRun(em, presentSyncRun(run), startedAt);
  return run.id;
}
