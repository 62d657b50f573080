import { openConnection } from "../slow/process/raw-http.ts";

/** Sends text on a new connection and returns everything received until it closes or is idle for `idleMs`. */
export async function sendRaw(url: string, text: string, idleMs = 250): Promise<string> {
  using connection = await openConnection(url);
  connection.write(text);
  let length = -1;
  let isClosed = false;
  void connection.closed.then(() => {
    isClosed = true;
  });
  while (!isClosed && (length === -1 || connection.received().length > length || length === 0)) {
    length = connection.received().length;
    await Promise.race([connection.closed, pause(idleMs)]);
  }
  return connection.received();
}

/** The status of every answer on a connection, in order. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
