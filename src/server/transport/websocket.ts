import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyTRPCRouter } from "@trpc/server";
import { WebSocketServer } from "ws";
import { AppError } from "../core/errors.ts";
import { createOnceAMinute } from "../core/once-a-minute.ts";
import type { App } from "../core/trpc.ts";
import { hangUpWhenSaid, refuseConnection } from "../http/refuse-connection.ts";
import { CLOSE } from "./close-codes.ts";
import type { Frames } from "./frames.ts";
import { isOriginAllowed, originForLog } from "./origin.ts";
import { createSocketRegistry } from "./registry.ts";
import { serveSocket } from "./serve-socket.ts";

const PATH = "/trpc";
export const MAX_FRAME_BYTES = 64 * 1024;
/** A peer that does not answer the closing handshake is cut after this. */
const CLOSE_LIMIT_MS = 1_000;
const DRAIN_STEP_MS = 50;
/** How long calls under way may take when the process stops. */
const DRAIN_LIMIT_MS = 3_000;

export interface WebSocketOptions {
  readonly server: Server;
  readonly app: App;
  readonly router: AnyTRPCRouter;
  /** Origins besides the server's own. */
  readonly publicOrigins: readonly string[];
  /** The caller's address, by the same rules about proxies as for HTTP. */
  trustedIp(request: IncomingMessage): string;
  /** Whether the caller used https, by the same rules. */
  isSecure(request: IncomingMessage): boolean;
}

export interface WebSockets extends AsyncDisposable {
  /** Takes no further sockets, lets calls under way finish, and asks every client to connect anew, elsewhere. At most about 4 s. */
  drain(): Promise<void>;
}

/** Serves the router on WebSocket at /trpc of an HTTP server. */
export function attachWebSocket(socketOptions: WebSocketOptions): WebSockets {
  const { server, app, router, publicOrigins, trustedIp, isSecure } = socketOptions;
  // A name of its own, because the type declarations do not know closeTimeout yet.
  const options = {
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    closeTimeout: CLOSE_LIMIT_MS,
  };
  const webSocketServer = new WebSocketServer(options);
  const registry = createSocketRegistry(app);
  const isFirstInAMinute = createOnceAMinute();
  const open = new Set<Frames>();
  let isDraining = false;

  const onUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const refusal = refusalOf(request);
    if (refusal !== null) return refuse(request, connection, refusal);
    webSocketServer.handleUpgrade(request, connection, head, (socket) => {
      const ip = trustedIp(request);
      const serving = { app, router, registry, webSocketServer, connection, ip, isFirstInAMinute };
      const frames = serveSocket(socket, request, serving);
      open.add(frames);
      socket.once("close", () => open.delete(frames));
    });
  };
  server.on("upgrade", onUpgrade);
  webSocketServer.on("wsClientError", (_error, connection, request) =>
    refuse(request, connection, new AppError("INVALID_INPUT", "WebSocket 握手请求有误")),
  );

  function refuse(request: IncomingMessage, connection: Duplex, failure: AppError): void {
    const ip = trustedIp(request);
    hangUpWhenSaid(connection);
    const requestId = refuseConnection(connection, failure, { isSecure: isSecure(request) });
    // Nothing else is forbidden here: who may do what is decided call by call.
    if (failure.code === "FORBIDDEN" && isFirstInAMinute("foreign origin", ip)) {
      app.log.warn({ ip, requestId, origin: originForLog(request) }, "socket from a foreign origin refused");
    }
  }

  function refusalOf(request: IncomingMessage): AppError | null {
    if (request.url?.split("?", 1)[0] !== PATH) return new AppError("NOT_FOUND", "请求的接口不存在");
    if (!isOriginAllowed(request, publicOrigins)) return new AppError("FORBIDDEN", "不允许从该来源建立连接");
    if (isDraining) return new AppError("UNAVAILABLE", undefined, { retryAfter: 1 });
    return null;
  }

  async function drain(): Promise<void> {
    isDraining = true;
    for (const frames of open) frames.closeWhenAnswered(CLOSE.restarting, DRAIN_LIMIT_MS);
    await untilEmpty(DRAIN_LIMIT_MS + CLOSE_LIMIT_MS);
    for (const socket of webSocketServer.clients) socket.terminate();
  }

  async function untilEmpty(limit: number): Promise<void> {
    for (let waited = 0; waited < limit && webSocketServer.clients.size > 0; waited += DRAIN_STEP_MS) {
      await sleep(DRAIN_STEP_MS);
    }
  }

  return {
    drain,
    async [Symbol.asyncDispose]() {
      isDraining = true;
      for (const socket of webSocketServer.clients) socket.terminate();
      await registry[Symbol.asyncDispose]();
      server.off("upgrade", onUpgrade);
      webSocketServer.close();
    },
  };
}
