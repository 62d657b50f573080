import { randomBytes } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import { ConfigEntity } from "../../src/server/configs/entity.ts";
import { createConfig } from "../../src/server/configs/service.ts";
import type { Deps } from "../../src/server/core/deps.ts";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { createLog } from "../../src/server/core/log.ts";
import { createMetrics } from "../../src/server/core/metrics.ts";
import { createSecretBox } from "../../src/server/core/secrets.ts";
import { type DatabaseConnection, openOrm } from "../../src/server/database/open.ts";
import type { ClientLimits } from "../../src/server/provider/client.ts";
import { createOutboundGuard } from "../../src/server/provider/guard.ts";
import type { SyncDeps } from "../../src/server/sync/run-context.ts";
import { startRun } from "../../src/server/sync/start.ts";
import { waitForRuns } from "../../src/server/sync/wait.ts";
import { createSyncWorker, type SyncWorker } from "../../src/server/sync/worker.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";
import { type MovableClock, movableClock } from "../auth/movable-clock.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { setField } from "../harness/faults.ts";

/** Retries as ever, only sooner. */
const SOON: Partial<ClientLimits> = { retryBaseMs: 2, callTimeoutMs: 10_000 };

/** What a run keeps to, where it differs from what it does in earnest. */
export type RunRules = Pick<SyncDeps, "providerLimits" | "maxHosts">;

/** The parts of one process that sync needs, without HTTP. Several on one database are several replicas. */
export interface SyncProcess extends AsyncDisposable {
  readonly deps: Deps;
  readonly worker: SyncWorker;
  /** Starts a run, or finds the live one; answers its id. */
  start(configId: string): Promise<string>;
}

export interface SyncBench {
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly clock: MovableClock;
  /** The first process. */
  readonly process: SyncProcess;
  /** Another replica, with the first one's limits but for these, and on its own way to the database if it has one. */
  replica(limits?: Partial<ClientLimits>, connection?: DatabaseConnection): Promise<SyncProcess>;
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

let database: TestDatabase | undefined;

/** A simulator (which lists only the regions named in its options, if any are), an empty database and one process for each test. Usable inside tests and hooks only. */
export function syncBench(
  options: SimulatorOptions = {},
  limits: Partial<ClientLimits> = {},
  rules: RunRules = {},
): SyncBench {
  let current: SyncBench | undefined;
  let cleanup = new AsyncDisposableStack();
  beforeEach(async () => {
    database ??= await openTestDatabase();
    await database.clear();
    cleanup = new AsyncDisposableStack();
    current = await startBench(cleanup, database, {
      options,
      rules: { ...rules, providerLimits: { ...SOON, ...limits } },
    });
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
  { options, rules }: { options: SimulatorOptions; rules: RunRules },
): Promise<SyncBench> {
  const simulator = cleanup.use(await startSimulator({ hosts: 60, seed: 7, regions: 4, projects: 2, ...options }));
  if (Array.isArray(options.regions)) listOnly(simulator, options.regions);
  const clock = movableClock();
  const key = randomBytes(32);
  const replica = async (limits: Partial<ClientLimits> = {}, connection = database.connection) => {
    const own = { ...rules, providerLimits: { ...rules.providerLimits, ...limits } };
    return cleanup.use(await startProcess(connection, { simulator, clock, key, rules: own }));
  };
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

/** Regions that are not opened are not even listed: two dozen refused calls less for each run. */
function listOnly(simulator: Simulator, regions: readonly string[]): void {
  const value = regions.map((Region) => ({ Region, Zone: `${Region}-01` }));
  simulator.control.addFaults({ action: "GetRegion", fault: setField("Regions", value) });
}

async function startProcess(
  connection: DatabaseConnection,
  { simulator, clock, key, rules }: { simulator: Simulator; clock: MovableClock; key: Buffer; rules: RunRules },
): Promise<SyncProcess> {
  await using resources = new AsyncDisposableStack();
  const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
  const orm = await openOrm({ connection, log });
  resources.defer(() => orm.close(true));
  const shared = {
    log,
    clock,
    bus: createLocalBus(),
    metrics: createMetrics(),
    secrets: createSecretBox(key),
    outbound: resources.use(createOutboundGuard({ allowedOrigins: [simulator.url] })),
    sessionLimits: { ttl: 3600, idle: 3600 },
    stopping: new AbortController().signal,
  };
  const worker = resources.use(createSyncWorker({ ...shared, ...rules, orm }));
  const refused = () => Promise.reject(new Error("no passwords here"));
  const deps: Deps = {
    ...shared,
    em: orm.em.fork(),
    passwords: { hash: refused, verify: refused, needsRehash: () => false },
    jobs: { send: async (_job, { runId = "" }) => void worker.claimAndRun(runId) },
  };
  const opened = resources.move();
  return {
    deps,
    worker,
    start: async (configId) => {
      const em = deps.em.fork();
      const config = await em.findOneOrFail(ConfigEntity, { id: configId });
      return await startRun({ ...deps, em }, { config, trigger: "manual", by: null });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
