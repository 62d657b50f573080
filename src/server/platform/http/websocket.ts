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
import type { App, RequestContext } from "../trpc/context.ts";
import { CLOSE, close, closeReason } from "./close-codes.ts";
import { isOriginAllowed } from "./origin.ts";
import { type OpenSocket, SocketWatch } from "./socket-watch.ts";
import { WarningLimit } from "./warning-limit.ts";

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
const LOGGED_HEADER = 200;

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
  /** Whether a proxy that is trusted sent the request. */
  isProxied(request: IncomingMessage): boolean;
}

/**
 * Serves tRPC over WebSocket on the HTTP server's port. Disposing it takes no further sockets, lets
 * calls under way finish, and asks every client to reconnect. At most about 4 s.
 */
export function attachWebSocket(options: WebSocketOptions): AsyncDisposable {
  const endpoint = new WebSocketEndpoint(options);
  options.server.on("upgrade", (request, connection, head) =>
    endpoint.upgrade(request, connection, head),
  );
  return endpoint;
}

class WebSocketEndpoint implements AsyncDisposable {
  readonly #options: WebSocketOptions;
  readonly #server: WebSocketServer;
  readonly #watch: SocketWatch;
  /** Apart, so that neither kind of refusal silences the other. */
  readonly #pageWarnings: WarningLimit;
  readonly #addressWarnings: WarningLimit;
  #isDraining = false;

  constructor(options: WebSocketOptions) {
    this.#options = options;
    this.#watch = new SocketWatch(options.app);
    this.#pageWarnings = new WarningLimit(options.app.clock);
    this.#addressWarnings = new WarningLimit(options.app.clock);
    // Named, because the type declarations do not know closeTimeout yet.
    const limits = {
      noServer: true,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      closeTimeout: CLOSE_LIMIT_MS,
    };
    this.#server = new WebSocketServer(limits);
  }

  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const ip = this.#options.trustedIp(request);
    const status = this.#refusalOf(request, ip);
    if (status !== null) {
      refuseHandshake(connection, status);
      return;
    }

    this.#server.handleUpgrade(request, connection, head, (socket) =>
      this.#serve(socket, request, ip),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDraining = true;
    const { clients } = this.#server;
    await until(() => this.#isEveryCallAnswered(), DRAIN_LIMIT_MS);

    for (const socket of clients) close(socket, CLOSE.restarting);
    await until(() => clients.size === 0, CLOSE_LIMIT_MS);

    for (const socket of clients) socket.terminate();
    this.#watch[Symbol.dispose]();
  }

  /** The HTTP status of a refused handshake; null when it may go on. */
  #refusalOf(request: IncomingMessage, ip: string): number | null {
    if (request.url?.split("?", 1)[0] !== PATH) return 404;
    if (!this.#isOriginAllowed(request)) return 403;
    if (this.#isDraining) return 503;
    return this.#isFull(networkOf(ip)) ? 429 : null;
  }

  /** Behind a proxy that is not trusted all browsers have one address, and share its limit. */
  #isFull(network: string): boolean {
    const isFull = this.#watch.isFull(network);
    if (isFull && this.#addressWarnings.take(network)) {
      const message = "live connection refused: too many connections from one address";
      this.#options.app.log.warn({ network }, message);
    }
    return isFull;
  }

  #isOriginAllowed(request: IncomingMessage): boolean {
    const { publicOrigins, isProxied } = this.#options;
    const isAllowed = isOriginAllowed(request, {
      publicOrigins,
      isProxied: isProxied(request),
    });
    if (!isAllowed) this.#warnOfRefusedPage(request);
    return isAllowed;
  }

  /** For each page: behind a proxy that passes another Host no browser gets a connection. */
  #warnOfRefusedPage({ headers }: IncomingMessage): void {
    const origin = headers.origin?.slice(0, LOGGED_HEADER);
    const host = headers.host?.slice(0, LOGGED_HEADER);
    if (!this.#pageWarnings.take(`${origin} ${host}`)) return;

    const message = "live connection refused: the page's origin is not that of the Host header";
    this.#options.app.log.warn({ origin, host }, message);
  }

  /** The session is checked when the first message brings its token, not in the handshake. */
  #serve(socket: WebSocket, request: IncomingMessage, ip: string): void {
    const { app, router } = this.#options;
    const requestId = newId();
    const open = this.#watch.add(socket, networkOf(ip));
    const userAgent = request.headers["user-agent"] ?? "";

    const handleConnection = getWSConnectionHandler({
      wss: this.#server,
      router,
      createContext: async ({ info }): Promise<RequestContext> => {
        const token = await this.#signIn(open, ip, info.connectionParams);
        return { app, token, ip, userAgent, requestId, download: null, canUpload: false };
      },
      experimental_encoder: this.#limitedEncoder(open),
      // Failures of calls are logged where they are made; these are broken frames and refused
      // callers.
      onError: ({ error, path }) => {
        if (path !== undefined) return;

        const { code } = toAppError(error);
        if (code === "INTERNAL") app.log.debug({ err: error, requestId, ip }, "socket failed");
        // After the adapter has sent the failure, before its own closing, which gives no reason.
        if (open.caller === null) setImmediate(() => close(socket, closeReason(code)));
      },
    });
    handleConnection(socket, request);
  }

  /** Returns the token. Throws UNAUTHENTICATED, and TOO_MANY_REQUESTS for one socket too many. */
  async #signIn(open: OpenSocket, ip: string, connectionParams: unknown): Promise<string> {
    const { app } = this.#options;
    const { data } = Parameters.safeParse(connectionParams);
    if (data === undefined) throw new AppError("UNAUTHENTICATED");

    open.hasToken = true;
    const caller = await app.findCaller(app.orm.em.fork(), { token: data.token, ip });
    if (caller === null) throw new AppError("UNAUTHENTICATED");
    if (!this.#watch.signIn(open, caller)) {
      throw new AppError("TOO_MANY_REQUESTS", "打开的连接过多，请关闭部分页面后重试");
    }
    return data.token;
  }

  /** JSON, with the limits of one socket; it notes the calls that are not yet answered. */
  #limitedEncoder(open: OpenSocket): Encoder {
    const { socket, unanswered } = open;
    return {
      decode: (frame) => {
        if (typeof frame !== "string") throw new AppError("INVALID_INPUT");
        if (this.#isDraining || socket.readyState !== socket.OPEN) {
          throw new AppError("UNAVAILABLE");
        }

        const message: unknown = JSON.parse(frame);
        const messages: unknown[] = Array.isArray(message) ? message : [message];
        if (messages.length > MAX_CALLS_PER_FRAME) {
          this.#watch.refuseFlood(open);
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

  #isEveryCallAnswered(): boolean {
    return [...this.#watch.sockets].every(({ unanswered }) => unanswered.size === 0);
  }
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
