import { AppError } from "../core/errors.ts";

export const MAX_DEPTH = 32;
export const MAX_KEYS = 200;

/**
 * Throws INVALID_INPUT when JSON text nests too deep or has an object with too many keys. One pass without recursion, so that it may run
 * before the text is parsed. Malformed text may pass; the parser refuses it.
 */
export function assertBoundedJson(text: string): void {
  /** Keys of the open object at each depth. */
  const keys: number[] = [0];
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      depth++;
      if (depth > MAX_DEPTH) throw new AppError("INVALID_INPUT", `JSON 嵌套不能超过${MAX_DEPTH}层`);
      keys[depth] = 0;
    } else if (character === "}" || character === "]") depth = Math.max(0, depth - 1);
    else if (character === ":") {
      const count = (keys[depth] ?? 0) + 1;
      if (count > MAX_KEYS) throw new AppError("INVALID_INPUT", `一个 JSON 对象最多${MAX_KEYS}个字段`);
      keys[depth] = count;
    }
  }
}
