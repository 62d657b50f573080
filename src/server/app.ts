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
import { EVENT_PRESENTERS } from "./event-presenters.ts";
import { EventHub } from "./events/hub.ts";
import { streamEvents } from "./events/stream.ts";
import { startQueue } from "./jobs/queue.ts";
import { addStateMetrics } from "./monitoring/state-metrics.ts";
import type { ClientLimits } from "./provider/client.ts";
import { createOutboundGuard } from "./provider/guard.ts";
import { isWritable, type Storage } from "./storage.ts";
import { createSyncWorker } from "./sync/worker.ts";
import { createHttp } from "./transport/http.ts";
import { createHttpServer, type REQUEST_LIMITS } from "./transport/http-server.ts";
import { attachWebSocket } from "./transport/websocket.ts";

/** Hashes computed at once: one per core of a small machine, so that other calls stay fast meanwhile. */
export const HASHES = { concurrency: 2, maxWaiting: 50 } as const;
/** A list waits for two such turns and what the commits cost, and is to take no longer than 300 ms. */
const EMBEDDED_WRITE_TURN_MS = 35;

/** What the application stands on. */
export interface AppBase {
  /** The application closes it, also when it cannot start. */
  readonly storage: Storage;
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
  const { connection, orm, pool, failed } = resources.use(base.storage);
  const bus = createLocalBus();
  const metrics = createMetrics();
  metrics.observePool(pool);
  base.stop?.throwIfAborted();

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
  const startingQueue = startQueue({
    ...shared,
    orm,
    pool,
    database: connection.kind,
    worker,
    signal: queueNeeded.signal,
  });
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
  const isReady = async () => !isStopping && (await isWritable(orm));
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
