/**
 * Why a run ends before its work is done: somebody cancelled it, this process stops, it took too long, or it is no longer ours
 * (its lease ran out, or its configuration was removed).
 */
export type StopKind = "cancelled" | "shutdown" | "timeout" | "lease-lost";

/** The reason of a run's AbortSignal. */
export class RunStopped extends Error {
  readonly kind: StopKind;

  constructor(kind: StopKind) {
    super(`sync run stopped: ${kind}`);
    this.name = "RunStopped";
    this.kind = kind;
  }
}
