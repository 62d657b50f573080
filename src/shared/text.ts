import { z } from "zod";

/** True when PostgreSQL can store the text: well-formed Unicode and no NUL. */
export function isStorableText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

const NOT_TEXT = "请输入文本";

/** A string as every input takes it: well-formed Unicode without NUL, kept byte for byte. `missing` is said of undefined and null. */
export function text(missing = NOT_TEXT) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? missing : NOT_TEXT) })
    .refine(isStorableText, { error: "包含无效字符", abort: true });
}

/** Text that must hold something, be it white space. An absent field gets the same message. */
export function filledText(label: string) {
  const missing = `${label}不能为空`;
  return text(missing).min(1, { error: missing, abort: true });
}

/** Text of at most `max` characters; `label` names the field in the message. */
export function limitedText(label: string, max: number) {
  return text().max(max, tooLong(label, max));
}

/** Text that must hold something besides white space. */
export function requiredText(label: string, max: number) {
  const missing = `${label}不能为空`;
  return text(missing).max(max, tooLong(label, max)).regex(/\S/, missing);
}

function tooLong(label: string, max: number): string {
  return `${label}最多${max}个字符`;
}

/** A whole number within bounds; `label` names the field in messages, where `unit` follows the numbers. */
export function wholeNumber(label: string, { min, max, unit = "" }: { min: number; max: number; unit?: string }) {
  return z.int(`${label}必须是整数`).min(min, `${label}至少为${min}${unit}`).max(max, `${label}最多为${max}${unit}`);
}

/** One of the keys of `labels`, with `wrong` as the message for anything else; the description says what each key means. */
export function labelledEnum<Value extends string>(
  id: string,
  what: string,
  labels: Readonly<Record<Value, string>>,
  wrong?: string,
) {
  const values = Object.keys(labels).filter((value): value is Value => Object.hasOwn(labels, value));
  const meanings = values.map((value) => `${value} ${labels[value]}`).join("、");
  return z.enum(values, wrong).meta({ id, description: `${what}：${meanings}` });
}
