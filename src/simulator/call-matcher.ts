import { requestedIds } from "./actions/describe-uhost-instance.ts";
import type { CallMatch } from "./faults.ts";

/** Decides call by call whether a rule hits, and counts. */
export interface CallMatcher {
  /** @returns how many matching calls there were, this one included, when it is hit; undefined when it is not */
  hit(params: ReadonlyMap<string, string>): number | undefined;
  /** Calls that matched, and of these the ones hit. */
  counts(): { matched: number; hit: number };
}

export function createCallMatcher(match: CallMatch, draw: () => boolean = () => true): CallMatcher {
  const from = match.nth ?? 1;
  const times = match.times ?? (match.nth === undefined ? Number.POSITIVE_INFINITY : 1);
  let matched = 0;
  let hit = 0;
  return {
    hit: (params) => {
      if (!matches(match, params)) return undefined;
      matched++;
      if (matched < from || hit >= times || !draw()) return undefined;
      hit++;
      return matched;
    },
    counts: () => ({ matched, hit }),
  };
}

function matches(match: CallMatch, params: ReadonlyMap<string, string>): boolean {
  return (
    (match.action === undefined || params.get("Action") === match.action) &&
    (match.region === undefined || params.get("Region") === match.region) &&
    (match.projectId === undefined || params.get("ProjectId") === match.projectId) &&
    (match.publicKey === undefined || params.get("PublicKey") === match.publicKey) &&
    (match.offset === undefined || Number(params.get("Offset") ?? 0) === match.offset) &&
    (match.byId === undefined || requestedIds(params).length > 0 === match.byId)
  );
}
