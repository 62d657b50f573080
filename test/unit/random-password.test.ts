import { expect, it } from "vitest";
import { randomPassword } from "../../src/server/users/passwords.ts";
import { NewPassword } from "../../src/shared/passwords.ts";

/** Letters and digits without those that are easily confused. */
const CHARACTERS = 55;

it("a random password satisfies the rules, is easy to read aloud and has at least 128 bits", () => {
  const passwords = Array.from({ length: 200 }, randomPassword);
  expect(new Set(passwords).size).toBe(200);
  for (const password of passwords) {
    expect(NewPassword.safeParse(password).success).toBe(true);
    expect(password).toMatch(/^[^0O1Iilo]+$/);
    expect(password.length * Math.log2(CHARACTERS)).toBeGreaterThan(128);
  }
});
