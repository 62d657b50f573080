import { isDatabaseAway } from "../src/server/core/database-errors.ts";
import { StartError } from "../src/server/core/start-error.ts";
import { keepHeapModest } from "../src/server/modest-heap.ts";

/** Runs an operator's command: what it cannot do is one plain line and exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  keepHeapModest();
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof StartError) console.error(error.message);
    else if (isDatabaseAway(error)) console.error(`数据库连接中断，未完成（${reasonOf(error)}）。`);
    else if (isForOperator(error)) console.error(`未完成（${reasonOf(error)}）。`);
    else console.error(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** SQLSTATE classes of what only the operator can mend: sign-in, missing database, resources, intervention; and a missing right. */
const OPERATORS = /^(28|3D|53|57|42501$)/;

function isForOperator(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return "syscall" in error || ("code" in error && typeof error.code === "string" && OPERATORS.test(error.code));
}
