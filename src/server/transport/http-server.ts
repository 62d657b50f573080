import { createServer, type RequestListener, type Server } from "node:http";
import { StartError } from "../core/errors.ts";
import { refuseBrokenRequests } from "./broken-requests.ts";
import { type ConnectionLimits, limitConnections } from "./connection-limits.ts";

/** How long open requests may finish after the server was asked to stop, in ms; longer than a stopping sync takes to answer its callers. */
const GRACE_MS = 6_000;
const IDLE_CHECK_MS = 50;

/** Of one request: bytes of its address and headers; ms until its headers and until all of it must be there, and between checks of that. */
export const REQUEST_LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

export interface HttpServerOptions {
  readonly connectionLimits: ConnectionLimits;
  readonly requestLimits?: Partial<typeof REQUEST_LIMITS> | undefined;
  isTrustedProxy(address: string): boolean;
  /** A connection was closed because it was one too many or its request came too slowly. */
  onLimit(): void;
}

export interface HttpServer extends AsyncDisposable {
  readonly server: Server;
  /** Resolves with the URL. Rejects with StartError. */
  listen(port: number, host: string): Promise<string>;
}

/** An HTTP server that bounds time, size and number of connections. Disposing it lets open requests finish for a few seconds. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): HttpServer {
  const { connectionLimits: limits, requestLimits, isTrustedProxy, onLimit } = options;
  const server = createServer(
    {
      ...REQUEST_LIMITS,
      ...requestLimits,
      // Node would answer without a body; createHttp refuses it.
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      // Other upgrades, such as HTTP/2, are ignored and answered over HTTP/1.1.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    },
    listener,
  );
  limitConnections(server, { limits, isTrustedProxy, onRefused: onLimit });
  refuseBrokenRequests(server, onLimit);
  // Without this listener Node answers an unknown Expect with a bare 417.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return {
    server,
    listen: (port, host) => listen(server, port, host),
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(idleCheck);
      clearTimeout(deadline);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) =>
      reject(new StartError(`PORT, HOST: cannot listen on ${host}:${port} (${error.message})`, { cause: error }));
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve(urlOf(server, host));
    });
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
