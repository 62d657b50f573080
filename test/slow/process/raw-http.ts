import { once } from "node:events";
import { connect } from "node:net";

/** One connection on which a test writes what it likes. */
export interface RawConnection extends Disposable {
  /** Everything that came so far. */
  readonly received: () => string;
  readonly closed: Promise<unknown>;
  write(text: string): void;
}

export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  // An end by force is an end.
  socket.on("error", () => undefined);
  let received = "";
  socket.on("data", (text) => {
    received += text;
  });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  return {
    received: () => received,
    closed,
    write: (text) => socket.write(text),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** The parts of a POST whose body comes in two pieces, with a token. */
export function slowPost(
  path: string,
  body: object,
  token: string | null = null,
): { readonly start: string; readonly rest: string } {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: console.test",
    "Content-Type: application/json",
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return { start: `${head.join("\r\n")}\r\n\r\n${text.slice(0, 1)}`, rest: text.slice(1) };
}
