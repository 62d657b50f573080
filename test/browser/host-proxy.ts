import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import { portOf } from "../harness/ports.ts";

const HOST_HEADER = /^Host: .*$/im;

/** A proxy that names this host to the server instead of the one that the browser asked for. */
export async function startHostProxy(target: string, host: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const proxy = createServer((browser) => {
    const server = connect(Number(port), hostname);
    for (const socket of [browser, server]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    browser.pipe(renameHost(host)).pipe(server).pipe(browser);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");

  return {
    url: `http://127.0.0.1:${portOf(proxy)}`,
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(proxy, "close");
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The head of a request comes in one piece, for it is short. */
function renameHost(host: string): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = chunk.toString("latin1").replace(HOST_HEADER, `Host: ${host}`);
      done(null, Buffer.from(text, "latin1"));
    },
  });
}
