import { isDatabaseUnavailable } from "../database/errors.ts";
import { StartError } from "./start-error.ts";

/** SQLSTATE classes of what only the operator can mend: sign-in, missing database, resources, intervention; and a missing right. */
const OPERATORS = /^(28|3D|53|57|42501$)/;

/** One plain line about what a program could not do, where its operator can mend that; null for a bug. */
export function operatorSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof StartError) return error.message;
  if (isDatabaseUnavailable(error)) return `数据库连接中断，未完成（${error.message}）。`;
  return isForOperator(error) ? `未完成（${error.message}）。` : null;
}

function isForOperator(error: Error): boolean {
  return "syscall" in error || ("code" in error && typeof error.code === "string" && OPERATORS.test(error.code));
}
