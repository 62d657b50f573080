import type { RestAnswer } from "../harness/rest.ts";

/** For what has to succeed before a story can begin. */
export async function must(call: Promise<RestAnswer>): Promise<RestAnswer> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}
