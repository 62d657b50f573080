import type { MikroORM } from "@mikro-orm/postgresql";
import proxyAddress from "proxy-addr";
import { appRouter } from "./app-router.ts";
import { findCaller, findLiveSessions } from "./auth/find-caller.ts";
import { ensureFirstAdmin, type FirstAdmin } from "./auth/first-admin.ts";
import { createPasswordHasher, type PasswordCost } from "./auth/password-hasher.ts";
import type { Config } from "./config/config.ts";
import { verifyStoredKeys } from "./configs/credentials.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import { createLocalBus } from "./core/local-bus.ts";
import type { Log } from "./core/log.ts";
import { createMetrics } from "./core/metrics.ts";
import type { FindLiveSessions } from "./core/ports.ts";
import { createSecretBox } from "./core/secrets.ts";
import type { App } from "./core/trpc.ts";
import { setChineseMessages } from "./core/zod-messages.ts";
import { createDatabaseWire } from "./database/database-wire.ts";
import { ENTITIES, MIGRATIONS } from "./database/entities.ts";
import { expectWritable } from "./database/expect-writable.ts";
import { migrate, openOrm } from "./database/open.ts";
import { EVENT_PRESENTERS } from "./event-presenters.ts";
import { EventHub } from "./events/hub.ts";
import { streamEvents } from "./events/stream.ts";
import { startQueue } from "./jobs/queue.ts";
import { addStateMetrics } from "./monitoring/state-metrics.ts";
import type { OpenedDatabase } from "./open-database.ts";
import type { ClientLimits } from "./provider/client.ts";
import { createOutboundGuard } from "./provider/guard.ts";
import { createSyncWorker } from "./sync/worker.ts";
import { createHttp } from "./transport/http.ts";
import { createHttpServer, type REQUEST_LIMITS } from "./transport/http-server.ts";
import { attachWebSocket } from "./transport/websocket.ts";

/** Hashes computed at once: one per core of a small machine, so that other calls stay fast meanwhile. */
export const HASHES = { concurrency: 2, maxWaiting: 50 } as const;
const POOL_SIZE = { server: 10, embedded: 6 } as const;
const READINESS_LIMIT_MS = 2_000;
/** A list waits for two such turns and what the commits cost, and is to take no longer than 300 ms. */
const EMBEDDED_WRITE_TURN_MS = 35;
/** How long a stop waits for the database, of the 10 s that it may take: giving everything up after that takes some 2 s more. */
const STOPPING_DATABASE_LIMIT_MS = 5_000;

/** What the application stands on. */
export interface AppBase {
  /** The application closes it, also when it cannot start. */
  readonly database: OpenedDatabase;
  readonly log: Log;
  /** The system's unless given. */
  readonly clock?: Clock;
  /** Directory of the built console. */
  readonly consoleDir?: string;
  /** How patient syncs are with the provider, where it differs from what they are by themselves. */
  readonly providerLimits?: Partial<ClientLimits>;
  /** The hasher's default unless given. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Deadlines and sizes of requests, where they differ from the defaults. */
  readonly requestLimits?: Partial<typeof REQUEST_LIMITS>;
  /** A stop that comes before the start is over breaks that off. */
  readonly stop?: AbortSignal;
  /** Told of the first super admin just before it is there for good, so that its password cannot be lost. */
  readonly onFirstAdmin?: (made: FirstAdmin) => void;
}

export interface RunningApp extends AsyncDisposable {
  readonly url: string;
  /** From now on `/readyz` says 503; everything else is answered as before. */
  announceStop(): void;
  /** Resolves when a part has died by itself without which nothing works. */
  readonly failed: Promise<Error>;
}

