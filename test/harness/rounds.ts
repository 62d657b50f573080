import { expect } from "vitest";
import type { RestAnswer } from "./rest.ts";

/** Number of rounds per race. */
export const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3);
export const CALLERS = 20;
/** Timeout for all rounds of one race, in ms. */
export const RACE_LIMIT = 60_000 + ROUNDS * 4_000;

/** Runs the race once per round. */
export async function eachRound(race: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) await race(round);
}

/** Runs twenty calls concurrently, each with its index. */
export async function atOnce(call: (index: number) => Promise<RestAnswer>): Promise<RestAnswer[]> {
  return await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(index)));
}

/** Asserts that one call succeeded and the others failed with this error; returns the winner. */
export function onlyWinner(
  answers: readonly RestAnswer[],
  refusal: readonly [status: number, code: string],
): RestAnswer {
  const winners = answers.filter(({ status }) => status < 300);
  const refused = answers.filter(({ status }) => status >= 300).map(({ status, data }) => [status, data.code]);
  expect(winners).toHaveLength(1);
  expect(refused).toEqual(Array(answers.length - 1).fill(refusal));
  const [winner] = winners;
  if (winner === undefined) throw new Error("nobody won");
  return winner;
}
