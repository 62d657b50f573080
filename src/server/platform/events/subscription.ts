import type { StreamEvent } from "../../../shared/events.ts";
import type { AppError } from "../errors.ts";
import type { Caller } from "../trpc/caller.ts";
import type { LogPosition } from "./position.ts";

/** An event as one caller may see it. */
export interface ShownEvent extends LogPosition {
  readonly event: StreamEvent;
  /** Unix seconds. */
  readonly createdAt: number;
}

/**
 * The queue between the hub, which pushes, and the stream of one caller, which takes. The hub never
 * waits for a slow stream.
 */
export class Subscription {
  readonly caller: Caller;
  #queue: ShownEvent[] = [];
  #endedWith: AppError | null = null;
  readonly #signal: AbortSignal;
  #resume: () => void = () => undefined;

  constructor(caller: Caller, signal: AbortSignal) {
    this.caller = caller;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#resume(), { once: true });
  }

  /** Throws what the subscription was ended with. */
  assertLive(): void {
    if (this.#endedWith !== null) throw this.#endedWith;
  }

  push(event: ShownEvent): void {
    if (this.#endedWith !== null) return;

    // Hints to read the same hosts again say no more than the last of them.
    const last = this.#queue.at(-1);
    if (last !== undefined && isSameHint(last.event, event.event)) this.#queue.pop();

    this.#queue.push(event);
    this.#resume();
  }

  /** Drops what waits: nothing is delivered afterwards. */
  end(reason: AppError): void {
    this.#endedWith ??= reason;
    this.#queue = [];
    this.#resume();
  }

  /**
   * The oldest event, as soon as there is one; null when the subscriber hung up or this process
   * stops. Throws what the subscription was ended with.
   */
  async take(): Promise<ShownEvent | null> {
    const isWaiting = this.#queue.length === 0 && this.#endedWith === null;
    if (isWaiting && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resume = resolve;
      await promise;
    }

    this.assertLive();
    return this.#signal.aborted ? null : (this.#queue.shift() ?? null);
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
