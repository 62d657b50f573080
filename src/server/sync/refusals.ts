import type { ProviderFailure, ProviderFailureKind } from "../provider/failure.ts";
import { regionPhrase } from "./halt.ts";
import type { Place } from "./rules.ts";
import { failureEntry, type RunContext } from "./run-context.ts";

/** These are about the key, wherever they are met. */
const OF_THE_KEY: readonly ProviderFailureKind[] = ["unauthorized", "ip-refused"];

/** Where a key was refused. */
export interface Refusal {
  readonly place: Place;
  readonly failure: ProviderFailure;
}

export function isOfTheKey({ kind }: ProviderFailure): boolean {
  return OF_THE_KEY.includes(kind);
}

/** A key that was refused while the run went on is refused everywhere: that is told once, and what could not be read for it. */
export function explainRefusals({ progress }: RunContext, refusals: readonly Refusal[]): void {
  for (const [message, alike] of Map.groupBy(refusals, ({ failure }) => failure.message)) {
    const [first, other] = [...new Map(alike.map((one) => [one.place, one])).values()];
    if (first === undefined) continue;
    if (other === undefined) {
      progress.addError(failureEntry(first.failure, first.place));
      continue;
    }
    const unread = `未能读取 ${regionPhrase(alike.map(({ place }) => place))}，其中的主机保持原状`;
    progress.addError({ ...failureEntry(first.failure, null), message: `${message}；${unread}` });
  }
}
