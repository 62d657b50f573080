import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { PASSWORD } from "../harness/root-user.ts";

/** Headers in which proxies name the address of a client. */
const HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];
const PATHS = ["/api/auth/login", "/trpc/auth.login"];

describe.each<[how: string, trustProxy: false | number | string[], most: number]>([
  // All guesses count for one address.
  ["nobody's forwarded headers are believed", false, 10],
  // Each guess counts for an address of its own.
  ["the networks of proxies are believed", ["loopback"], 100],
])("a password guesser who changes the client address each time, where %s", (_how, trustProxy, most) => {
  const app = useApp({ config: { trustProxy } });

  it(`is blocked after ${most} guesses over REST and tRPC together, whatever the case of the name`, async () => {
    const { username } = await app.account("client");
    const guess = async (name: string, attempt: number, password = "Wrong1Password") => {
      const address = `203.0.${attempt}.${(attempt * 7) % 256}`;
      const forged = HEADERS.map((header) => [header, header === "forwarded" ? `for=${address}` : address]);
      const headers = { "content-type": "application/json", ...Object.fromEntries(forged) };
      const body = JSON.stringify({ username: name, password });
      return (await app.anonymous.raw("POST", PATHS[attempt % 2] ?? "", { headers, body })).status;
    };
    const seen: number[] = [];
    for (let attempt = 0; attempt < most + 5; attempt++) {
      seen.push(await guess(attempt % 3 === 0 ? username.toUpperCase() : username, attempt));
    }
    expect(seen).toEqual([...Array(most).fill(401), ...Array(5).fill(429)]);
    expect(await guess(username, 1, PASSWORD)).toBe(429);
    expect(await guess("root", 1, PASSWORD)).toBe(200);
  });
});

describe("a password guesser who sends guesses in batches", () => {
  const app = useApp();

  it("is blocked after ten guesses", async () => {
    const { username } = await app.account("client");
    const guesses = Array.from({ length: 20 }, (_, n) => [n, { username, password: `Wrong${n}Password` }]);
    const path = `/trpc/${Array(20).fill("auth.login").join(",")}?batch=1`;
    const answer = await app.anonymous.post(path, Object.fromEntries(guesses));
    const codes = answer.data.map((each: { error: { data: { code: string } } }) => each.error.data.code);
    expect(codes.filter((code: string) => code === "LOGIN_FAILED").length).toBeLessThanOrEqual(10);
    expect((await app.anonymous.post("/api/auth/login", { username, password: PASSWORD })).status).toBe(429);
  });
});
