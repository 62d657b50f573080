/** `unavailable`: the region is closed to the account, or its project is unknown to the provider. */
export type Reading = "complete" | "empty" | "incomplete" | "unavailable";

/** Result of asking for a partition's missing hosts by id. `absent`: the provider knows none of them. */
export type LookUp = "absent" | "found" | "inconclusive" | "not-asked";

export type Verdict = "keep" | "hold" | "gone";

export interface Evidence {
  readonly reading: Reading;
  readonly lookUp: LookUp;
  /** When the host was first held, in Unix seconds; null when it is not held. */
  readonly missingSince: number | null;
  /** Unix seconds. */
  readonly now: number;
}

/** How long a partition must stay empty before its hosts are gone, in seconds. */
export const EMPTY_CONFIRM_SECONDS = 600;
const MASS_REMOVAL = { hosts: 5, share: 0.3 } as const;

/** Decides about a host that did not appear in its partition. */
export function judgeMissingHost({ reading, lookUp, missingSince, now }: Evidence): Verdict {
  if (reading === "unavailable") return "hold";
  if (reading === "incomplete" || lookUp !== "absent") return "keep";
  if (reading === "complete") return "gone";
  return missingSince !== null && now - missingSince >= EMPTY_CONFIRM_SECONDS ? "gone" : "hold";
}

/** Whether so many hosts would vanish at once that a wrong key or permission is more likely. */
export function isMassRemoval(gone: number, presentBefore: number): boolean {
  return gone >= MASS_REMOVAL.hosts && gone > presentBefore * MASS_REMOVAL.share;
}
