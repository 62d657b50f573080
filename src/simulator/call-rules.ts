import { requestedIds } from "./actions.ts";
import type { CallMatch, Fault, FaultRule } from "./faults.ts";
import { createRandom } from "./random.ts";

type Params = ReadonlyMap<string, string>;

/**
 * Counts the calls that match and returns the number of this one, from 1, when the rule hits it.
 */
export type CallCounter = (params: Params) => number | undefined;

export function createCallCounter(match: CallMatch, draw: () => boolean = () => true): CallCounter {
  const { nth, times = nth === undefined ? Number.POSITIVE_INFINITY : 1 } = match;
  let matched = 0;
  let hit = 0;
  return (params) => {
    if (!matches(match, params)) return undefined;
    matched++;
    if (matched < (nth ?? 1) || hit >= times || !draw()) return undefined;
    hit++;
    return matched;
  };
}

/** A fault that hits the current call; `call` counts the matching calls of its rule from 1. */
export interface ActiveFault {
  fault: Fault;
  call: number;
}

export type FaultRules = ReturnType<typeof createFaultRules>;

export function createFaultRules(seed: number) {
  const rules = new Map<string, { fault: Fault; count: CallCounter }>();
  let added = 0;
  return {
    /** @returns the rule's id */
    add: ({ fault, probability = 1, ...match }: FaultRule): string => {
      const id = `fault-${++added}`;
      const random = createRandom(seed + added);
      rules.set(id, { fault, count: createCallCounter(match, () => random.chance(probability)) });
      return id;
    },
    remove: (id: string): boolean => rules.delete(id),
    clear: (): void => rules.clear(),
    /** The faults of this call, in the order their rules were added. */
    hit: (params: Params): ActiveFault[] =>
      [...rules.values()].flatMap(({ fault, count }) => {
        const call = count(params);
        return call === undefined ? [] : [{ fault, call }];
      }),
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
