import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { AnyTRPCRouter } from "@trpc/server";
import { getWSConnectionHandler } from "@trpc/server/adapters/ws";
import type { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";
import { newId } from "../core/ids.ts";
import type { IsFirstInAMinute } from "../core/once-a-minute.ts";
import type { Caller } from "../core/ports.ts";
import type { App, RequestContext } from "../core/trpc.ts";
import { CLOSE, type CloseReason, close } from "./close-codes.ts";
import { type Frames, guardFrames } from "./frames.ts";
import { keepAlive } from "./keep-alive.ts";
import { numbered } from "./numbered-router.ts";
import type { SignedInSocket, SocketRegistry } from "./registry.ts";

/** Milliseconds to say who one is; a little under the 5 s that were promised. */
export const AUTHENTICATION_LIMIT_MS = 4_500;
/** Whoever ends their own session over the socket (a new token, a sign-out) still hears so. */
const LAST_ANSWER_MS = 500;

const Token = z.string().regex(/^[A-Za-z0-9._~+/=-]{1,200}$/);

export interface SocketServing {
  readonly app: App;
  readonly router: AnyTRPCRouter;
  readonly registry: SocketRegistry;
  readonly webSocketServer: WebSocketServer;
  /** What the socket writes to. */
  readonly connection: Duplex;
  readonly ip: string;
  readonly isFirstInAMinute: IsFirstInAMinute;
}

/** Lets one open socket call procedures, from the moment its caller is known until it closes. */
export function serveSocket(socket: WebSocket, request: IncomingMessage, serving: SocketServing): Frames {
  const { app, router, registry, webSocketServer, connection, ip, isFirstInAMinute } = serving;
  const requestId = newId();
  const frames = guardFrames({ socket, connection, onFlood });
  let isSignedIn = false;
  let callerId: string | undefined;
  const deadline = setTimeout(() => close(socket, CLOSE.unauthenticated), AUTHENTICATION_LIMIT_MS);
  keepAlive(socket);
  socket.once("close", () => clearTimeout(deadline));

  // Counted here, not by the code of the closing: whoever floods need not answer that.
  function onFlood(): void {
    app.metrics.limited.inc({ surface: "socket" });
    if (!isFirstInAMinute("flood", ip)) return;
    const caller = callerId === undefined ? {} : { caller: callerId };
    app.log.warn({ ...caller, requestId, ip }, "socket closed: it sends too much");
  }

  async function createContext(connectionParams: unknown): Promise<RequestContext> {
    const { token, caller } = await authenticate(app, connectionParams);
    const end = () => frames.closeWhenAnswered(CLOSE.unauthenticated, LAST_ANSWER_MS);
    register({ sessionId: caller.sessionId, userId: caller.id, end });
    isSignedIn = true;
    callerId = caller.id;
    clearTimeout(deadline);
    app.log.debug({ caller: caller.id, requestId, ip }, "socket opened");
    const userAgent = request.headers["user-agent"] ?? "";
    return { app, token, ip, userAgent, requestId };
  }

  function register(signedIn: SignedInSocket): void {
    if (socket.readyState !== socket.OPEN) return;
    if (!registry.add(signedIn)) {
      app.metrics.limited.inc({ surface: "socket" });
      throw new AppError("TOO_MANY_REQUESTS", "打开的连接过多，请关闭部分页面后重试");
    }
    socket.once("close", () => registry.remove(signedIn));
  }

  getWSConnectionHandler({
    wss: webSocketServer,
    router: numbered(router, requestId),
    createContext: ({ info }) => createContext(info.connectionParams),
    experimental_encoder: frames.encoder,
    // Failures of calls are logged where they are made; here come broken frames and refused callers.
    onError: ({ error, path }) => {
      if (path !== undefined) return;
      if (toAppError(error).code === "INTERNAL") app.log.debug({ err: error, requestId, ip }, "socket failed");
      // After the adapter's message of the failure and before its own closing, which would give no reason.
      if (!isSignedIn) setImmediate(() => close(socket, closeReason(error)));
    },
  })(socket, request);
  return frames;
}

async function authenticate(app: App, connectionParams: unknown): Promise<{ token: string; caller: Caller }> {
  const { data } = z.object({ token: Token }).safeParse(connectionParams);
  const caller = data === undefined ? null : await app.findCaller(app.orm.em.fork(), data.token);
  if (data === undefined || caller === null) throw new AppError("UNAUTHENTICATED");
  return { token: data.token, caller };
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
