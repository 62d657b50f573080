import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";

/** Memory never shrinks: a VACUUM must not take 64 MB. */
const SETTINGS = [
  "shared_buffers=32MB",
  "maintenance_work_mem=16MB",
  "max_wal_size=64MB",
  "jit=off",
  "wal_init_zero=off",
];

// Types of protocol messages, by their first byte. A start-up packet has no type, and starts with a
// zero.
const STARTUP = 0;
// Parse, Bind, Describe, Execute, Close; Query, Sync, FunctionCall.
const PARTS = new Set(Buffer.from("PBDEC"));
const FLUSH = 0x48;
const ENDS = new Set(Buffer.from("QSF"));
const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4);

type StreamOptions = Parameters<PGlite["execProtocolRawStream"]>[1];

/**
 * One session that several connections share. The messages of one statement run together, so those
 * of two cannot mix: README.md.
 */
export class SharedPostgres extends PGlite {
  #isStatementOpen = false;
  #parts: Uint8Array[] = [];

  static async open(directory: string, onLog: (line: string) => void): Promise<SharedPostgres> {
    const postgres = new SharedPostgres({
      dataDir: directory,
      extensions: { pg_trgm },
      startParams: [
        ...PGlite.defaultStartParams,
        ...SETTINGS.flatMap((setting) => ["-c", setting]),
      ],
      initDbStartParams: ["--wal-segsize=1"],
      onStderr: (line) => {
        onLog(line);
        return false;
      },
    });
    await postgres.waitReady;
    return postgres;
  }

  /** pglite-socket asks this to learn whether only the connection that spoke last may continue. */
  override isInTransaction(): boolean {
    return this.#isStatementOpen || super.isInTransaction();
  }

  override async execProtocolRawStream(message: Uint8Array, options: StreamOptions): Promise<void> {
    const type = message[0] ?? STARTUP;
    if (PARTS.has(type)) {
      this.#parts.push(message);
      this.#isStatementOpen = true;
      return;
    }
    const whole = Buffer.concat([...this.#parts, message]);
    this.#parts = [];
    try {
      await super.execProtocolRawStream(whole, options);
    } catch (error) {
      // PostgreSQL ended. Thrown outside of pglite-socket, which would swallow it, this ends the
      // thread.
      if (type !== STARTUP) setImmediate(() => throwError(error));
    }
    if (type === FLUSH) this.#isStatementOpen = true;
    if (ENDS.has(type)) this.#isStatementOpen = false;
  }

  /** Sends ROLLBACK for a connection that closed, possibly in the middle of a statement. */
  override async exec(...args: Parameters<PGlite["exec"]>): ReturnType<PGlite["exec"]> {
    if (this.#isStatementOpen) {
      this.#parts = [];
      await this.runExclusive(() =>
        this.execProtocolRawStream(SYNC, { onRawData: () => undefined }),
      );
    }
    return super.exec(...args);
  }
}

function throwError(error: unknown): never {
  throw error;
}
