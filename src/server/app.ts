import proxyAddress from "proxy-addr";
import { appRouter, httpRouter } from "./app-router.ts";
import { presentEvent } from "./event-presenters.ts";
import { startQueue } from "./jobs.ts";
import { findDeniedSubject } from "./modules/audit/denied-subject.ts";
import { FailureRecorder } from "./modules/audit-records/failure-recorder.ts";
import { recordCallOutcome } from "./modules/audit-records/record-call-outcome.ts";
import { findCaller, findLiveSessions } from "./modules/auth/find-caller.ts";
import { ensureFirstAdmin, type FirstAdmin } from "./modules/auth/first-admin.ts";
import { createPasswordHasher, type PasswordCost } from "./modules/auth/password-hasher.ts";
import { warnWithoutSearchIndex } from "./modules/hosts/search-index.ts";
import { verifySecrets } from "./operations/sealed-secrets.ts";
import { addStateMetrics } from "./operations/state-metrics.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { type DatabaseClock, databaseClock } from "./platform/database/database-clock.ts";
import { createOutboundGuard } from "./platform/egress/guard.ts";
import type { Config } from "./platform/environment/config.ts";
import { EventHub } from "./platform/events/hub.ts";
import { streamEvents } from "./platform/events/stream.ts";
import { createHttp, type TrustsProxy } from "./platform/http/http.ts";
import { createHttpServer, type REQUEST_LIMITS } from "./platform/http/http-server.ts";
import { STALL_MS } from "./platform/http/rest/send-download.ts";
import { attachWebSocket } from "./platform/http/websocket.ts";
import { createLocalBus } from "./platform/local-bus.ts";
import type { Log } from "./platform/log.ts";
import { createMetrics } from "./platform/metrics.ts";
import { createSecretBox } from "./platform/secrets.ts";
import type { FindLiveSessions } from "./platform/trpc/caller.ts";
import type { App } from "./platform/trpc/context.ts";
import { ExportSlots } from "./platform/trpc/export-slots.ts";
import { ImportTurns } from "./platform/trpc/import-turns.ts";
import { setChineseMessages } from "./platform/trpc/zod-messages.ts";
import { createCallGates } from "./provider/call-gate.ts";
import type { ClientLimits } from "./provider/client.ts";
import type { Storage } from "./storage.ts";

/** One hash per core of a small machine, so that other calls stay fast meanwhile. */
export const HASHES = { concurrency: 2, maxWaiting: 50 } as const;

export interface AppOptions {
  /** The application closes it, also when it cannot start. */
  readonly storage: Storage;
  readonly log: Log;
  readonly clock?: Clock;
  readonly databaseClock?: DatabaseClock;
  readonly consoleDir?: string;
  readonly providerLimits?: Partial<ClientLimits>;
  readonly passwordCost?: PasswordCost | undefined;
  readonly requestLimits?: Partial<typeof REQUEST_LIMITS>;
  /** For how long a caller may take nothing of a file, in milliseconds. */
  readonly stallMs?: number;
  readonly stop?: AbortSignal;
  /** Called just before the first super admin is committed, so that its password cannot be lost. */
  readonly onFirstAdmin?: (made: FirstAdmin) => void;
}

export interface RunningApp extends AsyncDisposable {
  readonly url: string;
  /** From now on `/readyz` is 503 and every answer closes its connection. */
  startDraining(): void;
  /** Resolves when a part without which nothing works has failed: the embedded database. */
  readonly failed: Promise<Error>;
}

/**
 * Builds and starts everything: the services on the storage, then the transport that calls them.
 * Disposing of it stops everything in reverse order. Each step collects what it opened, and only
 * its success moves that to the caller: a start that fails leaves nothing open. Throws StartError.
 */
