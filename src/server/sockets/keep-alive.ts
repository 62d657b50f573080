import type { WebSocket } from "ws";

const PING_MS = 25_000;
const PONG_MS = 10_000;

/** Finds connections whose other side is gone. The protocol's own pings: every client answers them by itself. */
export function keepAlive(socket: WebSocket): void {
  let timer = setTimeout(ping, PING_MS);
  function ping(): void {
    socket.ping();
    timer = setTimeout(() => socket.terminate(), PONG_MS);
  }
  function live(): void {
    clearTimeout(timer);
    timer = setTimeout(ping, PING_MS);
  }
  socket.on("pong", live);
  socket.on("message", live);
  socket.once("close", () => clearTimeout(timer));
}
