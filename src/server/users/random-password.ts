import { randomInt } from "node:crypto";

const LENGTH = 23;
/** Without characters that are mistaken for one another when read from a screen: 0 O o, 1 I l i. */
const LOWER = "abcdefghjkmnpqrstuvwxyz";
const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const DIGITS = "23456789";

/** A password for handing over, 132 bits, that satisfies the rules for new ones. */
export function randomPassword(): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => pick(LOWER + UPPER + DIGITS)).join("");
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password;
  }
}

function pick(characters: string): string {
  return characters.charAt(randomInt(characters.length));
}
