import { z } from "zod";

/** True when PostgreSQL can store the text: well-formed Unicode and no NUL. */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

/** A string as every input takes it: well-formed Unicode without NUL, kept byte for byte. */
export function text() {
  return z.string("请输入文本").refine(isStorableText, { error: "包含无效字符", abort: true });
}

/** Text of at most `max` characters; `label` names the field in the sentence. */
export function limitedText(label: string, max: number) {
  return text().max(max, `${label}最多${max}个字符`);
}

/** Text that must hold something besides white space. */
export function requiredText(label: string, max: number) {
  return limitedText(label, max).refine((value) => value.trim() !== "", { error: `${label}不能为空` });
}

/** Optional text where an empty string and null mean "unset". */
export function optionalText(label: string, max: number) {
  return limitedText(label, max).nullish();
}
