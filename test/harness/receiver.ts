import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "./ports.ts";

export interface ReceivedCall {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, call: ReceivedCall) => unknown;

/** The other side of channels: a server on a loopback port that keeps what it is sent. */
export async function startReceiver({ port = 0 } = {}) {
  const calls: ReceivedCall[] = [];
  let answer: Answer = (response) => response.end();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://receiver");
    const call = { url, headers: request.headers, body: await text(request) };
    calls.push(call);
    await answer(response, call);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    calls,
    /** Forgets the calls, and answers like this from now on. */
    reset(next: Answer = (response) => response.end()) {
      calls.length = 0;
      answer = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Answers with a status and, unless it is empty, a JSON body. */
export function answering(status: number, body?: unknown, headers = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? "" : JSON.stringify(body));
  };
}
