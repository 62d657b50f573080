import type { StreamEvent } from "../../../shared/events.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../ports.ts";

export interface QueuedEvent {
  readonly id: number;
  readonly event: StreamEvent;
  /** Unix seconds; null when the log went back, which makes earlier ids void. */
  readonly createdAt: number | null;
}

export class Subscription {
  readonly caller: Caller;
  #queue: QueuedEvent[] = [];
  #isEnded = false;
  readonly #signal: AbortSignal;
  #resume: () => void = () => undefined;

  constructor(caller: Caller, signal: AbortSignal) {
    this.caller = caller;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#resume(), { once: true });
  }

  assertLive(): void {
    if (this.#isEnded) throw new AppError("UNAUTHENTICATED");
  }

  push(event: QueuedEvent): void {
    if (this.#isEnded) return;
    const last = this.#queue.at(-1);
    if (last !== undefined && isSameHint(last.event, event.event)) this.#queue.pop();
    this.#queue.push(event);
    this.#resume();
  }

  /** Drops what waits: nothing is delivered after the session ended. */
  end(): void {
    this.#isEnded = true;
    this.#queue = [];
    this.#resume();
  }

  reset(newest: number): void {
    this.#queue = [];
    this.push({ id: newest, event: ready(false), createdAt: null });
  }

  /** The next event; undefined when the signal aborted. Throws UNAUTHENTICATED when the session ended. */
  async take(): Promise<QueuedEvent | undefined> {
    if (this.#queue.length === 0 && !this.#isEnded && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resume = resolve;
      await promise;
    }
    this.assertLive();
    return this.#signal.aborted ? undefined : this.#queue.shift();
  }
}

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