export async function createApp(config: Config, options: AppOptions): Promise<RunningApp> {
  await using resources = new AsyncDisposableStack();
  setChineseMessages();

  const storage = resources.use(options.storage);
  options.stop?.throwIfAborted();

  const services = resources.use(await startServices(config, options));
  const transport = resources.use(await startTransport(config, options, services));
  options.log.info({ url: transport.url, database: storage.connection.kind }, "listening");

  const running = resources.move();
  return {
    url: transport.url,
    startDraining: transport.startDraining,
    failed: storage.failed,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startServices(config: Config, options: AppOptions) {
  await using resources = new AsyncDisposableStack();
  const { storage, log, clock = systemClock, providerLimits = {} } = options;
  const { connection, orm, pool, connections } = storage;
  const sessionLimits = config.session;
  const stopping = new AbortController();

  const bus = createLocalBus();
  const metrics = createMetrics();
  bus.on("transaction.retried", (error) => {
    metrics.transactionRetries.inc({ code: error.code });
    log.warn({ err: error }, "transaction run again: others locked its rows in another order");
  });
  addStateMetrics({ registry: metrics.registry, orm, pool, clock, log });

  const outbound = resources.use(
    createOutboundGuard({
      allowedOrigins: [...config.providerAllowedOrigins, ...config.outboundAllowed.origins],
      allowedServers: config.outboundAllowed.servers,
    }),
  );
  const shared = {
    log,
    clock,
    databaseClock: options.databaseClock ?? databaseClock,
    metrics,
    sessionLimits,
    auditRetention: config.auditRetention,
    bus,
    outbound,
    consoleOrigin: config.publicOrigins[0] ?? null,
    callGates: createCallGates(clock),
    stopping: stopping.signal,
    secrets: createSecretBox(config.encryptionKey, config.oldEncryptionKeys),
    passwords: createPasswordHasher({ ...HASHES, cost: options.passwordCost }),
  };

  // After a failover the others may be connections to the former primary, too.
  shared.bus.on("database.read-only", () => connections?.noteReadOnly());

  if (connection.kind === "server") await warnWithoutSearchIndex(orm.em.fork(), log);
  await verifySecrets({ ...shared, em: orm.em.fork() });
  await ensureFirstAdmin(
    { ...shared, em: orm.em.fork(), onFirstAdmin: options.onFirstAdmin },
    config.admin,
  );

  const findLive: FindLiveSessions = (em, ids) =>
    findLiveSessions({ em, clock, sessionLimits }, ids);
  const eventDeps = { ...shared, orm, findLiveSessions: findLive };
  const hub = resources.use(await EventHub.start({ ...eventDeps, presentEvent }));

  const jobs = resources.use(
    await startQueue({ ...shared, orm, pool, providerLimits, database: connection.kind }),
  );

  const failures = new FailureRecorder({ ...shared, em: orm.em.fork() });
  const app: App = {
    ...eventDeps,
    jobs,
    recordCallOutcome: (deps, call) =>
      recordCallOutcome({ ...deps, failures, findDeniedSubject }, call),
    findCaller: (em, credentials) => findCaller({ ...shared, em }, credentials),
    openEventStream: (opening) => streamEvents({ ...eventDeps, hub }, opening),
    lastEventId: () => hub.lastEventId,
    exportSlots: new ExportSlots(),
    importTurns: new ImportTurns(),
    stallMs: options.stallMs ?? STALL_MS,
  };

  const started = resources.move();
  return {
    app,
    /** Ends the sync runs of this process; calls that wait for them are answered. */
    async stopRuns() {
      await jobs[Symbol.asyncDispose]();
      stopping.abort();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

type Services = Awaited<ReturnType<typeof startServices>>;

async function startTransport(config: Config, options: AppOptions, { app, stopRuns }: Services) {
  await using resources = new AsyncDisposableStack();

  let isStopping = false;
  function startDraining(): void {
    isStopping = true;
  }
  async function isReady(): Promise<boolean> {
    return !isStopping && (await options.storage.readiness.isWritable());
  }

  const trustsProxy = compileTrust(config.trustProxy);
  const http = createHttp({
    app,
    router: httpRouter,
    config,
    trustsProxy,
    consoleDir: options.consoleDir ?? "dist/client",
    isReady,
    isStopping: () => isStopping,
  });
  const server = createHttpServer(http, {
    connectionLimits: config.connectionLimits,
    requestLimits: options.requestLimits,
    isTrustedProxy: (address) => trustsProxy(address, 0),
    onLimit: () => app.metrics.limited.inc({ surface: "http" }),
  });
  const sockets = attachWebSocket({
    server: server.server,
    app,
    router: appRouter,
    publicOrigins: config.publicOrigins,
    trustedIp: (request) => proxyAddress(request, trustsProxy),
    isProxied: ({ socket }) => trustsProxy(socket.remoteAddress ?? "", 0),
  });

  // At once, so that their time limits do not add up. The runs end here too: calls that wait for
  // them are answered before the connections close.
  resources.defer(async () => {
    startDraining();
    await Promise.all([sockets[Symbol.asyncDispose](), server[Symbol.asyncDispose](), stopRuns()]);
  });

  const url = await server.listen(config.port, config.host);
  const started = resources.move();
  return {
    url,
    startDraining,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** The setting is a number of proxies, or their addresses and networks. */
function compileTrust(setting: Config["trustProxy"]): TrustsProxy {
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddress.compile(setting || []);
}
