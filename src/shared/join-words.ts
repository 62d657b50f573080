const MIXED = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;

/** Parts of a Chinese sentence, with a blank where Chinese meets Latin letters or digits. */
export function joinWords(before: string, after: string): string {
  const joint = `${before.slice(-1)}${after.slice(0, 1)}`;
  return MIXED.test(joint) ? `${before} ${after}` : `${before}${after}`;
}
