import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Certificate } from "../provider/self-signed.ts";
import { portOf } from "./ports.ts";

export interface GatewayCall {
  readonly params: Record<string, unknown>;
}

export interface FakeGateway extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly calls: GatewayCall[];
}

export type Answer = (response: ServerResponse, call: GatewayCall, number: number) => unknown;

/** A server on a free loopback port that answers as the test says; `number` counts the calls from 1. HTTPS with a certificate. */
export async function startGateway(answer: Answer, certificate?: Certificate): Promise<FakeGateway> {
  const calls: GatewayCall[] = [];
  const onRequest: RequestListener = async (request, response) => {
    const call = { params: JSON.parse((await readAll(request)) || "{}") };
    calls.push(call);
    await answer(response, call, calls.length);
  };
  const server = certificate === undefined ? createServer(onRequest) : createTlsServer({ ...certificate }, onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  return {
    origin: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json", "x-ucloud-request-uuid": "req-1" });
  response.end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
