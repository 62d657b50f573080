import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { join } from "node:path";
import { Transform } from "node:stream";
import type { DatabaseConnection } from "../../src/server/database/open.ts";

/** A TCP proxy to a database that can break, refuse or stall connections. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Number of accepted connections. */
  readonly attempts: () => number;
  /** Breaks open connections and accepts new ones. */
  cut(): void;
  /** Breaks open connections, and new ones right after accepting them. */
  drop(): void;
  /** Breaks open connections and refuses new ones. */
  refuse(): Promise<void>;
  /** Forwards nothing and keeps connections open. */
  stall(): void;
  /** Delays all data by this many milliseconds. */
  delay(ms: number): void;
  /** Restores normal forwarding, including held data. */
  mend(): Promise<void>;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** A proxy to a PostgreSQL server, and the URL through it. */
export async function proxyUrl(target: string): Promise<TcpProxy & { readonly url: string }> {
  const url = new URL(target);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: url.href };
}

/** A proxy to a test database, and the connection through it. */
export async function proxyConnection(
  target: DatabaseConnection,
): Promise<TcpProxy & { readonly connection: DatabaseConnection }> {
  if (target.kind === "server") {
    const proxy = await proxyUrl(target.url);
    return { ...proxy, connection: { kind: "server", url: proxy.url } };
  }
  const { host, port } = target;
  const proxy = await startTcpProxy(host.startsWith("/") ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port });
  return { ...proxy, connection: { ...target, host: "127.0.0.1", port: proxy.port } };
}

async function startTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
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
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;

  function end(pair: Pair): void {
    pairs.delete(pair);
    pair.near.resetAndDestroy();
    // A Unix socket cannot be reset.
    pair.far.destroy();
  }

  function cut(): void {
    for (const pair of [...pairs]) end(pair);
  }

  async function close(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    cut();
    await closed;
  }

  return {
    port: own,
    attempts: () => attempts,
    cut,
    drop() {
      isDropping = true;
      cut();
    },
    refuse: close,
    stall() {
      isStalled = true;
      for (const { near, far } of pairs) {
        near.unpipe().pause();
        far.unpipe().pause();
      }
    },
    delay(ms) {
      delayMs = ms;
    },
    async mend() {
      if (isStalled) for (const pair of pairs) forward(pair, () => delayMs);
      isStalled = false;
      delayMs = 0;
      isDropping = false;
      if (server.listening) return;
      server.listen(own, "127.0.0.1");
      await once(server, "listening");
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
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
