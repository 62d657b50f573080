import type { ObservedCall } from "../provider/client.ts";
import type { ProviderFailure } from "../provider/failure.ts";

/** The trouble of fewer regions than these is their own, unless there are no others. */
const MANY_REGIONS = 3;
/** Calls given up in a row without which nothing is believed, as many as go out at once. */
const MANY_CALLS = 5;

/**
 * What a run knows of a provider that says nothing any more. Every answer ends the silence, a refusal and HTTP 503 as well: only
 * time-outs, broken connections, names that do not resolve and failed handshakes are none.
 */
export interface Silence {
  /** Every try of every call of the run. */
  hear(call: ObservedCall): void;
  /** These are to be read. */
  expect(regions: readonly string[]): void;
  /** Nothing more is wanted of this region. */
  leave(region: string): void;
  /** A call was given up. */
  giveUp(region: string, failure: ProviderFailure): void;
  /** A region is asked only to hear whether anybody answers. */
  probe(region: string): void;
  /** Perhaps nobody answers, wherever one asks. */
  isSuspected(): boolean;
  /** There are regions that were not asked since the last answer, and this is none of them. */
  isTurnOfOthers(region: string): boolean;
  /** No region answers, however it is asked, and that for so long that only one more question is worth its while. */
  isProven(): boolean;
  /** Somebody wants to hear when there may be nothing to suspect any more. */
  onChange(listener: () => void): void;
}

/**
 * `limitMs`: how long nobody may have answered before that is proven; less where it would take less to ask every region in vain, for a
 * run is not to last longer by it.
 */
export function createSilence(limitMs: number): Silence {
  const left = new Set<string>();
  /** Since the last answer: regions that were asked, and those of them whose call was given up. */
  const asked = new Set<string>();
  const mute = new Set<string>();
  let regions = 0;
  let callsGivenUp = 0;
  /** When the first of the calls that got no answer was begun, as `performance.now()` tells it. */
  let since: number | null = null;
  let provenAfterMs = limitMs;
  let tell: () => void = () => undefined;

  function end(): void {
    const wasSuspected = isSuspected();
    since = null;
    callsGivenUp = 0;
    asked.clear();
    mute.clear();
    if (wasSuspected) tell();
  }

  function silentMs(): number {
    return since === null ? 0 : performance.now() - since;
  }

  function isSuspected(): boolean {
    return callsGivenUp > 0 && left.size >= Math.min(MANY_REGIONS, regions);
  }

  return {
    hear({ outcome, retCode, ms }) {
      if (outcome === "aborted" || outcome === "bug") return;
      if (isSilent(outcome, retCode)) since ??= performance.now() - ms;
      else end();
    },
    expect(expected) {
      for (const region of expected) left.add(region);
      regions = left.size;
    },
    leave(region) {
      left.delete(region);
      tell();
    },
    giveUp(region, { kind, retCode }) {
      if (!isSilent(kind, retCode)) return;
      if (callsGivenUp === 0) provenAfterMs = Math.min(limitMs, silentMs() * (1 + Math.ceil(left.size / MANY_CALLS)));
      callsGivenUp += 1;
      asked.add(region);
      mute.add(region);
    },
    probe(region) {
      asked.add(region);
    },
    isSuspected,
    isTurnOfOthers: (region) => asked.has(region) && !isWithin(left, asked),
    isProven() {
      return silentMs() >= provenAfterMs && callsGivenUp >= MANY_CALLS && isWithin(left, mute);
    },
    onChange(listener) {
      tell = listener;
    },
  };
}

function isWithin(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const one of some) if (!others.has(one)) return false;
  return true;
}

/** A RetCode is an answer, even one that tells of a time-out. */
export function isSilent(outcome: ObservedCall["outcome"], retCode: number | null): boolean {
  if (retCode !== null) return false;
  return outcome === "timeout" || outcome === "network" || outcome === "dns" || outcome === "tls";
}
