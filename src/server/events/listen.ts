import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../core/log.ts";
import { connectionConfig, type DatabaseConnection } from "../database/open.ts";
import { createWake } from "./wake.ts";

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
const END_LIMIT_MS = 1_000;

export interface ListenOptions {
  readonly connection: DatabaseConnection;
  readonly log: Log;
  /** Events up to this id were committed; null when that is not known, or they may have been while nobody listened. */
  readonly onHint: (newest: number | null) => void;
}

/**
 * Hears of other replicas' events at once, on a connection of its own that is made again whenever it breaks. Only a hint:
 * behind a pooler nothing may arrive. The embedded database has a single process and needs none.
 */
export function listenForEvents({ connection, log, onHint }: ListenOptions): AsyncDisposable {
  if (connection.kind === "embedded") return { [Symbol.asyncDispose]: async () => undefined };
  const wake = createWake();
  const stop = new AbortController();
  const loop = keepListening();

  async function keepListening(): Promise<void> {
    for (let failures = 0; !stop.signal.aborted; ) {
      const client = new pg.Client({
        ...connectionConfig(connection),
        keepAlive: true,
        application_name: "host-console",
      });
      let isBroken = false;
      const onBreak = () => {
        isBroken = true;
        wake.wake();
      };
      client
        .on("error", onBreak)
        .on("end", onBreak)
        .on("notification", ({ payload }) => onHint(readId(payload)));
      try {
        await client.connect();
        await client.query("listen events");
        if (failures > 0) log.info("listening for events again");
        failures = 0;
        onHint(null);
        while (!isBroken && !stop.signal.aborted) await wake.wait();
      } catch (error) {
        if (failures === 0 && !stop.signal.aborted)
          log.warn({ err: error }, "cannot listen for events, polling goes on");
      } finally {
        await endWithin(client, END_LIMIT_MS);
      }
      // Not on the bell: the end of this very connection has rung it.
      await sleep(retryDelay(failures++), undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      wake.wake();
      await loop;
    },
  };
}

/** A replica of another version may say nothing, or something else. */
function readId(payload: string | undefined): number | null {
  const id = Number(payload);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Grows to the limit, jittered so that replicas do not come back in step. */
function retryDelay(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
}

/** A connection whose other side is gone may never say goodbye. */
async function endWithin(client: pg.Client, ms: number): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, ms);
  await Promise.race([client.end().catch(() => undefined), limit.promise]);
  clearTimeout(timer);
}
