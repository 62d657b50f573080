import { isWorthRetrying } from "@/api/errors";

/** Times between the questions. A server that restarts is back within them. Milliseconds. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];

/**
 * Asks what became of a call whose answer was lost, again and again: the server may still be at
 * work, or not be back yet. Returns the last answer, or null when none came. `isEnough` ends the
 * questions early.
 */
export async function findOut<Answer>(
  ask: () => Promise<Answer>,
  isEnough: (answer: Answer | null) => boolean,
): Promise<Answer | null> {
  let answer: Answer | null = null;

  for (const pause of PAUSES_MS) {
    await new Promise((passed) => setTimeout(passed, pause));
    try {
      answer = await ask();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
    }
    if (isEnough(answer)) return answer;
  }
  return answer;
}
