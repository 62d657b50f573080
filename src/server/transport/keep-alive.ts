import type { WebSocket } from "ws";

/** Of silence before a ping is sent, and of silence after it; in ms. */
const PATIENCE = { pingMs: 25_000, pongMs: 10_000 } as const;

/** Finds connections whose other side is gone. The protocol's own pings: every client answers them by itself. */
export function keepAlive(
  socket: WebSocket,
  { pingMs, pongMs }: Readonly<Record<keyof typeof PATIENCE, number>> = PATIENCE,
): void {
  let timer = setTimeout(ping, pingMs);
  let verdict: NodeJS.Immediate | undefined;
  function ping(): void {
    socket.ping();
    timer = setTimeout(judge, pongMs);
  }
  /** After a pause of this process timers come before what has arrived meanwhile; that is read first. */
  function judge(): void {
    verdict = setImmediate(() => socket.terminate());
  }
  function clear(): void {
    clearTimeout(timer);
    clearImmediate(verdict);
  }
  function live(): void {
    clear();
    timer = setTimeout(ping, pingMs);
  }
  socket.on("pong", live);
  socket.on("message", live);
  socket.once("close", clear);
}
