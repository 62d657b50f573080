import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { BaseLogger } from "pino";
import { programUrl } from "./program-url.ts";
import type { FromWorker, ToWorker, WorkerTask } from "./worker-messages.ts";

/** The server has 10 s to stop; a checkpoint takes a fraction of one. Milliseconds. */
const CLOSE_LIMIT = 5_000;

export type EmbeddedDatabaseLog = Pick<BaseLogger, "debug" | "info" | "warn" | "error">;

export interface EmbeddedDatabaseUsage {
  /** Bytes of the whole process, threads included. */
  readonly rss: number;
  /** Bytes that PostgreSQL reserves; it never gives any back. */
  readonly wasm: number;
  /** Bytes of the thread's JavaScript. */
  readonly workerHeap: number;
  readonly connections: number;
  /** Messages that wait for their turn. */
  readonly waiting: number;
}

type Counts = Omit<EmbeddedDatabaseUsage, "rss" | "workerHeap">;

export interface DatabaseWorker {
  /** The loopback port it listens on, null for a unix socket; rejects when it dies before. */
  listening(): Promise<number | null>;
  /** Resolves when the thread ends without having been asked to. */
  readonly failed: Promise<Error>;
  usage(): Promise<EmbeddedDatabaseUsage>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the thread that PostgreSQL runs in. Its death is logged here, once. */
export function startWorker(task: WorkerTask, log: EmbeddedDatabaseLog): DatabaseWorker {
  const worker = new Worker(programUrl("worker"), {
    workerData: task,
    // The thread takes no flags of its parent's: a test runner's loader has no business in it.
    execArgv: [],
    // 20 MB live; with V8's own limits it keeps 80 MB of garbage on top. Rows and parameters are outside this heap.
    // The stack is for PostgreSQL to find its own limit, and say so, before JavaScript's kills it.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128, stackSizeMb: 32 },
  });
  const listening = Promise.withResolvers<number | null>();
  const exited = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  let measuring: PromiseWithResolvers<Counts> | undefined;
  let state: "running" | "closing" | "over" = "running";

  worker.on("message", (message: FromWorker) => {
    switch (message.kind) {
      case "listening":
        log.debug({ compiledCode: message.compiledCode }, "embedded database opened");
        return listening.resolve(message.port);
      case "measured":
        measuring?.resolve(message);
        measuring = undefined;
        return;
      case "log":
        return log[message.level]({ postgres: true }, message.text);
      case "crashed":
        fail(message.error);
        // Nobody can leave the loop that it spins in.
        return void worker.terminate();
    }
  });
  worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
  worker.on("exit", (code) => {
    if (state === "running") fail(new Error(`the database thread ended with code ${code}`));
    state = "over";
    exited.resolve();
  });

  return {
    listening: () => Promise.race([listening.promise, failure()]),
    failed: failed.promise,
    async usage() {
      const [heap, counts] = await Promise.all([worker.getHeapStatistics(), measure()]);
      const { wasm, connections, waiting } = counts;
      return { rss: process.memoryUsage.rss(), wasm, workerHeap: heap.used_heap_size, connections, waiting };
    },
    async [Symbol.asyncDispose]() {
      if (state === "running") {
        state = "closing";
        post({ kind: "close" });
      }
      await endWithin(CLOSE_LIMIT);
    },
  };

  function fail(error: Error): void {
    if (state === "over") return;
    state = "over";
    log.error({ err: error }, "the embedded database died");
    failed.resolve(error);
    measuring?.reject(error);
  }

  /** Everybody who asks meanwhile is told the same. */
  async function measure(): Promise<Counts> {
    if (state === "over") return await failure();
    if (measuring === undefined) {
      measuring = Promise.withResolvers();
      post({ kind: "measure" });
    }
    return await measuring.promise;
  }

  function post(message: ToWorker): void {
    worker.postMessage(message);
  }

  async function failure(): Promise<never> {
    throw await failed.promise;
  }

  async function endWithin(milliseconds: number): Promise<void> {
    const inTime = new AbortController();
    const isLate = sleep(milliseconds, true, { signal: inTime.signal }).catch(() => false);
    if (await Promise.race([exited.promise, isLate])) {
      log.warn("the embedded database did not close in time: its thread is ended, the next start recovers");
      await worker.terminate();
    }
    inTime.abort();
  }
}
