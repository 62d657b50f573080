import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERROR_KINDS, type ErrorBody } from "../shared/errors.ts";
import { newId } from "./core/ids.ts";
import { StartError } from "./core/start-error.ts";
import { securityHeaderLines } from "./http/security-headers.ts";

/**
 * How long open requests may finish after the server was asked to stop, in ms. Longer than the sync worker may take for the last
 * words of its runs: callers who wait for a run are answered by those.
 */
const GRACE_MS = 6_000;
/** Between looks for connections whose last answer is out, in ms. */
const SWEEP_MS = 50;

/** Of one request: bytes of its address and headers, and ms until its headers and until all of it must be there. */
export const REQUEST_LIMITS = { maxHeaderSize: 16_384, headersTimeout: 15_000, requestTimeout: 60_000 } as const;

export interface HttpServer extends AsyncDisposable {
  readonly server: Server;
  listen(port: number, host: string): Promise<string>;
}

/** A node server with bounded patience; disposing it lets open requests finish, within limits. */
export function createHttpServer(listener: RequestListener): HttpServer {
  const server = createServer(
    {
      ...REQUEST_LIMITS,
      // Node would answer without a body; createHttp refuses it.
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      // Offers of HTTP/2 and the like are ignored, as the protocol allows, and answered over HTTP/1.1.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    },
    listener,
  );
  server.on("clientError", (_error, socket) => refuse(socket, "INVALID_INPUT"));
  // Without listeners Node would hang up on tunnels, and answer what is expected of it with 417 and nothing else.
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    refuse(socket, "METHOD_NOT_ALLOWED");
  });
  server.on("checkExpectation", listener);
  return {
    server,
    listen(port, host) {
      return new Promise((resolve, reject) => {
        const onError = (error: Error) =>
          reject(new StartError(`PORT, HOST: cannot listen on ${host}:${port} (${error.message})`, { cause: error }));
        server.once("error", onError);
        server.listen(port, host, () => {
          server.off("error", onError);
          resolve(addressOf(server, host));
        });
      });
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      const patience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      // A connection that is kept alive after its last answer would hold the server up.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(sweep);
      clearTimeout(patience);
    },
  };
}

/** Answers what Express never sees, and ends the connection. */
function refuse(connection: Duplex, code: "INVALID_INPUT" | "METHOD_NOT_ALLOWED"): void {
  if (!connection.writable) return void connection.destroy();
  const { status, message } = ERROR_KINDS[code];
  const body: ErrorBody = { message, code, requestId: newId() };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${body.requestId}`,
    ...securityHeaderLines({ isSecure: false }),
  ];
  connection.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
