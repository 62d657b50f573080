import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { callControl, createControl, type SimulatorControl } from "./control.ts";
import { answerProviderCall, createGateway } from "./gateway.ts";
import { MAIN_KEYS, SimulatorOptions, SUB_KEYS } from "./options.ts";

const CONTROL_PATH = "/__control/";

/** A running simulator of the provider's API. */
export interface Simulator extends AsyncDisposable {
  /** The API address to configure, e.g. `http://127.0.0.1:4999`. */
  url: string;
  publicKey: string;
  privateKey: string;
  /** The keys of the sub-account. */
  sub: { publicKey: string; privateKey: string };
  control: SimulatorControl;
}

/**
 * Starts a simulator on 127.0.0.1; disposing it closes every connection. @throws for a bad option
 * or a used port
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = SimulatorOptions.parse(options);
  const gateway = createGateway(settings);
  const closing = new AbortController();
  const control = createControl(gateway, closing.signal);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController();
    response.once("close", () => disconnected.abort());
    const signal = AbortSignal.any([closing.signal, disconnected.signal]);
    const http = { request, response, url: new URL(request.url ?? "/", "http://simulator") };
    try {
      if (http.url.pathname.startsWith(CONTROL_PATH))
        await answerControlCall(control, http, signal);
      else await answerProviderCall(gateway, http, signal);
    } catch (error) {
      if (signal.aborted) return;
      console.error("simulator failed to answer", error);
      response.destroy();
    }
  }

  const server = createServer((request, response) => {
    response.setHeader("X-UCLOUD-REQUEST-UUID", randomUUID());
    void answer(request, response);
  });
  // Longer than clients keep idle connections, so that the client closes first.
  server.keepAliveTimeout = 65_000;
  server.listen(settings.port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("not listening on a TCP port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    ...MAIN_KEYS,
    sub: SUB_KEYS,
    control,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * `POST /__control/<method>` with a JSON array of arguments: 200 with the result or null, 400
 * `{message}`.
 */
async function answerControlCall(
  control: SimulatorControl,
  { request, response, url }: { request: IncomingMessage; response: ServerResponse; url: URL },
  signal: AbortSignal,
): Promise<void> {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  try {
    const method = url.pathname.slice(CONTROL_PATH.length);
    send(200, (await callControl(control, method, await text(request), signal)) ?? null);
  } catch (error) {
    if (!signal.aborted) send(400, { message: String(error) });
  }
}
