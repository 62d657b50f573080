import type { StreamEvent } from "../../../shared/events.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../trpc/caller.ts";
import type { LogPosition } from "./position.ts";

/** An event as one caller may see it. */
export interface ShownEvent extends LogPosition {
  readonly event: StreamEvent;
  /** Unix seconds. */
  readonly createdAt: number;
}

type QueueEntry =
  | ({ readonly kind: "event" } & ShownEvent)
  /** The log is not the one it was: ids of earlier events mean nothing now. */
  | { readonly kind: "log-went-back"; readonly newest: LogPosition };

/** What `take` answers. `aborted`: the subscriber hung up, or this process stops. */
type Taken = QueueEntry | { readonly kind: "aborted" };

/**
 * The queue between the hub, which pushes, and the stream of one caller, which takes. The hub never
 * waits for a slow stream.
 */
export class Subscription {
  readonly caller: Caller;
  #queue: QueueEntry[] = [];
  #isEnded = false;
  readonly #signal: AbortSignal;
  #resume: () => void = () => undefined;

  constructor(caller: Caller, signal: AbortSignal) {
    this.caller = caller;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#resume(), { once: true });
  }

  /** Throws UNAUTHENTICATED when the session of the caller ended. */
  assertLive(): void {
    if (this.#isEnded) throw new AppError("UNAUTHENTICATED");
  }

  push(event: ShownEvent): void {
    if (this.#isEnded) return;

    // Hints to read the same hosts again say no more than the last of them.
    const last = this.#queue.at(-1);
    if (last?.kind === "event" && isSameHint(last.event, event.event)) this.#queue.pop();

    this.#queue.push({ kind: "event", ...event });
    this.#resume();
  }

  /** Drops what waits: nothing is delivered after the session ended. */
  end(): void {
    this.#isEnded = true;
    this.#queue = [];
    this.#resume();
  }

  /** Drops what waits: it is from the log as it was before it went back. */
  restartAt(newest: LogPosition): void {
    if (this.#isEnded) return;

    this.#queue = [{ kind: "log-went-back", newest }];
    this.#resume();
  }

  /** The oldest entry, as soon as there is one. Throws UNAUTHENTICATED when the session ended. */
  async take(): Promise<Taken> {
    if (this.#queue.length === 0 && !this.#isEnded && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resume = resolve;
      await promise;
    }

    this.assertLive();
    const next = this.#signal.aborted ? undefined : this.#queue.shift();
    return next ?? { kind: "aborted" };
  }
}

/** The first event of a stream. `resumed` is false when the receiver must read everything again. */
export function ready(resumed: boolean): StreamEvent {
  return { type: "stream.ready", data: { resumed } };
}

function isSameHint(one: StreamEvent, other: StreamEvent): boolean {
  return (
    one.type === "hosts.changed" &&
    other.type === "hosts.changed" &&
    one.data.configId === other.data.configId
  );
}
