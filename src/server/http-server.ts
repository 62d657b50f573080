import { createServer, type RequestListener, type Server } from "node:http";
import { ERROR_KINDS, type ErrorBody } from "../shared/errors.ts";
import { newId } from "./core/ids.ts";
import { StartError } from "./core/start-error.ts";

/**
 * How long open requests may finish after the server was asked to stop, in ms. Longer than the sync worker may take for the last
 * words of its runs: callers who wait for a run are answered by those.
 */
const GRACE_MS = 6_000;
/** Between looks for connections whose last answer is out, in ms. */
const SWEEP_MS = 50;

export interface HttpServer extends AsyncDisposable {
  readonly server: Server;
  listen(port: number, host: string): Promise<string>;
}

/** A node server with bounded patience; disposing it lets open requests finish, within limits. */
export function createHttpServer(listener: RequestListener): HttpServer {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
      // Offers of HTTP/2 and the like are ignored, as the protocol allows, and answered over HTTP/1.1.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    },
    listener,
  );
  server.on("clientError", (_error, socket) => {
    if (!socket.writable) return socket.destroy();
    const body: ErrorBody = { message: ERROR_KINDS.INVALID_INPUT.message, code: "INVALID_INPUT", requestId: newId() };
    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${length}\r\n\r\n${text}`,
    );
  });
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

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
