import { once } from "node:events";
import { createServer } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { DATABASE } from "../../mikro-orm.config.ts";
import { migrate } from "../../src/server/platform/database/migrate.ts";
import { openOrm } from "../../src/server/platform/database/open.ts";
import { portOf } from "../harness/ports.ts";
import { silentLog } from "../harness/silent-log.ts";
import { SELF_SIGNED } from "../provider/self-signed.ts";

/** PostgreSQL's SSLRequest message. */
const SSL_REQUEST = "0000000804d2162f";
const MODES = ["require", "verify-ca", "verify-full"];

it.each(MODES)(
  "nothing is sent to a database with sslmode=%s and an untrusted certificate",
  async (mode) => {
    await using impostor = await startImpostor();
    const url = `postgres://console:marker@127.0.0.1:${impostor.port}/console?sslmode=${mode}`;
    const connection = { kind: "server", url } as const;
    const orm = await openOrm({ connection, definition: DATABASE, log: silentLog });
    await using _orm = { [Symbol.asyncDispose]: () => orm.close(true) };

    await expect(orm.em.fork().execute("select 1")).rejects.toThrow(/self-signed/);
    await expect(migrate({ connection, definition: DATABASE, log: silentLog })).rejects.toThrow(
      /self-signed/,
    );
    expect(impostor.received).toEqual([SSL_REQUEST, SSL_REQUEST]);
  },
);

/**
 * Accepts TLS with a self-signed certificate; `received` has what came in plain text and inside
 * TLS.
 */
async function startImpostor() {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (greeting) => {
      received.push(greeting.toString("hex"));
      socket.write("S");
      new TLSSocket(socket, { isServer: true, ...SELF_SIGNED })
        .on("error", () => socket.destroy())
        .on("data", (text) => received.push(text.toString("hex")));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    received,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
