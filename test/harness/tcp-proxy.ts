import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { join } from "node:path";
import { Transform } from "node:stream";
import type { DatabaseConnection } from "../../src/server/platform/database/open.ts";
import { portOf } from "./ports.ts";

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A proxy to a PostgreSQL server, and the URL through it. */
export async function proxyUrl(target: string) {
  const proxy = await startTcpProxy(addressOf(target));
  const url = new URL(target);
  url.host = `127.0.0.1:${proxy.port}`;
  return {
    ...proxy,
    url: url.href,
    /** New connections go to another server; those that are open stay where they are. */
    pointTo: (other: string) => proxy.setTarget(addressOf(other)),
  };
}

function addressOf(target: string): NetConnectOpts {
  const { hostname, port } = new URL(target);
  return { host: hostname, port: Number(port || 5432) };
}

/** A proxy to a test database, and the connection through it. */
export async function proxyConnection(target: DatabaseConnection) {
  if (target.kind === "server") {
    const proxy = await proxyUrl(target.url);
    return { ...proxy, connection: { kind: "server", url: proxy.url } as const };
  }
  const proxy = await startTcpProxy({ path: join(target.host, `.s.PGSQL.${target.port}`) });
  return { ...proxy, connection: { ...target, host: "127.0.0.1", port: proxy.port } };
}

/** A TCP proxy to a database that can break, refuse or stall connections. */
async function startTcpProxy(firstTarget: NetConnectOpts) {
  let target = firstTarget;
  const pairs = new Set<Pair>();
  let isStalled = false;
  let isDropping = false;
  let delayMs = 0;
  let attempts = 0;

  const server = createServer((near) => {
    attempts++;
    if (isDropping) return near.on("error", () => undefined).resetAndDestroy();
    const pair = { near, far: connect(target) };
    pairs.add(pair);
    for (const socket of [pair.near, pair.far]) {
      // The end of one side ends the other.
      socket.on("error", () => undefined).on("close", () => end(pair));
    }
    if (!isStalled) forward(pair, () => delayMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);

  function end(pair: Pair): void {
    pairs.delete(pair);
    pair.near.resetAndDestroy();
    // A Unix socket cannot be reset.
    pair.far.destroy();
  }

  /** Breaks open connections. */
  function cut(): void {
    for (const pair of [...pairs]) end(pair);
  }

  /** Breaks open connections and refuses new ones. */
  async function refuse(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    cut();
    await closed;
  }

  /** Restores normal forwarding, including held data. */
  async function mend(): Promise<void> {
    if (isStalled) for (const pair of pairs) forward(pair, () => delayMs);
    isStalled = false;
    delayMs = 0;
    isDropping = false;
    if (server.listening) return;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }

  return {
    port,
    setTarget(next: NetConnectOpts): void {
      target = next;
    },
    /** Number of accepted connections. */
    attempts: () => attempts,
    refuse,
    mend,
    /** Breaks open connections, and new ones right after accepting them. */
    drop() {
      isDropping = true;
      cut();
    },
    /** Forwards nothing and keeps connections open. */
    stall() {
      isStalled = true;
      for (const { near, far } of pairs) {
        near.unpipe().pause();
        far.unpipe().pause();
      }
    },
    /** Delays all data by this many milliseconds. */
    delay(ms: number) {
      delayMs = ms;
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await refuse();
    },
  };
}

function forward({ near, far }: Pair, delayMs: () => number): void {
  near.pipe(late(delayMs)).pipe(far);
  far.pipe(late(delayMs)).pipe(near);
}

function late(delayMs: () => number): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      const ms = delayMs();
      if (ms === 0) done(null, chunk);
      else setTimeout(done, ms, null, chunk);
    },
  });
}
