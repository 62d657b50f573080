import { openConnection } from "../slow/process/raw-http.ts";

/** What came back on a connection of its own: everything, until the server closed it or it fell silent for a moment. */
export async function say(url: string, text: string, silenceMs = 250): Promise<string> {
  using connection = await openConnection(url);
  connection.write(text);
  let length = -1;
  let isClosed = false;
  void connection.closed.then(() => {
    isClosed = true;
  });
  while (!isClosed && (length === -1 || connection.received().length > length || length === 0)) {
    length = connection.received().length;
    await Promise.race([connection.closed, pause(silenceMs)]);
  }
  return connection.received();
}

/** The status of every answer on a connection, in their order. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
