import { once } from "node:events";
import { connect, type TcpNetConnectOpts } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const IDLE_MS = 250;

/** A TCP connection on which a test writes any text. */
export async function openConnection(url: string, more: Partial<TcpNetConnectOpts> = {}) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...more }).setEncoding("utf8");
  socket.on("error", () => undefined);
  let received = "";
  socket.on("data", (text) => {
    received += text;
  });
  const answered = new Promise<string>((resolve) => socket.once("data", resolve));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  return {
    /** Everything received so far. */
    received: () => received,
    /** The first that is received. */
    answered,
    closed,
    write: (text: string) => socket.write(text),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/**
 * Sends text on a new connection and returns everything received until the connection closes or an
 * answer ends.
 */
export async function sendRaw(url: string, text: string): Promise<string> {
  using connection = await openConnection(url);
  connection.write(text);
  let length = -1;
  let isClosed = false;
  while (!isClosed && (length <= 0 || connection.received().length > length)) {
    length = connection.received().length;
    isClosed = await Promise.race([connection.closed.then(() => true), sleep(IDLE_MS, false)]);
  }
  return connection.received();
}

/** The status of every answer on a connection, in order. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
