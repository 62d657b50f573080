import { requestedIds } from "./actions.ts";
import type { CallMatch, Fault, FaultRule } from "./faults.ts";

type Params = ReadonlyMap<string, string>;

/** Counts the calls that match, and returns whether the rule hits this one. */
export type CallCounter = (params: Params) => boolean;

export function createCallCounter(match: CallMatch): CallCounter {
  const { nth, times = nth === undefined ? Number.POSITIVE_INFINITY : 1 } = match;
  let matched = 0;
  let hit = 0;
  return (params) => {
    if (!matches(match, params)) return false;
    matched++;
    if (matched < (nth ?? 1) || hit >= times) return false;
    hit++;
    return true;
  };
}

export type FaultRules = ReturnType<typeof createFaultRules>;

export function createFaultRules() {
  const rules = new Map<string, { fault: Fault; isHit: CallCounter }>();
  let added = 0;
  return {
    /** @returns the rule's id */
    add: ({ fault, ...match }: FaultRule): string => {
      const id = `fault-${++added}`;
      rules.set(id, { fault, isHit: createCallCounter(match) });
      return id;
    },
    remove: (id: string): boolean => rules.delete(id),
    clear: (): void => rules.clear(),
    /** The faults of this call, in the order their rules were added. */
    hit: (params: Params): Fault[] =>
      // Every rule has to count the call.
      [...rules.values()].filter(({ isHit }) => isHit(params)).map(({ fault }) => fault),
  };
}

function matches(match: CallMatch, params: Params): boolean {
  return (
    (match.action === undefined || params.get("Action") === match.action) &&
    (match.region === undefined || params.get("Region") === match.region) &&
    (match.projectId === undefined || params.get("ProjectId") === match.projectId) &&
    (match.publicKey === undefined || params.get("PublicKey") === match.publicKey) &&
    (match.offset === undefined || Number(params.get("Offset") ?? 0) === match.offset) &&
    (match.byId === undefined || requestedIds(params).length > 0 === match.byId)
  );
}
