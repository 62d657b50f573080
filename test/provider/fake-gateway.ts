import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "node:net";

export interface GatewayCall {
  readonly params: Record<string, unknown>;
}

export interface FakeGateway extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly calls: GatewayCall[];
  /** The most calls that were under way at once. */
  readonly maxConcurrent: () => number;
}

type Answer = (response: ServerResponse, call: GatewayCall, number: number) => void | Promise<void>;

/** An HTTP server on a free loopback port that answers as the test says; `number` counts the calls from 1. */
export async function startGateway(answer: Answer): Promise<FakeGateway> {
  const calls: GatewayCall[] = [];
  let running = 0;
  let most = 0;

  const server = createServer(async (request, response) => {
    running += 1;
    most = Math.max(most, running);
    response.once("close", () => {
      running -= 1;
    });
    const call = { params: JSON.parse((await readAll(request)) || "{}") };
    calls.push(call);
    await answer(response, call, calls.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);

  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    calls,
    maxConcurrent: () => most,
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

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
