/**
 * Which characters nobody sees, and how they leave a text. Text that was copied from a page, a chat
 * or a table often has a zero-width space or a byte order mark at its ends: it looks right, and the
 * provider refuses the key, or a search finds nothing.
 *
 * Inside a text such characters stay. There they have a meaning: a joiner makes one emoji of
 * several, a direction mark orders Arabic beside Latin.
 */

/** Drawn as nothing and without width, or as an empty cell: not white space, which is typed. */
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}\u2800`;
const CONTROL = String.raw`\p{Cc}`;
const BLANK = String.raw`\p{White_Space}`;

/** Part of the character before them: they choose its form (❤️), or make a flag of it (🏴󠁧󠁢󠁥󠁮󠁧󠁿). */
const ATTACHED = String.raw`\p{Variation_Selector}\u{E0020}-\u{E007F}`;

const SEEN = `[^${BLANK}${CONTROL}${INVISIBLE}]`;
/** From the first character that is seen to the last one. */
const CORE = new RegExp(`${SEEN}(?:[^]*${SEEN})?[${ATTACHED}]*`, "u");
const ONLY_BLANKS = new RegExp(`^${BLANK}*$`, "u");
const EVERY_INVISIBLE = new RegExp(`(?!${BLANK})[${CONTROL}${INVISIBLE}]`, "gu");

/** The text without blanks and invisible characters around it. Empty when there is nothing else. */
export function trimText(text: string): string {
  return CORE.exec(text)?.[0] ?? "";
}

/**
 * For what is kept as it was typed: an end of the text is dropped if it holds an invisible
 * character, and kept if it is blanks alone. Empty when there is nothing to be seen.
 */
export function dropInvisibleEnds(text: string): string {
  const core = CORE.exec(text);
  if (core === null) return "";
  const before = text.slice(0, core.index);
  const after = text.slice(core.index + core[0].length);
  return `${keptEnd(before)}${core[0]}${keptEnd(after)}`;
}

function keptEnd(end: string): string {
  return ONLY_BLANKS.test(end) ? end : "";
}

/** For codes, where no invisible character has a meaning: drops every one, and keeps the blanks. */
export function dropInvisible(text: string): string {
  return text.replace(EVERY_INVISIBLE, "");
}
