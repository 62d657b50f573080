import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

/** A wire to a database that can be cut, taken away, or left without a word. */
export interface TcpProxy extends AsyncDisposable {
  /** The given address, by way of the proxy. */
  readonly url: string;
  /** Connections that came so far. */
  readonly attempts: () => number;
  /** Breaks what is connected; new connections are taken. */
  cut(): void;
  /** Breaks what is connected, takes new connections and breaks them at once. */
  drop(): void;
  /** Breaks what is connected and refuses what comes. */
  refuse(): Promise<void>;
  /** Passes nothing on, in neither direction, and breaks nothing. */
  stall(): void;
  /** Passes everything on so many milliseconds late. */
  delay(ms: number): void;
  /** Everything as it was; what was held up goes on. */
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
      // Whatever ends one side ends the other.
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
