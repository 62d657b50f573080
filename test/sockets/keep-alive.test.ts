import { once } from "node:events";
import { expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { Socket } from "../../src/server/transport/socket.ts";

const later = (seconds: number) => performance.now() + seconds * 1000;

it("pings a socket after 25 s without traffic and closes it when no answer came after 35 s", async () => {
  await using pair = await openPair();
  const socket = new Socket(pair.near, () => undefined);
  socket.isSignedIn = true;
  const pinged = once(pair.far, "ping");
  socket.sweep(later(26));
  await pinged;
  pair.far.pause();
  await once(pair.near, "pong");
  socket.sweep(later(26));
  socket.sweep(later(36));
  await once(pair.near, "close");
});

it("keeps a socket that answers pings", async () => {
  await using pair = await openPair();
  const socket = new Socket(pair.near, () => undefined);
  socket.isSignedIn = true;
  for (let round = 0; round < 3; round++) {
    const answered = once(pair.near, "pong");
    socket.sweep(later(26));
    await answered;
  }
  expect(pair.near.readyState).toBe(WebSocket.OPEN);
});

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
