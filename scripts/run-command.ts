import { operatorSentence } from "../src/server/core/operator-sentence.ts";
import { keepHeapModest } from "../src/server/modest-heap.ts";

/** Runs an operator's command: what it cannot do is one plain line and exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  keepHeapModest();
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    console.error(operatorSentence(error) ?? error);
  }
}
