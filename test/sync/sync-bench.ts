import { randomBytes } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import { createConfig } from "../../src/server/configs/service.ts";
import type { Deps } from "../../src/server/core/deps.ts";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { createLog } from "../../src/server/core/log.ts";
import { createMetrics } from "../../src/server/core/metrics.ts";
import { createSecretBox } from "../../src/server/core/secrets.ts";
import { type DatabaseConnection, openOrm } from "../../src/server/database/open.ts";
import { createOutboundGuard } from "../../src/server/egress/guard.ts";
import { startQueue } from "../../src/server/jobs/start.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import type { ClientLimits } from "../../src/server/provider/client.ts";
import { waitForRuns } from "../../src/server/sync/queries.ts";
import { startRun } from "../../src/server/sync/start-run.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { setField } from "../harness/faults.ts";
import { type MovableClock, movableClock } from "../harness/movable-clock.ts";

const SOON: Partial<ClientLimits> = { retryBaseMs: 2, attemptTimeoutMs: 6_000 };

/** The parts of one process that sync needs, without HTTP. Several on one database are several replicas. */
export interface SyncProcess extends AsyncDisposable {
  readonly deps: Deps;
  /** Returns the id of a new run, or of the live one. */
  start(configId: string): Promise<string>;
}

export interface SyncBench {
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly clock: MovableClock;
  /** The first process. */
  readonly process: SyncProcess;
  /** Starts another process on the same database. */
  replica(): Promise<SyncProcess>;
  config(more?: {
    publicKey?: string;
    privateKey?: string;
    projectIds?: string[];
    defaultRegion?: string;
  }): Promise<string>;
  /** A run from start to end. */
  sync(configId: string): Promise<SyncRun>;
  run(id: string): Promise<SyncRun>;
  /** Waits for a run's end. */
  end(id: string): Promise<SyncRun>;
  /** The provider's ids of hosts that are not gone. */
  present(): Promise<string[]>;
  gone(): Promise<string[]>;
}

const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
let database: TestDatabase | undefined;

/** For each test a simulator that lists only the named regions, an empty database and one process. */
export function syncBench(options: SimulatorOptions = {}, limits: Partial<ClientLimits> = {}): SyncBench {
  let current: SyncBench | undefined;
  let cleanup = new AsyncDisposableStack();
  beforeEach(async () => {
    database ??= await openTestDatabase();
    await database.clear();
    cleanup = new AsyncDisposableStack();
    current = await startBench(cleanup, database, { options, limits: { ...SOON, ...limits } });
  });
  afterEach(async () => {
    current = undefined;
    await cleanup.disposeAsync();
  });
  return new Proxy<SyncBench>(Object.create(null), {
    get(_target, property) {
      if (current === undefined) throw new Error("the bench exists only inside tests and hooks");
      return Reflect.get(current, property);
    },
  });
}

async function startBench(
  cleanup: AsyncDisposableStack,
  database: TestDatabase,
  { options, limits }: { options: SimulatorOptions; limits: Partial<ClientLimits> },
): Promise<SyncBench> {
  const simulator = cleanup.use(await startSimulator({ hosts: 60, seed: 7, regions: 4, projects: 2, ...options }));
  if (Array.isArray(options.regions)) listOnly(simulator, options.regions);
  const clock = movableClock();
  const key = randomBytes(32);
  const replica = async () =>
    cleanup.use(await startProcess(database.connection, { simulator, clock, key, providerLimits: limits }));
  const process = await replica();
  const em = () => process.deps.em.fork();
  const end = async (id: string) => {
    const [run] = await waitForRuns({ ...process.deps, em: em() }, [id], { seconds: 15 });
    if (run === undefined) throw new Error(`no run ${id}`);
    return run;
  };
  const ids = async (condition: string) =>
    (await database.query(`select ucloud_id from hosts where ${condition} order by ucloud_id`)).map((row) =>
      String(row.ucloud_id),
    );
  return {
    database,
    simulator,
    clock,
    process,
    replica,
    async config(more = {}) {
      const { publicKey, privateKey, url: apiUrl } = simulator;
      const input = { name: "测试配置", publicKey, privateKey, apiUrl, defaultRegion: "cn-bj2", ...more };
      return (await createConfig({ ...process.deps, em: em() }, input)).id;
    },
    sync: async (configId) => end(await process.start(configId)),
    run: async (id) => {
      const [run] = await waitForRuns({ ...process.deps, em: em() }, [id], { seconds: 0 });
      if (run === undefined) throw new Error(`no run ${id}`);
      return run;
    },
    end,
    present: () => ids("gone_at is null"),
    gone: () => ids("gone_at is not null"),
  };
}

/** Saves two dozen refused calls in each run. */
function listOnly(simulator: Simulator, regions: readonly string[]): void {
  const value = regions.map((Region) => ({ Region, Zone: `${Region}-01` }));
  simulator.control.addFaults({ action: "GetRegion", fault: setField("Regions", value) });
}

interface ProcessOptions {
  readonly simulator: Simulator;
  readonly clock: MovableClock;
  readonly key: Buffer;
  readonly providerLimits: Partial<ClientLimits>;
}

async function startProcess(
  connection: DatabaseConnection,
  { simulator, clock, key, providerLimits }: ProcessOptions,
): Promise<SyncProcess> {
  await using resources = new AsyncDisposableStack();
  const orm = await openOrm({ connection, log });
  resources.defer(() => orm.close(true));
  const shared = {
    log,
    clock,
    bus: createLocalBus(),
    metrics: createMetrics(),
    secrets: createSecretBox(key),
    outbound: resources.use(createOutboundGuard({ allowedOrigins: [simulator.url] })),
    callGates: createCallGates(clock),
    sessionLimits: { ttl: 3600, idle: 3600 },
    stopping: new AbortController().signal,
  };
  const pool = await orm.driver.getConnection().getNativeClient();
  const { signal } = new AbortController();
  // Not as the only process on an embedded database: several of them are replicas here.
  const queue = resources.use(
    await startQueue({ ...shared, orm, pool, providerLimits, database: connection.kind, isOnlyProcess: false, signal }),
  );
  const refused = () => Promise.reject(new Error("no passwords here"));
  const deps: Deps = {
    ...shared,
    em: orm.em.fork(),
    passwords: { hash: refused, verify: refused, needsRehash: () => false },
    jobs: Promise.resolve(queue),
  };
  const opened = resources.move();
  return {
    deps,
    start: async (configId) =>
      await startRun(
        { ...deps, em: deps.em.fork() },
        { config: { id: configId }, trigger: "manual", requestedBy: null },
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
