import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { StreamEvent } from "../../../shared/events.ts";
import type { Deps } from "../deps.ts";
import { toAppError, toTrpcError } from "../failures.ts";
import type { Caller } from "../trpc/caller.ts";
import { type LiveCallerDeps, readLiveCaller } from "../trpc/live-caller.ts";
import type { EventHub } from "./hub.ts";
import { formatPosition, type LogPosition, parsePosition, positionLost } from "./position.ts";
import { readLogPage, readNewestPosition } from "./store.ts";
import { ready, type Subscription } from "./subscription.ts";

// A stream has three phases. The ids of events rise in commit order, and `position` is the id up to
// which the stream has delivered everything that its caller may see.
//
// 1. Backfill (replay): what the caller missed is read from the log, page by page, up to the newest
//    id at the opening, so that no event after `lastEventId` is left out. When that is impossible
//    (the id is unknown, too old, too far behind, or of rows that the log lost), the caller is told
//    by `stream.ready` with `resumed: false`, and reads everything again.
// 2. Cut-over: the queue of the subscription has been filling since before that id was read, so
//    it may hold events that the backfill delivered. They are recognised by their ids and skipped:
//    a stream yields each event once, in order.
// 3. Live: what the hub pushes is passed on until the caller hangs up, its session ends, or the
//    position is lost (position.ts).
//
// The subscription opens before the newest id is read. In the other order, an event that is
// appended and read by the hub between the two would lie beyond that id, so that the backfill ends
// before it, and would not be in the queue either: the caller would never hear of it.

const PAGE = 50;
/** Who is further behind reads everything again, which costs both sides less than a replay. */
const MAX_REPLAYED = 300;

type TrackedEvent = TrackedEnvelope<StreamEvent>;

export interface StreamOpening {
  readonly caller: Caller;
  /** Of the last event that the caller handled; null for a caller that comes for the first time. */
  readonly lastEventId: string | null;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

/**
 * Throws UNAUTHENTICATED as soon as the session is dead, SECOND_FACTOR_REQUIRED as soon as its user
 * must set one up, TOO_MANY_REQUESTS when the user has too many streams, UNAVAILABLE when the stream
 * is to be opened again after its last event.
 */
export type OpenEventStream = (
  opening: StreamOpening,
) => AsyncGenerator<TrackedEvent, void, undefined>;

interface StreamDeps extends Pick<Deps, "log" | "clock" | "metrics">, LiveCallerDeps {
  readonly hub: EventHub;
}

/** Where a stream begins. */
interface StreamStart {
  /** Else the caller reads everything again, and receives what happens from now on. */
  readonly isResumed: boolean;
  /** Its first position. */
  readonly after: LogPosition;
  /** Behind the newest row, at that moment. */
  readonly newest: LogPosition;
}

/**
 * `stream.ready`, then all after `lastEventId` that the caller may see, in order, at least once.
 * Throws as `OpenEventStream`.
 */
export async function* streamEvents(
  deps: StreamDeps,
  { caller, lastEventId, signal }: StreamOpening,
): AsyncGenerator<TrackedEvent, void, undefined> {
  const { orm, hub, log } = deps;
  try {
    using subscription = hub.subscribe(caller, signal);
    const { isResumed, after, newest } = await findStart(orm.em.fork(), lastEventId);

    subscription.assertLive();
    yield envelope(after, ready(isResumed));

    const replay = { from: after, to: newest, signal };
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
async function findStart(em: SqlEntityManager, lastEventId: string | null): Promise<StreamStart> {
  const given = lastEventId === null ? null : parsePosition(lastEventId);
  if (given === null) {
    const newest = await readNewestPosition(em);
    return { isResumed: false, after: newest, newest };
  }

  const { isContinuous, newest } = await readLogPage(em, given, 1);
  const isResumed = isContinuous && newest.id - given.id <= MAX_REPLAYED;
  return { isResumed, after: isResumed ? given : newest, newest };
}

interface Replay {
  readonly from: LogPosition;
  readonly to: LogPosition;
  readonly signal: AbortSignal;
}

/** Phase 1. Returns the position that it reached. */
async function* backfill(
  deps: StreamDeps,
  subscription: Subscription,
  { from, to, signal }: Replay,
): AsyncGenerator<TrackedEvent, LogPosition, undefined> {
  const { orm, hub } = deps;
  let position = from;
  while (position.id < to.id && !signal.aborted) {
    const page = await readLogPage(orm.em.fork(), position, PAGE);
    // Then no row may ever follow, and this would ask for one without a pause.
    if (!page.isContinuous) throw positionLost();

    const caller = await readLiveCaller(deps, subscription.caller);
    for (const logged of page.events) {
      const [event = null] = await hub.present(logged, [caller]);
      subscription.assertLive();
      if (event !== null) yield envelope(logged, event);
    }
    position = page.last;
  }
  return position;
}

/** Phases 2 and 3. Ends when the caller hangs up. */
async function* followLive(
  { clock, metrics }: StreamDeps,
  subscription: Subscription,
  reached: LogPosition,
): AsyncGenerator<TrackedEvent, void, undefined> {
  for (;;) {
    const next = await subscription.take();
    if (next === null) return;
    // The cut-over: the backfill has delivered it.
    if (next.id <= reached.id) continue;

    metrics.eventLag.observe(Math.max(0, clock.now() - next.createdAt));
    yield envelope(next, next.event);
  }
}

/** The caller resumes after this id when the connection is lost. */
function envelope(position: LogPosition, event: StreamEvent): TrackedEvent {
  return tracked(formatPosition(position), event);
}
