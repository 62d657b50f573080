import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { findCaller, findLiveSessions } from "../../src/server/auth/find-caller.ts";
import { createPasswordHasher } from "../../src/server/auth/password-hasher.ts";
import { hashToken, newToken } from "../../src/server/auth/sessions.ts";
import { systemClock as clock } from "../../src/server/core/clock.ts";
import { newId } from "../../src/server/core/ids.ts";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { createLog } from "../../src/server/core/log.ts";
import { createMetrics } from "../../src/server/core/metrics.ts";
import type { FindLiveSessions } from "../../src/server/core/ports.ts";
import { createSecretBox } from "../../src/server/core/secrets.ts";
import type { App } from "../../src/server/core/trpc.ts";
import { closeOrm, openOrm } from "../../src/server/database/open.ts";
import { inTransaction } from "../../src/server/database/transaction.ts";
import { createOutboundGuard } from "../../src/server/egress/guard.ts";
import { viewOf } from "../../src/server/event-presenters.ts";
import { appendEvents } from "../../src/server/events/append.ts";
import type { StoredEvent } from "../../src/server/events/event.ts";
import { EventHub } from "../../src/server/events/hub.ts";
import type { ViewOf } from "../../src/server/events/present.ts";
import { streamEvents } from "../../src/server/events/stream.ts";
import { createCallGates } from "../../src/server/provider/call-gate.ts";
import { attachWebSocket } from "../../src/server/transport/websocket.ts";
import type { Role } from "../../src/shared/roles.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { portOf } from "../harness/ports.ts";
import { WEAK_HASHES } from "../harness/start-app.ts";

/** One server process with its own pool, bus, event log and sockets. */
type Replica = Awaited<ReturnType<typeof startReplica>>;

interface ReplicaOptions {
  readonly viewOf?: ViewOf;
  readonly publicOrigins?: readonly string[];
}

export async function startReplica({ connection }: TestDatabase, options: ReplicaOptions = {}) {
  await using resources = new AsyncDisposableStack();
  const log = createLog({ level: process.env.TEST_LOG_LEVEL ?? "silent", pretty: false });
  const bus = createLocalBus();
  const metrics = createMetrics();
  const sessionLimits = { ttl: 12 * 3600, idle: 2 * 3600 };
  const orm = await openOrm({ connection, log });
  resources.defer(() => closeOrm(orm));
  const findLive: FindLiveSessions = (em, ids) => findLiveSessions({ em, clock, sessionLimits }, ids);
  const eventDeps = { orm, bus, log, clock, metrics, findLiveSessions: findLive };
  const hub = resources.use(await EventHub.start({ ...eventDeps, viewOf: options.viewOf ?? viewOf }));
  const app: App = {
    ...eventDeps,
    sessionLimits,
    stopping: new AbortController().signal,
    secrets: createSecretBox(randomBytes(32)),
    passwords: createPasswordHasher({ concurrency: 1, maxWaiting: 5, cost: WEAK_HASHES }),
    jobs: Promise.resolve({ send: async () => undefined, wake: () => undefined }),
    outbound: resources.use(createOutboundGuard({ allowedOrigins: [] })),
    callGates: createCallGates(clock),
    findCaller: (em, token) => findCaller({ em, clock, sessionLimits }, token),
    openEventStream: (opening) => streamEvents({ ...eventDeps, hub }, opening),
  };
  const server = createServer((_request, response) => response.writeHead(404).end());
  const webSockets = resources.use(
    attachWebSocket({
      server,
      app,
      router: appRouter,
      publicOrigins: options.publicOrigins ?? [],
      trustedIp: (request) => request.socket.remoteAddress ?? "",
    }),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  resources.defer(() => void server.close());
  const port = portOf(server);
  const opened = resources.move();
  return {
    app,
    port,
    /** ws://…/trpc */
    url: `ws://127.0.0.1:${port}/trpc`,
    webSockets,
    append: (...events: StoredEvent[]) =>
      inTransaction({ em: orm.em.fork(), bus }, (em) => appendEvents(em, events, clock.now())),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A replica on an empty database for each test of a file. */
export function useReplica(options: ReplicaOptions = {}): Replica & { readonly database: TestDatabase } {
  let database: TestDatabase;
  let replica: Replica;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.clear();
    replica = await startReplica(database, options);
  });
  afterEach(() => replica[Symbol.asyncDispose]());
  return new Proxy(Object.create(null), {
    get: (_target, property) => Reflect.get({ ...replica, database }, property),
  });
}

/** Inserts a user with a live session. */
export async function signIn(database: TestDatabase, role: Role) {
  const userId = newId();
  await database.query(
    "insert into users (id, username, password_hash, name, role, created_at) values ($1, $2, 'x', $2, $3, $4)",
    [userId, `user_${userId.slice(-12)}`, role, clock.now()],
  );
  return { userId, ...(await openSession(database, userId)) };
}

export async function openSession(database: TestDatabase, userId: string) {
  const now = clock.now();
  const sessionId = newId();
  const token = newToken();
  await database.query(
    `insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
     values ($1, $2, $3, $4, $4, $5, '', '')`,
    [sessionId, hashToken(token), userId, now, now + 3600],
  );
  return { sessionId, token };
}

/** An event identified by its `hostsSeen`. */
export function progress(hostsSeen: number): StoredEvent {
  const counts = { hostsSeen, hostsTotal: 0, created: 0, updated: 0, unchanged: 0, gone: 0, rejected: 0 };
  const regions = { regionsTotal: 1, regionsDone: 0 };
  const run = { id: "0198aaaa-0000-7000-8000-000000000001", configId: null, configName: "配置", requestedBy: null };
  const state = { trigger: "manual", status: "running", startedAt: 1, finishedAt: null } as const;
  return { type: "sync.progress", data: { ...run, ...state, ...regions, ...counts, errors: [] } };
}

export function settingsChanged(show: boolean): StoredEvent {
  return { type: "settings.changed", data: { show_network_info_to_client: show } };
}
