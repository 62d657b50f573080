import type { RestAnswer } from "./rest.ts";

/** Throws if a setup call fails. */
export async function must(call: Promise<RestAnswer>): Promise<RestAnswer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}
