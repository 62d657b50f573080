import { createServer, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../../shared/errors.ts";
import { AppError } from "../core/errors.ts";
import { StartError } from "../core/start-error.ts";
import { hangUpWhenSaid, refuseConnection } from "../http/refuse-connection.ts";

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
  const refuse = (connection: Duplex, code: ErrorCode) =>
    void refuseConnection(connection, new AppError(code), { isSecure: false });
  server.on("clientError", (error, connection) => refuse(connection, codeOf(error)));
  // Without listeners Node would hang up on tunnels, and answer what is expected of it with 417 and nothing else.
  server.on("connect", (_request, connection) => {
    hangUpWhenSaid(connection);
    refuse(connection, "METHOD_NOT_ALLOWED");
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

const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/;

/** Of what Node's parser gave up on: a request with a method that it has never heard of, or no request at all. */
function codeOf(error: Error): ErrorCode {
  if (!("rawPacket" in error && Buffer.isBuffer(error.rawPacket))) return "INVALID_INPUT";
  const isUnknownMethod = "code" in error && error.code === "HPE_INVALID_METHOD";
  const [firstLine = ""] = error.rawPacket.toString("latin1").split("\n", 1);
  return isUnknownMethod && REQUEST_LINE.test(firstLine) ? "METHOD_NOT_ALLOWED" : "INVALID_INPUT";
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
