import { expect } from "vitest";
import type { RestAnswer } from "./rest.ts";

/** Throws if a setup call fails. */
export async function assertOk(call: Promise<RestAnswer>): Promise<RestAnswer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Asserts that one call succeeded and the others failed with this error; returns the winner. */
export function onlyWinner(
  answers: readonly RestAnswer[],
  refusal: readonly [status: number, code: string],
): RestAnswer {
  const refused = answers.filter(({ status }) => status >= 300).map(({ status, data }) => [status, data.code]);
  expect(refused).toEqual(Array(answers.length - 1).fill(refusal));
  const [winner] = answers.filter(({ status }) => status < 300);
  if (winner === undefined) throw new Error("no call succeeded");
  return winner;
}
