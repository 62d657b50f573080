import type { StreamEvent } from "../../shared/events.ts";
import type { Caller } from "../core/ports.ts";

export interface QueuedEvent {
  readonly id: number;
  readonly event: StreamEvent;
  /** Unix seconds; null for events that are not of the log. */
  readonly createdAt: number | null;
  /** The log went back: ids so far mean nothing any more. */
  readonly isReset?: boolean;
}

/** Events on their way to one stream. */
export class Subscription {
  readonly caller: Caller;
  #queue: QueuedEvent[] = [];
  #isEnded = false;
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(caller: Caller, signal: AbortSignal) {
    this.caller = caller;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** The session of the caller ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  push(event: QueuedEvent): void {
    if (this.#isEnded) return;
    const last = this.#queue.at(-1);
    // A burst of the same hint is one hint.
    if (last !== undefined && isSameHint(last.event, event.event)) this.#queue.pop();
    this.#queue.push(event);
    this.#wake();
  }

  /** Drops what waits: nothing is delivered after the session ended. */
  end(): void {
    this.#isEnded = true;
    this.#queue = [];
    this.#wake();
  }

  reset(newest: number): void {
    this.#queue = [];
    this.push({ id: newest, event: ready(false), createdAt: null, isReset: true });
  }

  /** The next event; undefined when the session ended or the signal aborted. */
  async take(): Promise<QueuedEvent | undefined> {
    if (this.#queue.length === 0 && !this.#isEnded && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    return this.#signal.aborted ? undefined : this.#queue.shift();
  }
}

/** Its id is a place to resume from. */
export function ready(resumed: boolean): StreamEvent {
  return { type: "stream.ready", data: { resumed } };
}

function isSameHint(one: StreamEvent, other: StreamEvent): boolean {
  return one.type === "hosts.changed" && other.type === "hosts.changed" && one.data.configId === other.data.configId;
}
