interface Outcome {
  readonly scenario: string;
  readonly database: string;
  readonly rounds: number;
  readonly outcome: string;
}

/** Prints what was measured. A scenario that fails prints nothing. */
export function printOutcome({ scenario, database, rounds, outcome }: Outcome): void {
  console.log(`${scenario}, ${database}: ${rounds} × ${outcome}`);
}

/** For outcomes: the slowest of some times in ms, in seconds. */
export function slowest(times: readonly number[]): string {
  return `${(Math.max(0, ...times) / 1000).toFixed(1)} s`;
}
