import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A plain TCP proxy before several replicas: each connection goes to the next one. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const ports = urls.map((url) => Number(new URL(url).port));
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((near) => {
    const far = connect(ports[next++ % ports.length] ?? 0, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.setNoDelay().pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
