import { appendFileSync } from "node:fs";

/** One line of the table: what was done how often, and what came of it. */
export interface Figure {
  readonly scenario: string;
  readonly database: string;
  readonly rounds: number;
  readonly outcome: string;
}

/** Says it, and keeps it for the table. Only what was measured comes here: a scenario that fails tells nothing. */
export function tell(figure: Figure): void {
  console.log(`${figure.scenario}, ${figure.database}: ${figure.rounds} × ${figure.outcome}`);
  const file = process.env.FAULT_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** For outcomes: the slowest of some times in ms, in seconds. */
export function slowest(times: readonly number[]): string {
  return `${(Math.max(0, ...times) / 1000).toFixed(1)} s`;
}
