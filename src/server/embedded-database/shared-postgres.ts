import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { rememberMissingMaps } from "./missing-maps.ts";

/** Exit status by which PostgreSQL's ordinary error jump shows itself in JavaScript. */
const ERROR_JUMP = 100;
/** A start-up packet has no type; its first byte is the high one of its length. */
const STARTUP = 0;
const SYNC_MESSAGE = Uint8Array.of(0x53, 0, 0, 0, 4);
/** Parse, Bind, Describe, Execute, Close: each is one step of a statement that ends with Sync, and nobody waits for its answer. */
const STEPS = new Set([..."PBDEC"].map((letter) => letter.charCodeAt(0)));
/** Asks for the answers so far; the statement goes on. */
const FLUSH = "H".charCodeAt(0);
/** Query, Sync, FunctionCall: answered with ReadyForQuery. */
const ENDS = new Set([..."QSF"].map((letter) => letter.charCodeAt(0)));

const SETTINGS = {
  shared_buffers: "32MB",
  // WebAssembly memory never shrinks: one VACUUM or index build must not cost 64 MB for good.
  maintenance_work_mem: "16MB",
  max_wal_size: "64MB",
  jit: "off",
  // New segments of the log are as safe without the zeros, which here are written a page at a time.
  wal_init_zero: "off",
};

type StreamOptions = Parameters<PGlite["execProtocolRawStream"]>[1];

export interface SharedPostgresOptions {
  readonly directory: string;
  /** PGlite's own is compiled when this is not given. */
  readonly module?: WebAssembly.Module | undefined;
  /** Called at most once, when PostgreSQL has died; from then on nothing it answers is true. */
  readonly onCrash: (error: Error) => void;
  /** What PostgreSQL writes to its own log. */
  readonly onLogLine: (line: string) => void;
}

/**
 * One PostgreSQL session that several connections use in turns, at the socket server's bidding.
 * The server asks `isInTransaction` whether the connection that spoke last keeps the turn. PGlite says no between the
 * steps of one parameterised statement; when two connections wait, their steps mix and one gets the other's rows.
 */
export class SharedPostgres extends PGlite {
  #statementIsOpen = false;
  /** Of the open statement, and not carried out yet. */
  #steps: Uint8Array[] = [];
  #spokenAt = performance.now();
  #isDead = false;
  #onCrash: (error: Error) => void = () => undefined;

  static async open({ directory, module, onCrash, onLogLine }: SharedPostgresOptions): Promise<SharedPostgres> {
    const postgres = new SharedPostgres({
      dataDir: directory,
      ...(module && { pgliteWasmModule: module }),
      extensions: { pg_trgm },
      startParams: [
        ...PGlite.defaultStartParams,
        ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      // Small WAL segments: a fresh directory is 24 MB instead of 40.
      initDbStartParams: ["--wal-segsize=1"],
      onStderr: (line) => {
        onLogLine(line);
        return false;
      },
    });
    await postgres.waitReady;
    postgres.#onCrash = onCrash;
    postgres.#watchSteps();
    rememberMissingMaps(postgres.Module.FS);
    return postgres;
  }

  /** Milliseconds since the last message of any connection. */
  get silentFor(): number {
    return performance.now() - this.#spokenAt;
  }

  override isInTransaction(): boolean {
    return this.#statementIsOpen || super.isInTransaction();
  }

  /** Carries the steps of a statement out together: each by itself would be a turn, a write to the socket, and a wake-up of its reader. */
  override async execProtocolRawStream(message: Uint8Array, options: StreamOptions): Promise<void> {
    const type = message[0] ?? 0;
    this.#spokenAt = performance.now();
    if (STEPS.has(type)) {
      this.#steps.push(message);
      this.#statementIsOpen = true;
      return;
    }
    const whole = this.#steps.length === 0 ? message : Buffer.concat([...this.#steps, message]);
    this.#steps = [];
    try {
      await super.execProtocolRawStream(whole, options);
    } catch (error) {
      // Not rethrown: the server's queue would stop for ever, which a malformed start-up packet must not achieve.
      if (type === STARTUP) options.onRawData(fatalResponse(error));
      else this.#die(error);
    }
    if (type === FLUSH) this.#statementIsOpen = true;
    if (ENDS.has(type)) this.#statementIsOpen = false;
  }

  /** The server's ROLLBACK for a connection that went away, maybe in the middle of a statement. */
  override async exec(...args: Parameters<PGlite["exec"]>): ReturnType<PGlite["exec"]> {
    if (this.#statementIsOpen) {
      this.#steps = [];
      await this.runExclusive(() => this.execProtocolRawStream(SYNC_MESSAGE, { onRawData: () => undefined }));
    }
    return super.exec(...args);
  }

  /** PGlite swallows what comes out of a step, traps and exits included, and then spins. */
  #watchSteps(): void {
    const module = this.Module;
    const step = module._PostgresMainLoopOnce;
    module._PostgresMainLoopOnce = () => {
      if (this.#isDead) throw new Error("PostgreSQL is dead");
      try {
        step();
      } catch (error) {
        if (!isErrorJump(error)) this.#die(error);
        throw error;
      }
    };
  }

  #die(cause: unknown): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#onCrash(new Error("PostgreSQL died", { cause }));
  }
}

function isErrorJump(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && error.status === ERROR_JUMP;
}

/** An ErrorResponse: "E", length, then fields of one letter and a NUL-terminated text, then NUL. */
function fatalResponse(error: unknown): Uint8Array {
  const text = error instanceof Error ? error.message : String(error);
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text.slice(0, 200)}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
