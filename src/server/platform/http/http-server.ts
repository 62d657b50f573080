import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../../../shared/error-kinds.ts";
import type { Config } from "../environment/config.ts";
import { reasonOf, StartError } from "../errors.ts";
import { networkOf } from "../network-of.ts";
import { SERVED_METHODS } from "./send-error.ts";

/**
 * How long open requests may finish once the server stops, in ms; longer than a stopping sync takes
 * to answer its callers.
 */
const GRACE_MS = 5_000;
/** The client may read a refusal for so many ms before its connection is destroyed. */
const REFUSAL_MS = 1_000;

/**
 * Of one request: bytes of its address and headers; ms until its headers and all of it must be
 * there, and between checks of that.
 */
export const REQUEST_LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

export interface HttpServerOptions {
  readonly connectionLimits: Config["connectionLimits"];
  readonly requestLimits?: Partial<typeof REQUEST_LIMITS> | undefined;
  isTrustedProxy(address: string): boolean;
  onLimit(): void;
}

/**
 * An HTTP server that bounds time, size and number of connections. Disposing it lets open requests
 * finish for a few seconds.
 */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions) {
  const server = createServer(
    {
      ...REQUEST_LIMITS,
      ...options.requestLimits,
      keepAliveTimeout: 65_000,
      // Other upgrades, such as HTTP/2, are ignored and answered over HTTP/1.1.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    listener,
  );
  limitConnections(server, options);
  refuseMalformedRequests(server, options.onLimit);
  refuseTunnels(server);

  return {
    server,
    listen: (port: number, host: string) => listen(server, port, host),
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(deadline);
    },
  };
}

/**
 * Of one process, and of one address; those of a trusted proxy carry many clients and are exempt
 * from the latter.
 */
function limitConnections(
  server: Server,
  { connectionLimits, isTrustedProxy, onLimit }: HttpServerOptions,
): void {
  const open = new Map<string, number>();
  server.maxConnections = connectionLimits.total;
  server.on("drop", onLimit);
  server.on("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    if (isTrustedProxy(remoteAddress)) return;

    const network = networkOf(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= connectionLimits.perAddress) {
      socket.destroy();
      return onLimit();
    }

    open.set(network, count + 1);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

const TIMED_OUT = refusal("408 Request Timeout", "INVALID_INPUT", "请求未在规定时间内发送完毕");
const MALFORMED = refusal("400 Bad Request", "INVALID_INPUT", "请求参数错误");
/** Nobody knows by now which path was meant, so it names what any of them may take. */
const UNKNOWN_METHOD = refusal("405 Method Not Allowed", "METHOD_NOT_ALLOWED", "不支持的请求方法", [
  `Allow: ${SERVED_METHODS.join(", ")}`,
]);
/** A method is any token (RFC 9110, 5.6.2), also one in small letters. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/;

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/**
 * Answers bytes that are no HTTP, unknown methods and requests that come too slowly, and ends their
 * connections.
 */
function refuseMalformedRequests(server: Server, onTimeout: () => void): void {
  server.on("clientError", (error: ClientError, connection) => {
    if (isTimeout(error)) onTimeout();

    // After an earlier answer, or within one, the bytes would be taken for a part of it.
    const isUnanswered = connection instanceof Socket && connection.bytesWritten === 0;
    if (connection.writable && isUnanswered) refuse(connection, answerTo(error));
    else connection.destroy();
  });
}

function answerTo(error: ClientError): string {
  if (isTimeout(error)) return TIMED_OUT;
  return hasUnknownMethod(error) ? UNKNOWN_METHOD : MALFORMED;
}

function isTimeout({ code }: ClientError): boolean {
  return code === "ERR_HTTP_REQUEST_TIMEOUT";
}

/** Node's server hangs up on CONNECT unless somebody listens for it. */
function refuseTunnels(server: Server): void {
  server.on("connect", (_request, connection) => {
    connection.on("error", () => connection.destroy());
    refuse(connection, UNKNOWN_METHOD);
  });
}

function refuse(connection: Duplex, answer: string): void {
  connection.end(answer);
  setTimeout(() => connection.destroy(), REFUSAL_MS).unref();
}

/**
 * Node's parser knows the registered methods only, and calls other bytes than HTTP an invalid
 * method too.
 */
function hasUnknownMethod({ code, rawPacket = Buffer.of() }: ClientError): boolean {
  return code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(rawPacket.toString("latin1"));
}

function refusal(
  status: string,
  code: ErrorCode,
  message: string,
  more: readonly string[] = [],
): string {
  const body = JSON.stringify({ message, code });
  const head = ["Connection: close", "Content-Type: application/json; charset=utf-8", ...more];
  return [
    `HTTP/1.1 ${status}`,
    ...head,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (cause) {
    throw new StartError(`PORT, HOST: cannot listen on ${host}:${port} (${reasonOf(cause)})`, {
      cause,
    });
  }
  const address = server.address();
  const chosen = typeof address === "object" && address !== null ? address.port : port;
  const isAnyAddress = host === "0.0.0.0" || host === "::";
  const name = isAnyAddress ? "127.0.0.1" : host;
  const bracketed = name.includes(":") ? `[${name}]` : name;
  return `http://${bracketed}:${chosen}`;
}
