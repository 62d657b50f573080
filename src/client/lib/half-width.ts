import { dropInvisible } from "../../shared/invisible-text.ts";

/**
 * How the console writes what people type into a field of codes: full-width letters and digits,
 * which an input method leaves behind, are written half-width, as the server wants them.
 */

/** For numbers, ids, keys, usernames and addresses. */
export function halfWidthCode(typed: string): string {
  return dropInvisible(typed.normalize("NFKC"));
}

/** Letters, digits, the marks of ids and addresses, and the blank. */
const FULL_WIDTH = /[０-９Ａ-Ｚａ-ｚ．－＿＠／＋]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/**
 * For searches. Names are stored as they were typed: full-width brackets, commas and other Chinese
 * punctuation stay, or 测试（一） would not be found.
 */
export function halfWidthSearch(typed: string): string {
  return typed
    .replace(FULL_WIDTH, (character) =>
      String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET),
    )
    .replaceAll("\u3000", " ");
}

/**
 * What people who are called are searched by: a number as it is written or pasted
 * (`+86 138-0013-8000`) is found by its digits, anything else as it was typed.
 */
export function personSearch(typed: string): string {
  const digits = phoneDigits(typed);
  return PART_OF_NUMBER.test(digits) ? digits : typed;
}

/** Long enough not to be the number of a house in a name. */
const PART_OF_NUMBER = /^1[3-9]\d{5,9}$/;
const SEPARATORS = /[\s\p{Pd}\u2212()]/gu;
/** The code of the mainland before a complete number. */
const COUNTRY_CODE = /^(?:\+|00)?86(?=1\d{10}$)/;

/** A mainland mobile number as people write it (`+86 138-0013-8000`), in digits alone. */
export function phoneDigits(typed: string): string {
  return halfWidthCode(typed).replace(SEPARATORS, "").replace(COUNTRY_CODE, "");
}
