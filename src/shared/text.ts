import { z } from "zod";
import { dropInvisibleEnds, trimText } from "./invisible-text.ts";
import { joinWords } from "./join-words.ts";

/** True when PostgreSQL can store the text: well-formed Unicode and no NUL. */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

const NOT_TEXT = "请输入文本";

/**
 * A string of well-formed Unicode without NUL, kept byte for byte: a password. Every other text has
 * one of the kinds below. `missing` is said of undefined and null.
 */
export function text(missing = NOT_TEXT) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : NOT_TEXT) })
    .refine(isStorableText, { error: "包含无效字符", abort: true });
}

/** Text that must hold something, be it white space. An absent field gets the same message. */
export function filledText(label: string) {
  const missing = joinWords(label, "不能为空");
  return text(missing).min(1, { error: missing, abort: true });
}

/** Text without the blanks and invisible characters around it: a key, an id, a search. */
export function trimmedText(missing?: string) {
  return text(missing).overwrite(trimText);
}

/** Trimmed text of at most `max` characters that must hold something. */
export function requiredCode(label: string, max: number) {
  const missing = joinWords(label, "不能为空");
  return trimmedText(missing).max(max, tooLong(label, max)).regex(/\S/, missing);
}

/** Trimmed text of at most `max` characters. */
export function limitedCode(label: string, max: number) {
  return trimmedText().max(max, tooLong(label, max));
}

/**
 * Text of at most `max` characters that people wrote for people, kept byte for byte but for
 * invisible characters around it. `label` names the field in the message.
 */
export function limitedText(label: string, max: number) {
  return text().overwrite(dropInvisibleEnds).max(max, tooLong(label, max));
}

/** The same for text that must hold something to be seen. */
export function requiredText(label: string, max: number) {
  const missing = joinWords(label, "不能为空");
  return text(missing)
    .overwrite(dropInvisibleEnds)
    .max(max, tooLong(label, max))
    .regex(/\S/, missing);
}

function tooLong(label: string, max: number): string {
  return joinWords(label, `最多 ${max} 个字符`);
}

/**
 * A whole number within bounds; `label` names the field in messages, where `unit` follows the
 * numbers. Without blanks around them: that is how the owner words the days of a renewal.
 */
export function wholeNumber(
  label: string,
  { min, max, unit = "" }: { min: number; max: number; unit?: string },
) {
  return z
    .int(`${label}必须是整数`)
    .min(min, `${label}至少为${min}${unit}`)
    .max(max, `${label}最多为${max}${unit}`);
}

/**
 * One of the keys of `labels`, with `wrong` as the message for anything else; the description says
 * what each key means.
 */
export function labelledEnum<Value extends string>(
  id: string,
  what: string,
  labels: Readonly<Record<Value, string>>,
  wrong?: string,
) {
  const values = Object.keys(labels).filter((value): value is Value =>
    Object.hasOwn(labels, value),
  );
  const meanings = values.map((value) => `${value} ${labels[value]}`).join("、");
  return z.enum(values, wrong).meta({ id, description: `${what}：${meanings}` });
}
