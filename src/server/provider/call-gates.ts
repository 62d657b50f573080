// What services ask for; the provider's client has the implementation.

/** Who waits for a provider call: a person in front of a screen, or a job. */
export type CallPriority = "person" | "background";

export interface TurnOptions {
  readonly priority: CallPriority;
  readonly signal: AbortSignal;
  readonly maxPauseMs: number;
}

/** Limits the provider calls of one key: how many at once, and a pause that all of them keep. */
export interface CallGate {
  /**
   * Rejects with the signal's reason, or with the pause's failure when more than `maxPauseMs` of
   * the pause are left.
   */
  run<T>(task: () => Promise<T>, options: TurnOptions): Promise<T>;
  /**
   * No task starts before `at` (`clock.monotonic()`). `failure` makes what a call fails with that
   * does not wait so long.
   */
  pauseUntil(at: number, failure: (leftMs: number) => Error): void;
}

export interface CallGates {
  of(key: { readonly apiUrl: string; readonly publicKey: string }): CallGate;
}
