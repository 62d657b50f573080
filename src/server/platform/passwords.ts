import { randomInt } from "node:crypto";
import { NewPassword } from "../../shared/passwords.ts";
import commonPasswords from "./common-passwords.json" with { type: "json" };
import { invalidField } from "./errors.ts";

/** 3,000 in lower case that satisfy the rules in some spelling. */
const COMMON = new Set(commonPasswords);
const RANDOM_LENGTH = 23;
/** Without characters that are easily confused: 0 O o, 1 I l i. */
const CHARACTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase());
}

export function assertUncommon(field: string, password: string): void {
  if (isCommonPassword(password))
    throw invalidField(field, "该密码过于常见，请更换一个更复杂的密码");
}

export function randomPassword(): string {
  for (;;) {
    const picked = Array.from({ length: RANDOM_LENGTH }, () =>
      CHARACTERS.charAt(randomInt(CHARACTERS.length)),
    );
    const password = picked.join("");
    if (NewPassword.safeParse(password).success) return password;
  }
}
