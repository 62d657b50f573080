import { once } from "node:events";
import { expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { SocketWatch } from "../../src/server/transport/socket-watch.ts";
import { useReplica } from "./replica.ts";

const replica = useReplica();

it("pings a socket after 25 s without frames and terminates it after 40 s", async () => {
  await using pair = await openPair();
  using watch = watchOf(pair.near);
  const pinged = once(pair.far, "ping");
  sweep(watch, 25);
  await pinged;
  pair.far.pause();
  await once(pair.near, "pong");
  sweep(watch, 39);
  expect(pair.near.readyState).toBe(WebSocket.OPEN);
  sweep(watch, 1);
  await once(pair.near, "close");
});

it("keeps a socket that answers pings", async () => {
  await using pair = await openPair();
  using watch = watchOf(pair.near);
  for (let round = 0; round < 3; round++) {
    const answered = once(pair.near, "pong");
    sweep(watch, 25);
    await answered;
  }
  expect(pair.near.readyState).toBe(WebSocket.OPEN);
});

/** A watch with one socket that is signed in. */
function watchOf(socket: WebSocket): SocketWatch {
  const watch = new SocketWatch({ ...replica.app, bus: createLocalBus() });
  const caller = { id: "1", sessionId: "1", username: "a", name: "a", role: "client", mustChangePassword: false };
  watch.signIn(watch.add(socket, "127.0.0.1"), { ...caller, role: "client" });
  return watch;
}

function sweep(watch: SocketWatch, seconds: number): void {
  for (let second = 0; second < seconds; second++) watch.sweep();
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
