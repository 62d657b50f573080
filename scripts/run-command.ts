import { operatorSentence } from "../src/server/core/operator-sentence.ts";

/** Runs an operator's command: what it cannot do is one plain line and exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    console.error(operatorSentence(error) ?? error);
  }
}
