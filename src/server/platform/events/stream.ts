import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { StreamEvent } from "../../../shared/events.ts";
import { AppError } from "../errors.ts";
import { toAppError, toTrpcError } from "../failures.ts";
import type { Caller, StreamOpening } from "../ports.ts";
import type { App } from "../trpc/trpc.ts";
import type { EventHub } from "./hub.ts";
import { type LogBounds, readLogBounds, readLogPage } from "./store.ts";
import { ready } from "./subscription.ts";

const PAGE = 50;
/** Who is further behind reads everything again, which costs both sides less than a longer replay. */
const MAX_REPLAYED = 300;
const EVENT_ID = /^(0|[1-9]\d{0,14})$/;

type StreamDeps = Pick<App, "orm" | "log" | "clock" | "metrics" | "findLiveSessions"> & {
  readonly hub: EventHub;
};

/** `stream.ready`, then all after `lastEventId` that the caller may see, in order, at least once. Throws UNAUTHENTICATED. */
export async function* streamEvents(
  deps: StreamDeps,
  { caller, lastEventId, signal }: StreamOpening,
): AsyncGenerator<TrackedEnvelope<StreamEvent>, void, undefined> {
  const { orm, hub, clock, log, metrics } = deps;
  try {
    // Before the bounds are read: what is appended after them reaches the queue.
    using subscription = hub.subscribe(caller, signal);
    const bounds = await readLogBounds(orm.em.fork());
    const resumeFrom = resumePoint(lastEventId, bounds);
    let position = resumeFrom ?? bounds.newest;
    subscription.assertLive();
    yield tracked(String(position), ready(resumeFrom !== null));

    while (position < bounds.newest && !signal.aborted) {
      const page = await readLogPage(orm.em.fork(), position, PAGE);
      if (page.oldest > position + 1) {
        // The clean-up overtook the replay.
        position = page.newest;
        yield tracked(String(position), ready(false));
        break;
      }
      const live = await readLiveCaller(deps, caller);
      for (const logged of page.events) {
        const [event = null] = await hub.present(logged, [live]);
        subscription.assertLive();
        if (event !== null) yield tracked(String(logged.id), event);
      }
      position = page.lastId;
    }

    for (;;) {
      const next = await subscription.take();
      if (next === undefined) return;
      const { id, createdAt } = next;
      if (id <= position && createdAt !== null) continue;
      position = id;
      if (createdAt !== null) metrics.eventLag.observe(Math.max(0, clock.now() - createdAt));
      yield tracked(String(position), next.event);
    }
  } catch (error) {
    if (toAppError(error).code === "INTERNAL")
      log.error({ err: error, caller: caller.id }, "event stream failed");
    throw toTrpcError(error);
  }
}

/** The id to continue after, when every row after it is still kept. Rolled-back ids leave holes that cost a refetch, never an event. */
function resumePoint(lastEventId: string | null, { oldest, newest }: LogBounds): number | null {
  if (lastEventId === null || !EVENT_ID.test(lastEventId)) return null;
  const id = Number(lastEventId);
  const isReplayable = id >= oldest - 1 && id <= newest && newest - id <= MAX_REPLAYED;
  return isReplayable ? id : null;
}

/** Role and activity may have changed since the stream opened. */
async function readLiveCaller(
  { orm, findLiveSessions }: StreamDeps,
  { sessionId }: Caller,
): Promise<Caller> {
  const caller = (await findLiveSessions(orm.em.fork(), [sessionId])).get(sessionId);
  if (caller === undefined) throw new AppError("UNAUTHENTICATED");
  return caller;
}
