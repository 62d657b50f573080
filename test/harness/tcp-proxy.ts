import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

/** A TCP proxy to a database that can break, refuse or stall connections. */
export interface TcpProxy extends AsyncDisposable {
  /** The database URL through the proxy. */
  readonly url: string;
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

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  let isStalled = false;
  let isDropping = false;
  let delayMs = 0;
  let attempts = 0;

  const server = createServer((near) => {
    attempts++;
    if (isDropping) return near.on("error", () => undefined).resetAndDestroy();
    const pair = { near, far: connect(Number(port), hostname) };
    pairs.add(pair);
    for (const socket of [pair.near, pair.far]) {
      // The end of one side ends the other.
      socket.on("error", () => undefined).on("close", () => end(pair));
    }
    if (!isStalled) join(pair, () => delayMs);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;

  function end(pair: Pair): void {
    pairs.delete(pair);
    for (const socket of [pair.near, pair.far]) socket.resetAndDestroy();
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
    url: url.href,
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
      if (isStalled) for (const pair of pairs) join(pair, () => delayMs);
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

function join({ near, far }: Pair, delayMs: () => number): void {
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
