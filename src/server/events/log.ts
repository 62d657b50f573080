import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { LocalBus } from "../core/local-bus.ts";
import type { Log } from "../core/log.ts";
import type { DatabaseConnection } from "../database/open.ts";
import { listenForEvents } from "./listen.ts";
import { createReadPace } from "./read-pace.ts";
import { createRecentEvents } from "./recent-events.ts";
import { type LogBounds, type LogPage, readLogBounds, readLogPage } from "./table.ts";
import { createWake } from "./wake.ts";

/** Hints can get lost; nothing waits longer than this. */
const POLL_MS = 2_000;
const RETRY_MS = 1_000;
/** So many reads may follow each other at once; then hints that come in quick succession share one in each gap, in ms. */
const READ_PACE = { burst: 4, gap: 20 } as const;
const READ_LIMIT = 200;
const PAGE_LIMIT = 50;

export interface EventLogOptions {
  readonly orm: MikroORM;
  readonly connection: DatabaseConnection;
  readonly bus: LocalBus;
  readonly log: Log;
}

/** The log of this process: one reader follows the table, any number of subscribers follow the reader. */
export interface EventLog {
  /** Rises when the table was found to have lost its newest rows (restored, failed over): ids known so far mean nothing any more. */
  readonly rewinds: number;
  /** Id of the newest row that was read; 0 until the table answered for the first time. */
  readonly newestKnown: number;
  bounds(): Promise<LogBounds>;
  /** The next events after an id: from memory and at once when they are recent, else from the table. */
  after(id: number): NextEvents | Promise<NextEvents>;
  /** Calls the listener whenever there may be more to read, until disposed. */
  onAdvance(listener: () => void): Disposable;
}

type NextEvents = Pick<LogPage, "events" | "lastId" | "isWhole">;

export function createEventLog({ orm, connection, bus, log }: EventLogOptions): EventLog & AsyncDisposable {
  const wake = createWake();
  const pace = createReadPace(READ_PACE);
  const recent = createRecentEvents();
  const listeners = new Set<() => void>();
  /** Id of the newest row that was read; null until the table answered for the first time. */
  let position: number | null = null;
  let rewinds = 0;
  /** The newest row that anybody has told of since the last read began; infinite when they did not say which. */
  let told = 0;
  const stop = new AbortController();

  const onAppended = () => hear(null);
  bus.on("events.appended", onAppended);
  const listening = listenForEvents({ connection, log, onHint: hear });
  const reading = follow();

  function hear(newest: number | null): void {
    told = Math.max(told, newest ?? Number.POSITIVE_INFINITY);
    wake.wake();
  }

  /** Waits until there may be something new. What this process wrote it is told of twice, and has mostly read it by then. */
  async function untilTold(): Promise<void> {
    const pollAt = performance.now() + POLL_MS;
    while (!stop.signal.aborted) {
      await wake.wait(Math.max(0, pollAt - performance.now()));
      const isKnown = told > 0 && told <= (position ?? 0) && performance.now() < pollAt;
      told = 0;
      if (!isKnown) return;
    }
  }

  async function follow(): Promise<void> {
    for (let isFailing = false; !stop.signal.aborted; ) {
      try {
        await readNew();
        if (isFailing) log.info("the event log can be read again");
        isFailing = false;
        await untilTold();
        await pause(pace.next());
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!isFailing) log.warn({ err: error }, "the event log cannot be read, trying on");
        isFailing = true;
        await pause(RETRY_MS);
      }
    }
  }

  async function readNew(): Promise<void> {
    if (position === null) startAt((await readLogBounds(orm)).newest);
    for (let isMore = true; isMore && !stop.signal.aborted; ) {
      const from: number = position ?? 0;
      const page = await readLogPage(orm, from, READ_LIMIT);
      // The newest row is never cleaned away, so a smaller one means that rows were lost.
      if (page.newest < from) await restartIfLost(from);
      else if (page.rowCount > 0) {
        recent.add(page.events);
        position = page.lastId;
        announce();
      }
      isMore = page.rowCount === READ_LIMIT;
    }
  }

  async function restartIfLost(from: number): Promise<void> {
    const { newest } = await readLogBounds(orm);
    // Somebody emptied the table, but ids go on from where they were.
    if (newest >= from) return;
    log.warn({ from, newest }, "the event log went back");
    rewinds++;
    startAt(newest);
  }

  function startAt(id: number): void {
    position = id;
    recent.restart(id);
    announce();
  }

  function announce(): void {
    for (const listener of listeners) listener();
  }

  /** Ends early when the log is closed. */
  async function pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  }

  return {
    get rewinds() {
      return rewinds;
    },
    get newestKnown() {
      return position ?? 0;
    },
    async bounds() {
      const bounds = await readLogBounds(orm);
      if (bounds.newest > (position ?? 0)) hear(bounds.newest);
      return bounds;
    },
    after(id) {
      const events = recent.after(id, PAGE_LIMIT);
      if (events === null) return readLogPage(orm, id, PAGE_LIMIT);
      return { events, lastId: events.at(-1)?.id ?? id, isWhole: true };
    },
    onAdvance(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      bus.off("events.appended", onAppended);
      wake.wake();
      await Promise.all([reading, listening[Symbol.asyncDispose]()]);
    },
  };
}
