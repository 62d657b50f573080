import pg from "pg";
import { onTestFinished } from "vitest";
import { SCHEDULE_JOB, scheduleJob } from "../../src/server/modules/sync/schedule/schedule-job.ts";
import { SYNC_RUN_JOB, syncRunJob } from "../../src/server/modules/sync/sync-job.ts";
import { programActor } from "../../src/server/platform/actor.ts";
import type { Clock } from "../../src/server/platform/clock.ts";
import type { DatabaseClock } from "../../src/server/platform/database/database-clock.ts";
import {
  connectionConfig,
  type DatabaseConnection,
} from "../../src/server/platform/database/open.ts";
import { createOutboundGuard } from "../../src/server/platform/egress/guard.ts";
import { openQueue } from "../../src/server/platform/jobs/queue.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { createMetrics } from "../../src/server/platform/metrics.ts";
import { createSecretBox } from "../../src/server/platform/secrets.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import type { Storage } from "../../src/server/storage.ts";
import { firstDelivery } from "../harness/deliveries.ts";
import { silentLog } from "../harness/silent-log.ts";
import { ENCRYPTION_KEY } from "../harness/storage.ts";

interface ReplicaOptions {
  readonly connection: DatabaseConnection;
  readonly orm: Storage["orm"];
  readonly clock: Clock;
  readonly databaseClock: DatabaseClock;
  /** Origins of the simulated provider. */
  readonly allowedOrigins: readonly string[];
}

/**
 * A replica beside the server of the test, until the end of the test. It executes runs as soon as it
 * has started them. Its schedule looks when the test says so, and not once a minute.
 */
export async function startReplica(options: ReplicaOptions) {
  const { connection, orm, clock, databaseClock, allowedOrigins } = options;
  const pool = new pg.Pool({ ...connectionConfig(connection), max: 1 });
  onTestFinished(() => pool.end());
  const outbound = createOutboundGuard({ allowedOrigins: [...allowedOrigins] });
  onTestFinished(() => outbound[Symbol.asyncDispose]());

  const deps = {
    em: orm.em.fork(),
    bus: createLocalBus(),
    clock,
    databaseClock,
    log: silentLog,
    metrics: createMetrics(),
    outbound,
    callGates: createCallGates(clock),
    secrets: createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"), []),
    providerLimits: { retryBaseMs: 2 },
  };
  const runs = syncRunJob({ ...deps, actor: programActor("system", SYNC_RUN_JOB) });
  const queue = await openQueue({ ...deps, pool, database: connection.kind }, [runs]);
  onTestFinished(() => queue[Symbol.asyncDispose]());

  const schedule = scheduleJob({ ...deps, actor: programActor("system", SCHEDULE_JOB) });
  return {
    tick: () => schedule.handle({}, firstDelivery(queue)),
    /** Takes a queued run while the process stops. */
    runWhileStopping: (runId: string) =>
      runs.handle({ runId }, { ...firstDelivery(queue), signal: AbortSignal.abort() }),
  };
}