/** Builds and starts everything; disposing it stops everything in the opposite order. Throws StartError when it cannot start as it is set up. */
export async function createApp(config: Config, base: AppBase): Promise<RunningApp> {
  await using resources = new AsyncDisposableStack();
  setChineseMessages();
  const { log, clock = systemClock, consoleDir = "dist/client", providerLimits = {} } = base;
  const { connection: found, opened, failed, needsMigration } = resources.use(base.database);
  const bus = createLocalBus();
  const metrics = createMetrics();

  const wire = createDatabaseWire();
  base.stop?.throwIfAborted();
  base.stop?.addEventListener("abort", () => setTimeout(wire.cut, STOPPING_DATABASE_LIMIT_MS).unref(), { once: true });
  const connection = { ...found, stream: wire.open };
  const database = { connection, entities: ENTITIES, migrations: MIGRATIONS, log };
  const orm = await openOrm({ ...database, poolSize: POOL_SIZE[connection.kind], metrics });
  resources.defer(() => orm.close(true));
  await opened;
  if (needsMigration) await migrate(database);
  // Before the first transaction: the ORM's first query opens a connection of its own.
  await orm.connect();

  const outbound = resources.use(createOutboundGuard({ allowedOrigins: [...config.providerAllowedOrigins] }));
  const sessionLimits = config.session;
  const stopping = new AbortController();
  const findLive: FindLiveSessions = (em, ids) => findLiveSessions({ em, clock, sessionLimits }, ids);
  const hub = resources.use(
    await EventHub.start({ orm, bus, log, clock, metrics, presenters: EVENT_PRESENTERS, findLiveSessions: findLive }),
  );
  const shared = {
    log,
    clock,
    bus,
    metrics,
    outbound,
    sessionLimits,
    stopping: stopping.signal,
    secrets: createSecretBox(config.encryptionKey, config.oldEncryptionKeys),
    passwords: createPasswordHasher({ ...HASHES, cost: base.passwordCost }),
  };
  const patience = connection.kind === "embedded" ? { writeTurn: EMBEDDED_WRITE_TURN_MS } : {};
  const worker = resources.use(createSyncWorker({ ...shared, ...patience, providerLimits, orm }));
  await verifyStoredKeys({ ...shared, em: orm.em.fork() });
  await ensureFirstAdmin({ ...shared, em: orm.em.fork(), onFirstAdmin: base.onFirstAdmin }, config.admin);
  // Before there is a queue that could begin a run: one begun here would be taken for a dead one.
  await worker.resume({ soleOwner: connection.kind === "embedded" });
  // Takes longest of all, and who asks for a job before it is there waits for it; nobody else has to.
  const queueNeeded = new AbortController();
  const startingQueue = startQueue({ ...shared, orm, connection, worker, signal: queueNeeded.signal });
  const queueFailed = failureOf(startingQueue);
  resources.defer(async () => {
    queueNeeded.abort();
    await startingQueue.then(
      (queue) => queue[Symbol.asyncDispose](),
      () => undefined,
    );
  });
  const app: App = {
    ...shared,
    orm,
    jobs: { send: async (job, payload) => (await startingQueue).send(job, payload) },
    findCaller: (em, token) => findCaller({ em, clock, sessionLimits }, token),
    findLiveSessions: findLive,
    eventStream: {
      open: (opening) => streamEvents({ orm, hub, clock, log, metrics, findLiveSessions: findLive }, opening),
    },
  };

  let isStopping = false;
  const isReady = async () => !isStopping && (await answers(orm));
  const { kind } = connection;
  addStateMetrics({ registry: metrics.registry, orm, clock, log });
  const http = createHttp({ app, appRouter, config, consoleDir, isReady });
  const trust = http.get("trust proxy fn");
  const server = resources.use(
    createHttpServer(http, {
      connectionLimits: config.connectionLimits,
      requestLimits: base.requestLimits,
      isTrustedProxy: (address) => trust(address, 0),
      onLimit: () => metrics.limited.inc({ surface: "http" }),
    }),
  );
  const sockets = resources.use(
    attachWebSocket({
      server: server.server,
      app,
      router: appRouter,
      publicOrigins: config.publicOrigins,
      trustedIp: (request) => proxyAddress(request, trust),
    }),
  );
  // At once, so that the limits do not add up, and calls that wait for a sync are answered instead of cut.
  resources.defer(async () => {
    isStopping = true;
    setTimeout(wire.cut, STOPPING_DATABASE_LIMIT_MS).unref();
    const runsEnded = worker[Symbol.asyncDispose]().then(() => stopping.abort());
    await Promise.all([sockets.drain(), server[Symbol.asyncDispose](), runsEnded]);
  });
  const url = await server.listen(config.port, config.host);
  log.info({ url, database: kind }, "listening");

  const running = resources.move();
  return {
    url,
    announceStop: () => {
      isStopping = true;
    },
    failed: Promise.race([failed, queueFailed]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Resolves when the work fails, with why. */
function failureOf(work: Promise<unknown>): Promise<Error> {
  return new Promise((resolve) => {
    work.catch((error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))));
  });
}

/** Whether the database answers, soon, and takes writes. */
async function answers(orm: MikroORM): Promise<boolean> {
  const signal = AbortSignal.timeout(READINESS_LIMIT_MS);
  const late = new Promise<false>((resolve) => signal.addEventListener("abort", () => resolve(false), { once: true }));
  const asked = expectWritable(orm).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]);
}
