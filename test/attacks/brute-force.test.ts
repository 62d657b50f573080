import { describe, expect, it } from "vitest";
import { PASSWORD, useApp } from "../harness/app.ts";

const HEADERS = [
  "x-forwarded-for",
  "forwarded",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-originating-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "via",
] as const;
const TRIES = 120;

describe.each([
  // All guesses come from one address.
  ["nobody's forwarded headers are believed", false, 10],
  // Each guess comes from an address of its own.
  ["one proxy is believed", 1, 100],
  ["the networks of proxies are believed", ["loopback"], 100],
] as const)("a password guesser who changes the client address each time, where %s", (_how, trustProxy, most) => {
  const app = useApp({
    config: { trustProxy: typeof trustProxy === "object" ? [...trustProxy] : trustProxy },
  });

  async function guess(username: string, attempt: number, password = `Wrong${attempt}Password`): Promise<number> {
    const address = `203.0.${attempt % 256}.${(attempt * 7) % 256}`;
    const forged = HEADERS.map((name) => [name, name === "forwarded" ? `for=${address}` : address]);
    const headers = { "content-type": "application/json", ...Object.fromEntries(forged) };
    const body = JSON.stringify({ username, password });
    return (await app.anonymous.raw("POST", "/api/auth/login", { headers, body })).status;
  }

  it(`is blocked after ${most} guesses over REST and tRPC together, whatever the case of the name`, async () => {
    const { username } = await app.account("client");
    const seen: number[] = [];
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const name = attempt % 3 === 0 ? username.toUpperCase() : username;
      if (attempt % 2 === 0) seen.push(await guess(name, attempt));
      else {
        const headers = { "content-type": "application/json", "x-forwarded-for": `198.51.100.${attempt}` };
        const body = JSON.stringify({ username: name, password: "Wrong1Password" });
        seen.push((await app.anonymous.raw("POST", "/trpc/auth.login", { headers, body })).status);
      }
    }
    expect(seen).toEqual([...Array(most).fill(401), ...Array(TRIES - most).fill(429)]);
    expect(await guess(username, 1, PASSWORD)).toBe(429);
    expect(await guess("root", 1, PASSWORD)).toBe(200);
  });

  it("is blocked even when the guesses are sent in batches", async () => {
    const { username } = await app.account("client");
    const calls = Array.from({ length: 20 }, (_, n) => [n, { username, password: `Wrong${n}Password` }]);
    const answer = await app.anonymous.raw("POST", `/trpc/${Array(20).fill("auth.login").join(",")}?batch=1`, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(Object.fromEntries(calls)),
    });
    const codes: unknown[] = answer.data.map((each: { error: { data: { code: string } } }) => each.error.data.code);
    expect(codes.filter((code) => code === "LOGIN_FAILED").length).toBeLessThanOrEqual(10);
    expect(await guess(username, 1, PASSWORD)).toBe(trustProxy === false ? 429 : 200);
  });
});
