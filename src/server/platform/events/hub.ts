import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { StreamEvent } from "../../../shared/events.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { isEndedBy, type SessionsEnded } from "../local-bus.ts";
import type { Caller, FindLiveSessions } from "../trpc/caller.ts";
import type { PresentEvent } from "./event.ts";
import { formatPosition, type LogPosition, positionLost } from "./position.ts";
import { type LoggedEvent, readLogPage, readNewestPosition } from "./store.ts";
import { ready, Subscription } from "./subscription.ts";

const MAX_STREAMS_PER_USER = 20;
/**
 * Polling finds the events of other replicas; a local hint finds those of this process at once.
 * Milliseconds.
 */
const POLL_MS = 300;
/** After a failed reading. Milliseconds. */
const RETRY_MS = 1_000;
const PAGE = 50;

type EventHubOptions = Pick<Deps, "bus" | "log" | "clock" | "metrics"> & {
  readonly orm: MikroORM;
  readonly findLiveSessions: FindLiveSessions;
  readonly presentEvent: PresentEvent;
};

interface LiveSubscription {
  readonly subscription: Subscription;
  /** As the caller is now; the subscription has the caller as of its opening. */
  readonly caller: Caller;
}

/**
 * Reads the event log once for this process and pushes each event to the subscriptions whose
 * callers may see it, however many there are. It follows the log by ids, from the newest one at the
 * start: ids rise in commit order, so that nothing is committed later below the position. When the
 * position is lost (position.ts), all subscriptions end, and their callers open new ones. What a
 * caller may see is decided at the delivery, by rows and role as they are then.
 */
export class EventHub implements AsyncDisposable {
  readonly #options: EventHubOptions;
  readonly #subscriptions = new Set<Subscription>();
  #isStopped = false;
  /** Behind the last row that was delivered, or the newest one at the start. */
  #position: LogPosition;
  /** Aborted when an event was appended here; it ends the pause between two readings. */
  #hint = new AbortController();
  readonly #reading: Promise<void>;

  static async start(options: EventHubOptions): Promise<EventHub> {
    const newest = await readNewestPosition(options.orm.em.fork());
    return new EventHub(options, newest);
  }

  private constructor(options: EventHubOptions, position: LogPosition) {
    this.#options = options;
    this.#position = position;
    options.bus.on("events.appended", this.#onAppended).on("sessions.ended", this.#onSessionsEnded);
    this.#reading = this.#follow();
  }

  /**
   * Everything up to this event was committed by now. Who remembers it, then reads rows, and then
   * follows the events after it, misses no change of those rows.
   */
  get lastEventId(): string {
    return formatPosition(this.#position);
  }

  /**
   * Every event that is read from now on reaches the subscription, until it is disposed of.
   * Throws TOO_MANY_REQUESTS.
   */
  subscribe(caller: Caller, signal: AbortSignal): Subscription & Disposable {
    const { metrics } = this.#options;
    const all = [...this.#subscriptions];
    const ofSameUser = all.filter((each) => each.caller.id === caller.id);
    if (ofSameUser.length >= MAX_STREAMS_PER_USER) {
      throw new AppError("TOO_MANY_REQUESTS", "打开的事件流过多，请关闭部分页面后重试");
    }

    const subscription = new Subscription(caller, signal);
    this.#subscriptions.add(subscription);
    metrics.eventStreams.inc();

    return Object.assign(subscription, {
      [Symbol.dispose]: () => {
        this.#subscriptions.delete(subscription);
        metrics.eventStreams.dec();
      },
    });
  }

  /**
   * What each of the callers may see of an event now, in their order; null for nothing. An event
   * that a bug keeps from being shown becomes "read everything again".
   */
  async present(
    logged: LoggedEvent,
    callers: readonly Caller[],
  ): Promise<readonly (StreamEvent | null)[]> {
    const { orm, clock, log, presentEvent } = this.#options;
    try {
      const presenter = await presentEvent(orm.em.fork(), logged, clock.now());
      return callers.map(presenter);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      log.error(
        { err: error, event: logged.id, type: logged.type },
        "event could not be presented",
      );
      return callers.map(() => ready(false));
    }
  }

  /** Reads until the hub stops. The hint is made before the reading, so that none is missed. */
  async #follow(): Promise<void> {
    const { log } = this.#options;
    let isFailing = false;
    while (!this.#isStopped) {
      this.#hint = new AbortController();
      const { signal } = this.#hint;

      try {
        const isFull = await this.#readPage();
        if (isFailing) log.info("event log can be read again");
        isFailing = false;
        if (isFull) continue;
      } catch (error) {
        if (!isFailing && !this.#isStopped) {
          log.warn({ err: error }, "event log cannot be read, retrying");
        }
        isFailing = true;
      }

      await sleep(isFailing ? RETRY_MS : POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether more may follow at once. */
  async #readPage(): Promise<boolean> {
    const page = await readLogPage(this.#options.orm.em.fork(), this.#position, PAGE);

    if (!page.isContinuous) {
      const ids = { from: this.#position.id, newest: page.newest.id };
      this.#options.log.warn(ids, "event log went back");
      for (const subscription of this.#subscriptions) subscription.end(positionLost());
      this.#position = page.newest;
      return page.isFull;
    }

    if (page.events.length > 0) await this.#deliver(page.events);
    this.#position = page.last;
    return page.isFull;
  }

  async #deliver(events: readonly LoggedEvent[]): Promise<void> {
    const live = await this.#readLive();
    const callers = live.map(({ caller }) => caller);

    for (const logged of events) {
      const shown = callers.length === 0 ? [] : await this.present(logged, callers);
      for (const [index, event] of shown.entries()) {
        if (event === null) continue;
        const { id, mark, createdAt } = logged;
        live[index]?.subscription.push({ id, mark, createdAt, event });
      }
      this.#position = logged;

      // A thousand streams may send this event: other calls run before the next one.
      await nextTurn();
    }
  }

  /**
   * Subscriptions with their callers as they are now. Those whose session is dead end, and those
   * whose user must have a second factor by now: a stream outlives the check of the call that opened
   * it. The event of the change that requires one brings every process here.
   */
  async #readLive(): Promise<LiveSubscription[]> {
    const { orm, findLiveSessions } = this.#options;
    const subscriptions = [...this.#subscriptions];
    const credentialIds = new Set(subscriptions.map(({ caller }) => caller.credentialId));
    const callers = await findLiveSessions(orm.em.fork(), [...credentialIds]);

    const live: LiveSubscription[] = [];
    for (const subscription of subscriptions) {
      const caller = callers.get(subscription.caller.credentialId);
      if (caller === undefined) {
        subscription.end(new AppError("UNAUTHENTICATED"));
      } else if (caller.lacksSecondFactor) {
        subscription.end(new AppError("SECOND_FACTOR_REQUIRED"));
      } else {
        live.push({ subscription, caller });
      }
    }
    return live;
  }

  readonly #onAppended = () => this.#hint.abort();

  /** At once, before the call that ended the sessions is answered. */
  readonly #onSessionsEnded = (ended: SessionsEnded) => {
    for (const subscription of this.#subscriptions) {
      if (!isEndedBy(ended, subscription.caller)) continue;
      subscription.end(new AppError("UNAUTHENTICATED"));
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const { bus } = this.#options;
    this.#isStopped = true;
    bus.off("events.appended", this.#onAppended).off("sessions.ended", this.#onSessionsEnded);
    this.#hint.abort();
    await this.#reading;
  }
}
