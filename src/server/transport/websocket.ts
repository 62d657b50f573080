import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyTRPCRouter } from "@trpc/server";
import { getWSConnectionHandler } from "@trpc/server/adapters/ws";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";
import { newId } from "../core/ids.ts";
import { networkOf } from "../core/network-of.ts";
import type { App, RequestContext } from "../core/trpc.ts";
import { CLOSE, type CloseReason, close } from "./close-codes.ts";
import { isOriginAllowed, originForLog } from "./origin.ts";
import { SessionWatch } from "./session-watch.ts";
import { Socket } from "./socket.ts";

const PATH = "/trpc";
export const MAX_FRAME_BYTES = 64 * 1024;
export const MAX_UNAUTHENTICATED_PER_ADDRESS = 50;
const SWEEP_MS = 500;
/** Whoever ends the own session over the socket still receives the answer. Milliseconds. */
const LAST_ANSWER_MS = 800;
/** How long calls under way and closing handshakes may take when the process stops. Milliseconds. */
const DRAIN_LIMIT_MS = 3_000;
const CLOSE_LIMIT_MS = 1_000;
const STEP_MS = 50;

const Parameters = z.object({ token: z.string().regex(/^[A-Za-z0-9._~+/=-]{1,200}$/) });

export interface WebSocketOptions {
  readonly server: Server;
  readonly app: App;
  readonly router: AnyTRPCRouter;
  /** Origins besides the server's own. */
  readonly publicOrigins: readonly string[];
  /** The caller's address, by the same rules about proxies as for HTTP. */
  trustedIp(request: IncomingMessage): string;
}

export interface WebSockets extends AsyncDisposable {
  /** Takes no further sockets, lets calls under way finish, asks every client to reconnect. At most about 4 s. */
  drain(): Promise<void>;
}

interface OpenSocket {
  readonly socket: Socket;
  readonly network: string;
}

/** Serves the router on WebSocket at /trpc of an HTTP server. */
export function attachWebSocket(options: WebSocketOptions): WebSockets {
  const { server, app, router, publicOrigins, trustedIp } = options;
  // Named, because the type declarations do not know closeTimeout yet.
  const serverOptions = {
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    closeTimeout: CLOSE_LIMIT_MS,
  };
  const webSocketServer = new WebSocketServer(serverOptions);
  const watch = new SessionWatch(app);
  const open = new Set<OpenSocket>();
  let isDraining = false;
  let sweptAt = performance.now();

  const sweep = setInterval(() => {
    const now = performance.now();
    // After a pause of this process what has arrived meanwhile is read first.
    const isLate = now - sweptAt > 2 * SWEEP_MS;
    sweptAt = now;
    if (!isLate) for (const { socket } of open) socket.sweep(now);
  }, SWEEP_MS);

  const onUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const ip = trustedIp(request);
    const status = refusalOf(request, ip);
    if (status !== null) return refuseHandshake(connection, status);
    webSocketServer.handleUpgrade(request, connection, head, (webSocket) => serve(webSocket, request, ip));
  };
  server.on("upgrade", onUpgrade);

  function refusalOf(request: IncomingMessage, ip: string): number | null {
    if (request.url?.split("?", 1)[0] !== PATH) return 404;
    if (!isOriginAllowed(request, publicOrigins)) {
      app.log.debug({ ip, origin: originForLog(request) }, "socket from a foreign origin refused");
      return 403;
    }
    if (isDraining) return 503;
    const network = networkOf(ip);
    const waiting = [...open].filter((each) => !each.socket.isSignedIn && each.network === network);
    if (waiting.length < MAX_UNAUTHENTICATED_PER_ADDRESS) return null;
    onLimit(ip);
    return 429;
  }

  function onLimit(ip: string): void {
    app.metrics.limited.inc({ surface: "socket" });
    app.log.debug({ ip }, "socket refused: too many");
  }

  /** Lets one socket call procedures, from the moment its caller is known until it closes. */
  function serve(webSocket: WebSocket, request: IncomingMessage, ip: string): void {
    const requestId = newId();
    const socket = new Socket(webSocket, () => onLimit(ip));
    const entry = { socket, network: networkOf(ip) };
    open.add(entry);
    webSocket.once("close", () => open.delete(entry));

    async function createContext(connectionParams: unknown): Promise<RequestContext> {
      const { data } = Parameters.safeParse(connectionParams);
      const caller = data === undefined ? null : await app.findCaller(app.orm.em.fork(), data.token);
      if (data === undefined || caller === null) throw new AppError("UNAUTHENTICATED");
      const { sessionId, id: userId } = caller;
      const session = { sessionId, userId, end: () => void endSession(socket) };
      if (!watch.add(session)) {
        onLimit(ip);
        throw new AppError("TOO_MANY_REQUESTS", "打开的连接过多，请关闭部分页面后重试");
      }
      webSocket.once("close", () => watch.remove(session));
      if (webSocket.readyState !== webSocket.OPEN) watch.remove(session);
      socket.isSignedIn = true;
      return { app, token: data.token, ip, userAgent: request.headers["user-agent"] ?? "", requestId };
    }

    getWSConnectionHandler({
      wss: webSocketServer,
      router,
      createContext: ({ info }) => createContext(info.connectionParams),
      experimental_encoder: socket.encoder,
      // Failures of calls are logged where they are made; these are broken frames and refused callers.
      onError: ({ error, path }) => {
        if (path !== undefined) return;
        if (toAppError(error).code === "INTERNAL") app.log.debug({ err: error, requestId, ip }, "socket failed");
        // After the adapter has sent the failure, before its own closing, which gives no reason.
        if (!socket.isSignedIn) setImmediate(() => close(webSocket, closeReason(error)));
      },
    })(webSocket, request);
  }

  async function drain(): Promise<void> {
    isDraining = true;
    for (const { socket } of open) socket.refuseCalls(CLOSE.restarting);
    await until(() => [...open].every(({ socket }) => socket.isAnswered), DRAIN_LIMIT_MS);
    for (const { socket } of open) socket.close(CLOSE.restarting);
    await until(() => open.size === 0, CLOSE_LIMIT_MS);
    for (const client of webSocketServer.clients) client.terminate();
  }

  return {
    drain,
    async [Symbol.asyncDispose]() {
      isDraining = true;
      clearInterval(sweep);
      watch[Symbol.dispose]();
      server.off("upgrade", onUpgrade);
      for (const client of webSocketServer.clients) client.terminate();
      webSocketServer.close();
    },
  };
}

function refuseHandshake(connection: Duplex, status: number): void {
  connection.on("error", () => connection.destroy());
  connection.once("finish", () => connection.destroy());
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

async function endSession(socket: Socket): Promise<void> {
  socket.refuseCalls(CLOSE.unauthenticated);
  await until(() => socket.isAnswered, LAST_ANSWER_MS);
  socket.close(CLOSE.unauthenticated);
}

function closeReason(error: unknown): CloseReason {
  switch (toAppError(error).code) {
    case "UNAVAILABLE":
    case "INTERNAL":
      return CLOSE.unavailable;
    case "TOO_MANY_REQUESTS":
      return CLOSE.tooMany;
    default:
      return CLOSE.unauthenticated;
  }
}

async function until(isDone: () => boolean, limit: number): Promise<void> {
  for (let waited = 0; waited < limit; waited += STEP_MS) {
    await sleep(STEP_MS);
    if (isDone()) return;
  }
}
