import { AppError } from "../errors.ts";

export const MAX_KEYS = 200;

/**
 * Throws INVALID_INPUT when an object anywhere in the input has more than 200 keys. Without
 * recursion: the input may be deep.
 */
export function assertFewKeys(input: unknown): void {
  const waiting: unknown[] = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    const values: readonly unknown[] = Object.values(value);
    if (!Array.isArray(value) && values.length > MAX_KEYS) {
      throw new AppError("INVALID_INPUT", `一个 JSON 对象最多 ${MAX_KEYS} 个字段`);
    }
    // Not by spread, whose arguments are limited.
    for (const each of values) waiting.push(each);
  }
}
