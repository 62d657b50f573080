import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createConfig } from "../../src/server/configs/create.ts";
import type { Deps } from "../../src/server/core/deps.ts";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { createLog } from "../../src/server/core/log.ts";
import { createMetrics } from "../../src/server/core/metrics.ts";
import { createSecretBox } from "../../src/server/core/secrets.ts";
import { openOrm } from "../../src/server/database/open.ts";
import { createOutboundGuard } from "../../src/server/egress/guard.ts";
import { startQueue } from "../../src/server/jobs/start.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import type { ClientLimits } from "../../src/server/provider/client.ts";
import { getSyncRun, waitForRuns } from "../../src/server/sync/queries.ts";
import { startRun } from "../../src/server/sync/start-run.ts";
import type { CreateConfigInput } from "../../src/shared/configs.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { startSimulator } from "../../src/simulator/server.ts";
import { movableClock } from "../harness/clocks.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { setField } from "../harness/provider-faults.ts";

const SOON: Partial<ClientLimits> = { retryBaseMs: 2, attemptTimeoutMs: 6_000 };
/** As for the time limits of the tests. */
const TIMEOUT_FACTOR = Number(process.env.TEST_TIMEOUT_FACTOR ?? 1);
const CALLER = { id: v7(), name: "测试" };
const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
let database: TestDatabase | undefined;

type StartedBench = Awaited<ReturnType<typeof startBench>>;
export type SyncBench = Omit<StartedBench, "reset" | keyof AsyncDisposable>;

/** One process and a simulator that lists only the named regions, for the tests of a file or block; reset before each test. */
export function syncBench(options: SimulatorOptions = {}, limits: Partial<ClientLimits> = {}): SyncBench {
  let bench: StartedBench | undefined;
  beforeAll(async () => {
    database ??= await openTestDatabase();
    bench = await startBench(database, { options, limits: { ...SOON, ...limits } });
  });
  beforeEach(() => bench?.reset());
  afterAll(() => bench?.[Symbol.asyncDispose]());
  return new Proxy<SyncBench>(Object.create(null), {
    get(_target, property) {
      if (bench === undefined) throw new Error("the bench exists only inside tests and hooks");
      return Reflect.get(bench, property);
    },
  });
}

async function startBench(
  database: TestDatabase,
  { options, limits }: { options: SimulatorOptions; limits: Partial<ClientLimits> },
) {
  await using resources = new AsyncDisposableStack();
  await database.clear();
  const simulator = resources.use(await startSimulator({ hosts: 60, seed: 7, regions: 4, projects: 2, ...options }));
  const { control } = simulator;
  const clock = movableClock();
  const secrets = createSecretBox(randomBytes(32));
  const start = () => startProcess(database, { clock, secrets, providerLimits: limits, providerUrl: simulator.url });
  const process = resources.use(await start());
  let replicas = new AsyncDisposableStack();
  resources.defer(() => replicas.disposeAsync());
  const run = (id: string) => getSyncRun(process.deps, { id });
  /** Waits for a run's end. */
  const end = async (id: string): Promise<SyncRun> => {
    await waitForRuns(process.deps, [id], { seconds: 15 * TIMEOUT_FACTOR });
    return await run(id);
  };
  const ids = async (condition: string) => {
    const rows = await database.query(`select ucloud_id as id from hosts where ${condition} order by 1`);
    return rows.map(({ id }) => String(id));
  };
  const opened = resources.move();
  return {
    database,
    simulator,
    clock,
    /** The first process. */
    process,
    /** Starts another process on the same database; it stops after the test. */
    replica: async () => replicas.use(await start()),
    async config(more: Partial<CreateConfigInput> = {}): Promise<string> {
      const { publicKey, privateKey, url: apiUrl } = simulator;
      const input = { name: "测试配置", publicKey, privateKey, apiUrl, defaultRegion: "cn-bj2", ...more };
      return (await createConfig(process.deps, input)).id;
    },
    run,
    end,
    /** A run from start to end. */
    sync: async (configId: string) => end(await process.start(configId)),
    /** The provider's ids of hosts that are not gone. */
    present: () => ids("gone_at is null"),
    gone: () => ids("gone_at is not null"),
    held: () => ids("missing_since is not null"),
    async reset() {
      control.reset();
      await replicas.disposeAsync();
      replicas = new AsyncDisposableStack();
      await database.clear();
      // Executors of earlier runs notice that these are gone.
      const active = () => database.query("select from pgboss.job where state = 'active'");
      await expect.poll(active, { timeout: 10_000 }).toEqual([]);
      control.resetCalls();
      if (!Array.isArray(options.regions)) return;
      // Saves two dozen refused calls in each run.
      const rows = options.regions.map((Region) => ({ Region, Zone: `${Region}-01` }));
      control.addFaults({ action: "GetRegion", fault: setField("Regions", rows) });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

interface ProcessOptions extends Pick<Deps, "clock" | "secrets"> {
  readonly providerUrl: string;
  readonly providerLimits: Partial<ClientLimits>;
}

/** The parts of one process that sync needs, without HTTP. Several on one database are several replicas. */
async function startProcess({ connection }: TestDatabase, options: ProcessOptions) {
  const { clock, secrets, providerUrl, providerLimits } = options;
  await using resources = new AsyncDisposableStack();
  const orm = await openOrm({ connection, log });
  resources.defer(() => orm.close(true));
  const { signal } = new AbortController();
  const shared = {
    log,
    clock,
    secrets,
    bus: createLocalBus(),
    metrics: createMetrics(),
    outbound: resources.use(createOutboundGuard({ allowedOrigins: [providerUrl] })),
    callGates: createCallGates(clock),
    sessionLimits: { ttl: 3600, idle: 3600 },
  };
  const pool = await orm.driver.getConnection().getNativeClient();
  const queueDeps = { orm, pool, providerLimits, database: connection.kind, areOthersRunning: true, signal };
  const queue = resources.use(await startQueue({ ...shared, ...queueDeps }));
  const refused = () => Promise.reject(new Error("no passwords here"));
  const passwords = { hash: refused, verify: refused, needsRehash: () => false };
  const opened = resources.move();
  const own = { ...shared, passwords, jobs: Promise.resolve(queue), stopping: signal };
  const fork = (): Deps => ({ ...own, em: orm.em.fork() });
  return {
    /** With an entity manager of its own at each access. */
    get deps() {
      return fork();
    },
    /** Returns the id of a new run, or of the live one. */
    start: (configId: string) => startRun(fork(), CALLER, configId),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
