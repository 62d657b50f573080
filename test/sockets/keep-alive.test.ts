import { once } from "node:events";
import { expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { keepAlive } from "../../src/server/transport/keep-alive.ts";

/** Long enough that no other pause of a busy machine is taken for silence. */
const PATIENCE = { pingMs: 20, pongMs: 500 };

it("cuts a socket whose other side says nothing", async () => {
  await using pair = await openPair();
  keepAlive(pair.near, PATIENCE);
  pair.far.pause();
  await once(pair.near, "close");
});

it("keeps a socket whose answer has come while this process was held up", async () => {
  await using pair = await openPair();
  keepAlive(pair.near, PATIENCE);
  await new Promise<void>((resolve) =>
    // The answer is on its way when this is heard.
    pair.far.once("ping", () => {
      holdUp(2 * PATIENCE.pongMs);
      resolve();
    }),
  );
  await once(pair.near, "pong");
  await once(pair.far, "ping");
  expect(pair.near.readyState).toBe(WebSocket.OPEN);
});

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function openPair() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const far = new WebSocket(`ws://127.0.0.1:${port}`);
  const [[near]] = await Promise.all([once(server, "connection"), once(far, "open")]);
  if (!(near instanceof WebSocket)) throw new Error("no socket");
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      far.terminate();
      near.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
