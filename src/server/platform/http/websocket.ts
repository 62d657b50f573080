import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyTRPCRouter } from "@trpc/server";
import { type Encoder, getWSConnectionHandler } from "@trpc/server/adapters/ws";
import { v7 as newId } from "uuid";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { toAppError } from "../failures.ts";
import { networkOf } from "../network-of.ts";
import type { App, RequestContext } from "../trpc/trpc.ts";
import { CLOSE, close, closeReason } from "./close-codes.ts";
import { isOriginAllowed } from "./origin.ts";
import { type OpenSocket, SocketWatch } from "./socket-watch.ts";

const PATH = "/trpc";
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_CALLS_PER_FRAME = 20;
/**
 * Bytes that may wait for a slow reader, which is cut beyond it and resumes after its last event.
 */
const MAX_WAITING_BYTES = 1024 * 1024;
/** How long calls under way and closing handshakes may take during a stop. Milliseconds. */
const DRAIN_LIMIT_MS = 3_000;
const CLOSE_LIMIT_MS = 1_000;
const STEP_MS = 50;

const Parameters = z.object({ token: z.string() });
const CallId = z.union([z.string(), z.number()]);
const Call = z.object({ id: CallId, method: z.enum(["query", "mutation"]) });
const Answer = z.object({ id: CallId });

export interface WebSocketOptions {
  readonly server: Server;
  readonly app: App;
  readonly router: AnyTRPCRouter;
  /** Origins besides the server's own. */
  readonly publicOrigins: readonly string[];
  /** The caller's address, by the same rules about proxies as for HTTP. */
  trustedIp(request: IncomingMessage): string;
}

/**
 * Disposing it takes no further sockets, lets calls under way finish, asks every client to
 * reconnect. At most about 4 s.
 */
export function attachWebSocket({
  server,
  app,
  router,
  publicOrigins,
  trustedIp,
}: WebSocketOptions): AsyncDisposable {
  // Named, because the type declarations do not know closeTimeout yet.
  const options = {
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    closeTimeout: CLOSE_LIMIT_MS,
  };
  const webSocketServer = new WebSocketServer(options);
  const watch = new SocketWatch(app);
  let isDraining = false;

  server.on("upgrade", (request, connection, head) => {
    const ip = trustedIp(request);
    const status = refusalOf(request, ip);
    if (status !== null) return refuseHandshake(connection, status);
    webSocketServer.handleUpgrade(request, connection, head, (socket) =>
      serve(socket, request, ip),
    );
  });

  function refusalOf(request: IncomingMessage, ip: string): number | null {
    if (request.url?.split("?", 1)[0] !== PATH) return 404;
    if (!isOriginAllowed(request, publicOrigins)) return 403;
    if (isDraining) return 503;
    return watch.isFull(networkOf(ip)) ? 429 : null;
  }

  function serve(socket: WebSocket, request: IncomingMessage, ip: string): void {
    const requestId = newId();
    const open = watch.add(socket, networkOf(ip));

    async function createContext(connectionParams: unknown): Promise<RequestContext> {
      const { data } = Parameters.safeParse(connectionParams);
      const caller =
        data === undefined ? null : await app.findCaller(app.orm.em.fork(), data.token);
      if (data === undefined || caller === null) throw new AppError("UNAUTHENTICATED");
      if (!watch.signIn(open, caller)) {
        throw new AppError("TOO_MANY_REQUESTS", "打开的连接过多，请关闭部分页面后重试");
      }
      return {
        app,
        token: data.token,
        ip,
        userAgent: request.headers["user-agent"] ?? "",
        requestId,
      };
    }

    getWSConnectionHandler({
      wss: webSocketServer,
      router,
      createContext: ({ info }) => createContext(info.connectionParams),
      experimental_encoder: limitedEncoder(open),
      // Failures of calls are logged where they are made; these are broken frames and refused
      // callers.
      onError: ({ error, path }) => {
        if (path !== undefined) return;
        const { code } = toAppError(error);
        if (code === "INTERNAL") app.log.debug({ err: error, requestId, ip }, "socket failed");
        // After the adapter has sent the failure, before its own closing, which gives no reason.
        if (open.caller === null) setImmediate(() => close(socket, closeReason(code)));
      },
    })(socket, request);
  }

  function limitedEncoder(open: OpenSocket): Encoder {
    const { socket, unanswered } = open;
    return {
      decode(frame) {
        if (typeof frame !== "string") throw new AppError("INVALID_INPUT");
        if (isDraining || socket.readyState !== socket.OPEN) throw new AppError("UNAVAILABLE");
        const message: unknown = JSON.parse(frame);
        const messages: unknown[] = Array.isArray(message) ? message : [message];
        if (messages.length > MAX_CALLS_PER_FRAME) {
          watch.refuseFlood(open);
          throw new AppError("TOO_MANY_REQUESTS");
        }
        for (const each of messages) {
          const call = Call.safeParse(each).data;
          if (call !== undefined) unanswered.add(call.id);
        }
        return message;
      },
      encode(message) {
        if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
        const answer = unanswered.size === 0 ? undefined : Answer.safeParse(message).data;
        if (answer !== undefined) unanswered.delete(answer.id);
        return JSON.stringify(message);
      },
    };
  }

  return {
    async [Symbol.asyncDispose]() {
      isDraining = true;
      await until(
        () => [...watch.sockets].every(({ unanswered }) => unanswered.size === 0),
        DRAIN_LIMIT_MS,
      );
      for (const socket of webSocketServer.clients) close(socket, CLOSE.restarting);
      await until(() => webSocketServer.clients.size === 0, CLOSE_LIMIT_MS);
      for (const socket of webSocketServer.clients) socket.terminate();
      watch[Symbol.dispose]();
    },
  };
}

function refuseHandshake(connection: Duplex, status: number): void {
  connection.on("error", () => connection.destroy());
  connection.once("finish", () => connection.destroy());
  connection.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

async function until(isDone: () => boolean, limit: number): Promise<void> {
  for (let waited = 0; waited < limit && !isDone(); waited += STEP_MS) await sleep(STEP_MS);
}
