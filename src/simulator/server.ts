import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createAccounts } from "./accounts.ts";
import { createCallLog } from "./call-log.ts";
import { createFaultRules } from "./call-rules.ts";
import { callControl, createControl, type SimulatorControl } from "./control.ts";
import { createDelay } from "./delay.ts";
import { answerProviderCall, type Gateway } from "./gateway.ts";
import { createHoldGate } from "./hold-gate.ts";
import { resolveOptions, type SimulatorOptions, SUB_KEYS } from "./options.ts";
import { createRateLimit } from "./rate-limit.ts";
import { readBody } from "./request.ts";
import { createWorld } from "./world.ts";

const CONTROL_PATH = "/__control/";

/** A running simulator of the provider's public API. */
export interface Simulator extends AsyncDisposable {
  /** e.g. `http://127.0.0.1:4999`, without a slash at the end: the API address to configure */
  url: string;
  publicKey: string;
  privateKey: string;
  /** The sub-account's keys. */
  sub: { publicKey: string; privateKey: string };
  control: SimulatorControl;
}

/**
 * Starts a simulator on 127.0.0.1. Disposing it cuts every open call.
 * @throws when the port is taken or an option is out of range
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = resolveOptions(options);
  const world = createWorld(settings);
  const delay = createDelay(settings.seed, settings.latencyMs, settings.jitterMs);
  const closing = new AbortController();
  const gateway: Gateway = {
    world,
    accounts: createAccounts(settings, world.projects),
    faults: createFaultRules(settings.seed),
    holds: createHoldGate(),
    calls: createCallLog(),
    rateLimit: createRateLimit(settings.rateLimitPerSecond),
    pageDrift: settings.pageDrift,
    latency: delay.next,
  };
  const control = createControl(gateway, delay, closing.signal);
  const server = createServer((request, response) => {
    void answer({ gateway, control, closed: closing.signal }, request, response);
  });
  // longer than any client keeps an idle connection, so that the client is always the one to close
  server.keepAliveTimeout = 65_000;
  server.listen(settings.port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a TCP port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    publicKey: settings.publicKey,
    privateKey: settings.privateKey,
    sub: { ...SUB_KEYS },
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

async function answer(
  parts: { gateway: Gateway; control: SimulatorControl; closed: AbortSignal },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const signal = AbortSignal.any([parts.closed, gone.signal]);
  response.setHeader("X-UCLOUD-REQUEST-UUID", randomUUID());
  try {
    const url = new URL(request.url ?? "/", "http://simulator");
    const http = { request, response, url };
    if (url.pathname.startsWith(CONTROL_PATH)) await answerControlCall(parts.control, http, signal);
    else await answerProviderCall(parts.gateway, http, signal);
  } catch (error) {
    // a caller that hung up is no failure of ours
    if (signal.aborted) return;
    console.error("simulator failed to answer", error);
    response.destroy();
  }
}

/** `POST /__control/<method>` with a JSON array of arguments: 200 with the result or null, 400 `{message}`. */
async function answerControlCall(
  control: SimulatorControl,
  { request, response, url }: { request: IncomingMessage; response: ServerResponse; url: URL },
  signal: AbortSignal,
): Promise<void> {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  try {
    const body = await readBody(request);
    send(200, (await callControl(control, url.pathname.slice(CONTROL_PATH.length), body, signal)) ?? null);
  } catch (error) {
    if (!signal.aborted) send(400, { message: String(error) });
  }
}
