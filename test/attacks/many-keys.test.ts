import { describe, expect, it } from "vitest";
import { assertBoundedJson, MAX_KEYS } from "../../src/server/rest/bounded-json.ts";
import { useApp } from "../harness/app.ts";

const REFUSAL = `一个 JSON 对象最多${MAX_KEYS}个字段`;
const app = useApp();

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, ":"]));
const repeated = `{${'"a":1,'.repeat(MAX_KEYS)}"a":1}`;

const TOO_MANY = [
  ["201 keys", JSON.stringify(keys(MAX_KEYS + 1))],
  ["20,000 keys", JSON.stringify(keys(20_000))],
  ["201 keys in an object in a list", JSON.stringify({ username: [keys(2), keys(MAX_KEYS + 1)] })],
  ["201 keys around an object", JSON.stringify({ inner: keys(3), ...keys(MAX_KEYS) })],
  ["one key 201 times", repeated],
] as const;

const FEW_ENOUGH = [
  ["200 keys", JSON.stringify(keys(MAX_KEYS))],
  ["200 keys each in two objects", JSON.stringify({ username: [keys(MAX_KEYS), keys(MAX_KEYS)] })],
  ["a text that looks like many keys", JSON.stringify({ username: repeated })],
] as const;

/** Every JSON input; each function returns the text of the error. */
const INPUTS: Readonly<Record<string, (json: string) => Promise<string>>> = {
  "a REST body": (json) => refusalOf("POST", "/api/auth/login", json),
  "a tRPC body": (json) => refusalOf("POST", "/trpc/auth.login", json),
  "a tRPC batch": (json) => refusalOf("POST", "/trpc/auth.login?batch=1", `{"0":${json}}`),
  "a tRPC query's input": (json) => refusalOf("GET", `/trpc/hosts.list?input=${encodeURIComponent(json)}`),
};

async function refusalOf(method: string, path: string, body?: string): Promise<string> {
  const init = body === undefined ? {} : { body, headers: { "content-type": "application/json" } };
  const answer = await app.root.raw(method, path, init);
  expect(answer.status).toBe(400);
  return JSON.stringify(answer.body);
}

describe.each(Object.entries(INPUTS))("bodies with many keys over %s", (input, refusal) => {
  // The address of a query is limited to 16 KiB.
  const fits = ([, json]: readonly [string, string]) => !input.includes("query") || json.length < 3_000;

  it.each(TOO_MANY.filter(fits))("rejects an object with too many keys before validation: %s", async (_what, json) => {
    expect(await refusal(json)).toContain(REFUSAL);
  });

  it.each(FEW_ENOUGH.filter(fits))("validates objects with few enough keys: %s", async (_what, json) => {
    expect(await refusal(json)).not.toContain(REFUSAL);
  });
});

it("a caller without a session gets 401 for too many keys as well", async () => {
  const init = { body: JSON.stringify(keys(201)), headers: { "content-type": "application/json" } };
  expect((await app.anonymous.raw("POST", "/api/users", init)).status).toBe(401);
  expect((await app.anonymous.raw("POST", "/trpc/users.create", init)).status).toBe(401);
});

it.each([
  ["20,000 keys", JSON.stringify(keys(20_000))],
  ["256 KiB of brackets and colons", "]:".repeat(128 * 1024)],
  ["256 KiB of quotes", '"'.repeat(256 * 1024)],
  ["256 KiB of small objects", `[${'{"a":1},'.repeat(29_000)}1]`],
])("counting the keys takes less than 5 ms: %s", (_what, text) => {
  const times = Array.from({ length: 10 }, () => {
    const began = performance.now();
    try {
      assertBoundedJson(text);
    } catch {
      // Only the time matters.
    }
    return performance.now() - began;
  });
  expect(Math.min(...times)).toBeLessThan(5);
});
