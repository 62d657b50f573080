import { setImmediate } from "node:timers/promises";
import argon2 from "argon2";
import { describe, expect, it } from "vitest";
import { createPasswordHasher } from "../../src/server/modules/auth/password-hasher.ts";
import { randomPassword } from "../../src/server/platform/passwords.ts";
import { NewPassword } from "../../src/shared/passwords.ts";

const LIMITS = { concurrency: 2, maxWaiting: 10 } as const;
const WEAK = { memoryCost: 64, timeCost: 1 } as const;

describe("password hashes", () => {
  it("are argon2id with 19 MiB, two passes and one lane, each with its salt", async () => {
    const passwords = createPasswordHasher(LIMITS);
    const [one, other] = await Promise.all([
      passwords.hash("Correct1Horse"),
      passwords.hash("Correct1Horse"),
    ]);
    const [, type, version, parameters = ""] = one.split("$");

    expect([type, version, ...parameters.split(",").toSorted()]).toEqual([
      "argon2id",
      "v=19",
      "m=19456",
      "p=1",
      "t=2",
    ]);
    expect(one).not.toBe(other);
    expect(await passwords.verify(one, "Correct1Horse")).toBe(true);
    expect(await passwords.verify(one, "Correct1horse")).toBe(false);
    expect(passwords.needsRehash(one)).toBe(false);
  });

  it("need no rehash when an earlier version wrote the parameters in another order", () => {
    const digest = "9qPpwfbAbURViJ1LGDNiRQ$2cye1F7ulXT5dpakaCFleAPD40v1b8wRjU31IdsP2TE";

    expect(
      createPasswordHasher(LIMITS).needsRehash(`$argon2id$v=19$m=19456,t=2,p=1$${digest}`),
    ).toBe(false);
  });

  it("need a rehash when made with other parameters, weaker or stronger", async () => {
    const passwords = createPasswordHasher(LIMITS);
    const make = (memoryCost: number, timeCost: number, type: 1 | 2 = argon2.argon2id) =>
      argon2.hash("Correct1Horse", { type, memoryCost, timeCost, parallelism: 1 });

    const made = await Promise.all([
      make(8_192, 2),
      make(19_456, 1),
      make(32_768, 3),
      make(19_456, 2, argon2.argon2i),
    ]);

    expect(made.map((hash) => passwords.needsRehash(hash))).toEqual(made.map(() => true));
  });
});

describe("the queue of password hashes", () => {
  it("rejects with 429 beyond its capacity and accepts again once it is empty", async () => {
    const passwords = createPasswordHasher({ concurrency: 1, maxWaiting: 2, cost: WEAK });
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => passwords.verify(null, "x")),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(3);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: "TOO_MANY_REQUESTS", retryAfter: 2 });
    expect(await passwords.verify(null, "x")).toBe(false);
  });

  it("frees the place of the address whose hash begins, and of no other", async () => {
    const passwords = createPasswordHasher({ concurrency: 1, maxWaiting: 8, cost: WEAK });
    const [, second] = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"].map((ip) =>
      passwords.verify(null, "x", ip),
    );
    await second;
    await setImmediate();
    // Two of the first address may wait; its third hash has begun.
    await Promise.all(["192.0.2.1", "192.0.2.1"].map((ip) => passwords.verify(null, "x", ip)));
  });

  it("gives one address a quarter of its capacity, so others wait for few hashes", async () => {
    const passwords = createPasswordHasher({ concurrency: 2, maxWaiting: 50, cost: WEAK });
    const order: string[] = [];
    const verify = (name: string, ip: string) =>
      passwords.verify(null, "x", ip).then(() => order.push(name));
    const flood = Array.from({ length: 80 }, (_, n) => verify("flood", `2001:db8:1:2::${n + 1}`));
    const others = Array.from({ length: 10 }, (_, n) => verify("other", `198.51.100.${n}`));
    const results = await Promise.allSettled(flood);

    await Promise.all(others);

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(14);
    expect(order.filter((name) => name === "other")).toHaveLength(10);
    // Two hashes run at once: another address begins when the thirteenth of the flood has finished.
    expect(order.slice(0, 13)).toEqual(Array(13).fill("flood"));
  });
});

it("a random password satisfies the rules, is easy to read and has 128 bits", () => {
  const passwords = Array.from({ length: 200 }, randomPassword);
  expect(new Set(passwords).size).toBe(200);
  for (const password of passwords) {
    expect(NewPassword.safeParse(password).success).toBe(true);
    expect(password).toMatch(/^[^0O1Iilo]+$/);
    // 55 letters and digits are left.
    expect(password.length * Math.log2(55)).toBeGreaterThan(128);
  }
});
