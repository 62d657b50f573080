/** Short names resemble those of other programs: HOST and HOME. */
const MIN_LENGTH = 8;

/** One line for each variable that is one typing error away from a setting that is not given. */
export function findMisspelled(given: readonly string[], settings: readonly string[]): string[] {
  const missing = settings.filter((name) => name.length >= MIN_LENGTH && !given.includes(name));
  return given
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const meant = missing.find((setting) => isOneTypoAway(name, setting));
      return meant === undefined ? [] : [`${name}: is not a setting; use ${meant}`];
    });
}

/** A character added, left out or replaced, or two neighbours exchanged. The names differ. */
function isOneTypoAway(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;

  // What lies between the beginning and the end that both names share.
  const typed = one.slice(start, one.length - end);
  const meant = other.slice(start, other.length - end);
  const isOneCharacter = typed.length <= 1 && meant.length <= 1;
  const isExchange = typed.length === 2 && typed === `${meant[1]}${meant[0]}`;
  return isOneCharacter || isExchange;
}
