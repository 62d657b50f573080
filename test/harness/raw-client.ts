import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { z } from "zod";
import { StreamEvent } from "../../src/shared/events.ts";
import { sendRaw, statuses } from "./raw-requests.ts";
import { within } from "./time-limits.ts";

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullable(),
  method: z.string().optional(),
  result: z
    .looseObject({ type: z.string(), data: z.unknown().optional(), id: z.string().optional() })
    .optional(),
  error: z
    .looseObject({ data: z.looseObject({ code: z.string(), requestId: z.string() }) })
    .optional(),
});
type Message = z.infer<typeof Message>;

/** A raw WebSocket client that can send invalid frames. */
export type RawClient = Awaited<ReturnType<typeof connect>>;

/** Connects to the server at this address and sends the token unless it is null. */
export async function connect(
  url: string,
  token: string | null,
  headers: Readonly<Record<string, string>> = {},
) {
  const socket = new WebSocket(`${socketUrl(url)}?connectionParams=1`, { headers });
  const messages: Message[] = [];
  const events: { readonly id: string; readonly event: StreamEvent }[] = [];
  let ending: { code: number; reason: string } | undefined;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => {
      ending = { code, reason: reason.toString() };
      resolve(ending);
    });
  });
  socket.on("message", (frame) => {
    if (String(frame) === "PONG") return;
    const message = Message.parse(JSON.parse(String(frame)));
    messages.push(message);
    const received = z
      .object({ id: z.string(), data: StreamEvent })
      .safeParse(message.result?.data);
    if (received.success) events.push({ id: received.data.id, event: received.data.data });
  });
  await once(socket, "open");
  socket.on("error", () => undefined);
  const inbox = { messages, events };
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  if (token !== null) send({ method: "connectionParams", data: { token } });
  return {
    ...inbox,
    socket,
    /** Resolves when the socket is closed, and throws when it stays open. */
    get closed() {
      return Promise.race([closed, rejectAfter(within(15_000))]);
    },
    send,
    // JSON leaves out an undefined id.
    subscribe: (lastEventId?: string, id = 1) =>
      send({ id, method: "subscription", params: { path: "events.stream", lastEventId } }),
    async until(isDone: (client: typeof inbox) => boolean, ms = 15_000) {
      const limit = AbortSignal.timeout(ms);
      while (!isDone(inbox)) {
        if (ending !== undefined)
          throw new Error(`closed: ${JSON.stringify(ending)}; ${summary(messages)}`);
        if (limit.aborted) throw new Error(`waited ${ms} ms in vain; ${summary(messages)}`);
        await sleep(5);
      }
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

async function rejectAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`the socket is still open after ${ms} ms`);
}

/** Connects, subscribes and waits for `stream.ready`. */
export async function follow(
  url: string,
  token: string | null,
  lastEventId?: string,
): Promise<RawClient> {
  const client = await connect(url, token);
  client.subscribe(lastEventId);
  await client.until(({ events }) => events.length > 0);
  return client;
}

/** `hostsSeen` of every progress event, which identifies those that tests append. */
export function progressNumbers(client: Pick<RawClient, "events">): number[] {
  return client.events.flatMap(({ event }) =>
    event.type === "sync.progress" ? [event.data.hostsSeen] : [],
  );
}

function summary(messages: readonly Message[]): string {
  return `received ${messages.length} messages, last ${JSON.stringify(messages.slice(-3)).slice(0, 1_000)}`;
}

export function socketUrl(url: string): string {
  return `${url.replace("http", "ws")}/trpc`;
}

/** Sends a handshake and returns the status and body of the server's answer. */
export async function upgrade(url: string, path = "/trpc", headers: Record<string, string> = {}) {
  const received = await sendRaw(url, handshake(url, path, headers));
  const [head = "", body] = received.split("\r\n\r\n");
  return { status: statuses(head)[0], body };
}

/** A handshake as text. */
export function handshake(
  url: string,
  path = "/trpc",
  headers: Record<string, string> = {},
): string {
  const all = {
    host: new URL(url).host,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
