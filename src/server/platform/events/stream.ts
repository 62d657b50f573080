import type { MikroORM } from "@mikro-orm/postgresql";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { StreamEvent } from "../../../shared/events.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { toAppError, toTrpcError } from "../failures.ts";
import type { Caller, FindLiveSessions } from "../trpc/caller.ts";
import type { EventHub } from "./hub.ts";
import { type LogBounds, readLogBounds, readLogPage } from "./store.ts";
import { ready, type Subscription } from "./subscription.ts";

// A stream has three phases. The ids of events rise in commit order, and `position` is the id up to
// which the stream has delivered everything that its caller may see.
//
// 1. Backfill (replay): what the caller missed is read from the log, page by page, up to the newest
//    id at the opening, so that no event after `lastEventId` is left out. When that is impossible
//    (the id is unknown, too old or too far behind, the clean-up overtook the replay, or the log
//    went back), the caller is told by `stream.ready` with `resumed: false`, and reads everything
//    again.
// 2. Cut-over: the queue of the subscription has been filling since before the bounds were read, so
//    it may hold events that the backfill delivered. They are recognised by their ids and skipped:
//    a stream yields each event once, in order.
// 3. Live: what the hub pushes is passed on until the caller hangs up or its session ends. When the
//    log itself went back (a restore), the position goes back with it.
//
// The subscription opens before the bounds are read. In the other order, an event that is appended
// and read by the hub between the two would lie beyond the bounds, so that the backfill ends before
// it, and would not be in the queue either: the caller would never hear of it.

const PAGE = 50;
/** Who is further behind reads everything again, which costs both sides less than a replay. */
const MAX_REPLAYED = 300;
const EVENT_ID = /^(0|[1-9]\d{0,14})$/;

type TrackedEvent = TrackedEnvelope<StreamEvent>;

export interface StreamOpening {
  readonly caller: Caller;
  /** Of the last event that the caller handled; null for a caller that comes for the first time. */
  readonly lastEventId: string | null;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

/**
 * Throws UNAUTHENTICATED as soon as the session is dead, TOO_MANY_REQUESTS when the user has too
 * many streams.
 */
export type OpenEventStream = (
  opening: StreamOpening,
) => AsyncGenerator<TrackedEvent, void, undefined>;

type StreamDeps = Pick<Deps, "log" | "clock" | "metrics"> & {
  readonly orm: MikroORM;
  readonly findLiveSessions: FindLiveSessions;
  readonly hub: EventHub;
};

/** Where a stream begins: `after` is its first position. */
type StreamStart =
  | { readonly kind: "resumed"; readonly after: number }
  /** The caller reads everything again and receives what happens from now on. */
  | { readonly kind: "anew"; readonly after: number };

/**
 * `stream.ready`, then all after `lastEventId` that the caller may see, in order, at least once.
 * Throws UNAUTHENTICATED as soon as the session is dead.
 */
export async function* streamEvents(
  deps: StreamDeps,
  { caller, lastEventId, signal }: StreamOpening,
): AsyncGenerator<TrackedEvent, void, undefined> {
  const { orm, hub, log } = deps;
  try {
    using subscription = hub.subscribe(caller, signal);
    const bounds = await readLogBounds(orm.em.fork());
    const start = startOf(lastEventId, bounds);

    subscription.assertLive();
    yield envelope(start.after, ready(start.kind === "resumed"));

    const replay = { from: start.after, to: bounds.newest, signal };
    const position = yield* backfill(deps, subscription, replay);
    yield* followLive(deps, subscription, position);
  } catch (error) {
    if (toAppError(error).code === "INTERNAL") {
      log.error({ err: error, caller: caller.id }, "event stream failed");
    }
    throw toTrpcError(error);
  }
}

/** A stream resumes only when every row after the given id is still kept, and they are few. */
function startOf(lastEventId: string | null, { oldest, newest }: LogBounds): StreamStart {
  const anew: StreamStart = { kind: "anew", after: newest };
  if (lastEventId === null || !EVENT_ID.test(lastEventId)) return anew;

  const id = Number(lastEventId);
  // A rolled-back append leaves a hole in the ids, which may cost a refetch, never an event.
  const areSuccessorsKept = id >= oldest - 1 && id <= newest;
  const isReplayable = areSuccessorsKept && newest - id <= MAX_REPLAYED;
  return isReplayable ? { kind: "resumed", after: id } : anew;
}

interface Replay {
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
}

/** Phase 1. Returns the position that it reached. */
async function* backfill(
  deps: StreamDeps,
  subscription: Subscription,
  { from, to, signal }: Replay,
): AsyncGenerator<TrackedEvent, number, undefined> {
  const { orm, hub } = deps;
  let position = from;
  while (position < to && !signal.aborted) {
    const page = await readLogPage(orm.em.fork(), position, PAGE);
    const hasCleanUpOvertaken = page.oldest > position + 1;
    // After a restore. No row would ever follow, and this would ask for one without a pause.
    const wentBack = page.newest < position;
    if (hasCleanUpOvertaken || wentBack) {
      yield envelope(page.newest, ready(false));
      return page.newest;
    }

    const caller = await readLiveCaller(deps, subscription.caller);
    for (const logged of page.events) {
      const [event = null] = await hub.present(logged, [caller]);
      subscription.assertLive();
      if (event !== null) yield envelope(logged.id, event);
    }
    position = page.lastId;
  }
  return position;
}

/** Phases 2 and 3. Ends when the caller hangs up. */
async function* followLive(
  { clock, metrics }: StreamDeps,
  subscription: Subscription,
  reached: number,
): AsyncGenerator<TrackedEvent, void, undefined> {
  let position = reached;
  for (;;) {
    const next = await subscription.take();
    switch (next.kind) {
      case "aborted":
        return;

      case "log-went-back":
        position = next.newest;
        yield envelope(position, ready(false));
        break;

      case "event":
        // The cut-over: the backfill has delivered it.
        if (next.id <= position) break;

        position = next.id;
        metrics.eventLag.observe(Math.max(0, clock.now() - next.createdAt));
        yield envelope(position, next.event);
        break;
    }
  }
}

/** The caller resumes after this id when the connection is lost. */
function envelope(id: number, event: StreamEvent): TrackedEvent {
  return tracked(String(id), event);
}

/** Role and activity may have changed since the stream opened. */
async function readLiveCaller(
  { orm, findLiveSessions }: StreamDeps,
  { sessionId }: Caller,
): Promise<Caller> {
  const callers = await findLiveSessions(orm.em.fork(), [sessionId]);
  const caller = callers.get(sessionId);
  if (caller === undefined) throw new AppError("UNAUTHENTICATED");
  return caller;
}
