import { type CallMatcher, createCallMatcher } from "./call-matcher.ts";
import type { Fault, FaultRule } from "./faults.ts";
import { createRandom } from "./random.ts";

/** A rule as it stands, with how often it matched and hit. */
export interface FaultState {
  id: string;
  rule: FaultRule;
  matched: number;
  hit: number;
}

/** A fault that hits the call at hand; `call` counts this rule's matching calls from 1. */
export interface FiredFault {
  fault: Fault;
  call: number;
}

export interface FaultRules {
  add(rule: FaultRule): string;
  remove(id: string): boolean;
  clear(): void;
  list(): FaultState[];
  /** The faults of this call, in the order their rules were added. */
  fire(params: ReadonlyMap<string, string>): FiredFault[];
}

export function createFaultRules(seed: number): FaultRules {
  const rules = new Map<string, { rule: FaultRule; matcher: CallMatcher }>();
  let added = 0;
  return {
    add: (rule) => {
      const id = `fault-${++added}`;
      const random = createRandom(seed + added);
      const { probability } = rule;
      const draw = probability === undefined ? undefined : () => random.chance(probability);
      rules.set(id, { rule, matcher: createCallMatcher(rule, draw) });
      return id;
    },
    remove: (id) => rules.delete(id),
    clear: () => rules.clear(),
    list: () => [...rules].map(([id, { rule, matcher }]) => ({ id, rule, ...matcher.counts() })),
    fire: (params) =>
      [...rules.values()].flatMap(({ rule, matcher }) => {
        const call = matcher.hit(params);
        return call === undefined ? [] : [{ fault: rule.fault, call }];
      }),
  };
}
