import argon2 from "argon2";
import { describe, expect, it } from "vitest";
import { createPasswordHasher } from "../../src/server/auth/password-hasher.ts";

describe("password hashes", () => {
  it("are argon2id with 19 MiB, two passes and one lane, and differ for the same password", async () => {
    const passwords = createPasswordHasher({ concurrency: 2, maxWaiting: 10 });
    const [one, other] = await Promise.all([passwords.hash("Correct1Horse"), passwords.hash("Correct1Horse")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify(one, "Correct1Horse")).toBe(true);
    expect(await passwords.verify(one, "Correct1horse")).toBe(false);
    expect(passwords.needsRehash(one)).toBe(false);
  });

  it("are understood by the reference implementation, and its by them: databases outlive the package that hashed", async () => {
    const passwords = createPasswordHasher({ concurrency: 2, maxWaiting: 10 });
    const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
    for (const password of ["Correct1Horse", "密码Aa1 🔑", `Aa1${"x".repeat(125)}`]) {
      const own = await passwords.hash(password);
      expect(await argon2.verify(own, password)).toBe(true);
      expect(await argon2.verify(own, `${password}.`)).toBe(false);
      const theirs = await argon2.hash(password, { ...cost, type: argon2.argon2id });
      expect(await passwords.verify(theirs, password)).toBe(true);
      expect(await passwords.verify(theirs, `${password}.`)).toBe(false);
      expect(passwords.needsRehash(theirs)).toBe(false);
    }
  });

  it("of long passwords that differ only at the end are told apart", async () => {
    const passwords = createPasswordHasher({ concurrency: 2, maxWaiting: 10 });
    const long = `Aa1${"x".repeat(124)}`;
    const hash = await passwords.hash(`${long}1`);
    expect(await passwords.verify(hash, `${long}2`)).toBe(false);
  });

  it("made with weaker parameters are to be renewed, stronger ones are not", async () => {
    const passwords = createPasswordHasher({ concurrency: 1, maxWaiting: 10 });
    const make = (memoryCost: number, timeCost: number) =>
      argon2.hash("Correct1Horse", { type: argon2.argon2id, memoryCost, timeCost, parallelism: 1 });
    expect(passwords.needsRehash(await make(8_192, 2))).toBe(true);
    expect(passwords.needsRehash(await make(19_456, 1))).toBe(true);
    expect(passwords.needsRehash(await make(32_768, 3))).toBe(false);
    expect(
      passwords.needsRehash(await argon2.hash("x", { type: argon2.argon2i, memoryCost: 32_768, timeCost: 3 })),
    ).toBe(true);
  });

  it("for nobody cost a verification and match nothing", async () => {
    const passwords = createPasswordHasher({ concurrency: 1, maxWaiting: 10 });
    await expect(passwords.verifyNothing("Correct1Horse")).resolves.toBeUndefined();
  });

  it("are refused with 429 beyond the queue, and taken again once it is empty", async () => {
    const passwords = createPasswordHasher({ concurrency: 1, maxWaiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => passwords.verifyNothing("x")));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "TOO_MANY_REQUESTS", retryAfter: 2 });
    await expect(passwords.verifyNothing("x")).resolves.toBeUndefined();
  });
});
