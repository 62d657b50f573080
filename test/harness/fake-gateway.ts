import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { text } from "node:stream/consumers";
import { portOf } from "./ports.ts";

interface GatewayCall {
  readonly params: Record<string, unknown>;
}

export type Answer = (response: ServerResponse, call: GatewayCall, number: number) => unknown;

/**
 * A server on a free loopback port that answers as the test says; `number` counts the calls from 1.
 * HTTPS with a certificate.
 */
export async function startGateway(
  answer: Answer,
  certificate?: { readonly key: string; readonly cert: string },
) {
  const calls: GatewayCall[] = [];
  const onRequest: RequestListener = async (request, response) => {
    const call = { params: JSON.parse((await text(request)) || "{}") };
    calls.push(call);
    await answer(response, call, calls.length);
  };
  const server =
    certificate === undefined
      ? createServer(onRequest)
      : createTlsServer({ ...certificate }, onRequest);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = portOf(server);
  return {
    origin: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-ucloud-request-uuid": "req-1",
  });
  response.end(JSON.stringify(body));
}
