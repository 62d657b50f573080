import type { MikroORM } from "@mikro-orm/postgresql";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { StreamEvent } from "../../shared/events.ts";
import { answerTogether } from "../core/answer-together.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { toAppError, toTrpcError } from "../core/failures.ts";
import type { LocalBus } from "../core/local-bus.ts";
import type { Log } from "../core/log.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Caller, EventStream, FindLiveSessions, StreamOpening } from "../core/ports.ts";
import { isDatabaseAway } from "../database/errors.ts";
import { onSessionEnd } from "./ended-sessions.ts";
import type { EventLog } from "./log.ts";
import { type EventPresenters, presentEvent } from "./presenters.ts";
import { startOfStream } from "./resume.ts";
import type { LogBounds, LoggedEvent } from "./table.ts";
import { createTurns } from "./turns.ts";
import { createWake } from "./wake.ts";

export const MAX_STREAMS_PER_USER = 20;
const RETRY_MS = 1_000;
/** Some 5 ms of work. */
const DELIVERIES_PER_TURN = 200;

export interface EventStreamOptions {
  readonly orm: MikroORM;
  readonly eventLog: EventLog;
  readonly presenters: EventPresenters;
  readonly findLiveSessions: FindLiveSessions;
  readonly bus: LocalBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Who sees what is decided when an event is delivered, replayed ones included. A slow reader costs its position, no memory. Only the
 * first event is yielded: what tRPC does for each is several times the work of delivering what a thousand streams hear alike.
 */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { orm, eventLog, presenters, findLiveSessions, bus, clock, log, metrics } = options;
  const readLiveCaller = answerTogether((sessionIds: readonly string[]) => findLiveSessions(orm.em.fork(), sessionIds));
  const places = createPlaces(metrics);
  const turns = createTurns(DELIVERIES_PER_TURN);

  async function* open({
    caller,
    lastEventId,
    signal,
    outletOf,
  }: StreamOpening): AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined> {
    try {
      using _place = places.take(caller.id);
      const wake = createWake();
      const session = { sessionId: caller.sessionId, userId: caller.id };
      let isEnded = false;
      using _ended = onSessionEnd(bus, session, () => {
        isEnded = true;
        wake.wake();
      });
      using _advance = eventLog.onAdvance(wake.wake);
      using _abort = onAbort(signal, wake.wake);

      let rewinds = eventLog.rewinds;
      const bounds = await eventLog.bounds();
      const start = startOfStream(lastEventId, bounds);
      let position = start.from;
      if (isEnded) throw new AppError("UNAUTHENTICATED");
      const first = ready(start.resumed);
      yield tracked(String(position), first);
      const outlet = outletOf(first);
      /** From now on, as if nothing had been given to resume from: what was missed cannot be told. */
      const startAnew = ({ newest }: LogBounds) => {
        position = newest;
        outlet.send(String(position), ready(false));
      };

      while (!signal.aborted) {
        try {
          if (isEnded) throw new AppError("UNAUTHENTICATED");
          if (rewinds !== eventLog.rewinds) {
            rewinds = eventLog.rewinds;
            const kept = await eventLog.bounds();
            if (position > kept.newest) startAnew(kept);
          }
          const next = eventLog.after(position);
          const { events, lastId, isWhole } = next instanceof Promise ? await next : next;
          if (!isWhole) {
            startAnew(await eventLog.bounds());
            continue;
          }
          if (lastId === position) {
            await wake.wait();
            continue;
          }
          const present = await readLiveCaller(caller.sessionId);
          if (present === undefined) throw new AppError("UNAUTHENTICATED");
          const turn = turns.take(events.length);
          if (turn !== null) await turn;
          for (const logged of events) {
            const presented = presentTo(present, logged);
            const shown = presented instanceof Promise ? await presented : presented;
            if (isEnded) throw new AppError("UNAUTHENTICATED");
            if (signal.aborted) return;
            position = logged.id;
            if (shown === null) continue;
            measure(logged, bounds.newest);
            outlet.send(String(position), shown);
          }
          position = lastId;
        } catch (error) {
          // Nothing can happen while the database is away; the stream goes on from its place when it is back.
          if (!isDatabaseAway(error)) throw error;
          await wake.wait(RETRY_MS);
        }
      }
    } catch (error) {
      if (toAppError(error).code === "INTERNAL") log.error({ err: error, caller: caller.id }, "an event stream broke");
      throw toTrpcError(error);
    }
  }

  function presentTo(caller: Caller, logged: LoggedEvent): Promise<StreamEvent | null> | StreamEvent | null {
    try {
      const shown = presentEvent(presenters, caller, logged.event);
      return shown instanceof Promise ? shown.catch((error: unknown) => refetch(caller, logged, error)) : shown;
    } catch (error) {
      return refetch(caller, logged, error);
    }
  }

  /** An event that cannot be shown because of a bug becomes "refetch everything": nobody is left with a stale view. */
  function refetch(caller: Caller, { id, event }: LoggedEvent, error: unknown): StreamEvent {
    if (isDatabaseAway(error)) throw error;
    log.error({ err: error, event: id, type: event.type, caller: caller.id }, "an event could not be presented");
    return ready(false);
  }

  /** What is replayed to somebody who was away says nothing about how late the stream is. */
  function measure({ id, createdAt }: LoggedEvent, newestAtOpening: number): void {
    if (id > newestAtOpening) metrics.eventLag.observe(Math.max(0, clock.now() - createdAt));
  }

  return { open, newestKnown: () => String(eventLog.newestKnown) };
}

/** Its id is the place to resume from: whoever reconnects right after it misses nothing. */
function ready(resumed: boolean): StreamEvent {
  return { type: "stream.ready", data: { resumed } };
}

function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener) };
}

/** Counts the open streams of each user in this process. */
function createPlaces({ eventStreams }: Metrics) {
  const taken = new Map<string, number>();
  return {
    take(userId: string): Disposable {
      const count = taken.get(userId) ?? 0;
      if (count >= MAX_STREAMS_PER_USER)
        throw new AppError("TOO_MANY_REQUESTS", "打开的事件流过多，请关闭部分页面后重试");
      taken.set(userId, count + 1);
      eventStreams.inc();
      return {
        [Symbol.dispose]: () => {
          eventStreams.dec();
          const left = (taken.get(userId) ?? 1) - 1;
          if (left === 0) taken.delete(userId);
          else taken.set(userId, left);
        },
      };
    },
  };
}
