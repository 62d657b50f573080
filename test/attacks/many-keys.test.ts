import { expect, it } from "vitest";
import { assertFewKeys, MAX_KEYS } from "../../src/server/core/limit-keys.ts";
import { useApp } from "../harness/app.ts";
import { connect } from "../sockets/raw-client.ts";

const REFUSAL = `一个 JSON 对象最多${MAX_KEYS}个字段`;
const app = useApp();

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, ":"]));

const TOO_MANY = { username: [keys(2), keys(MAX_KEYS + 1)] };
const FEW_ENOUGH = { username: [keys(MAX_KEYS), keys(MAX_KEYS)] };

/** Every way in for an input; each function returns the text of the error. */
const INPUTS: Readonly<Record<string, (input: object) => Promise<string>>> = {
  "a REST body": (input) => refusalOf("POST", "/api/auth/login", input),
  "a tRPC body": (input) => refusalOf("POST", "/trpc/auth.login", input),
  "a tRPC batch": (input) => refusalOf("POST", "/trpc/auth.login?batch=1", { "0": input }),
  "a tRPC query's input": (input) =>
    refusalOf("GET", `/trpc/hosts.list?input=${encodeURIComponent(JSON.stringify(input))}`),
  "a frame": async (input) => {
    await using client = await connect(`${app.url.replace("http", "ws")}/trpc`, app.root.token);
    client.send({ id: 1, method: "query", params: { path: "hosts.list", input } });
    await client.until(({ messages }) => messages.length === 1);
    return JSON.stringify(client.messages);
  },
};

async function refusalOf(method: string, path: string, body?: object): Promise<string> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await app.root.raw(method, path, init);
  expect(answer.status).toBe(400);
  return JSON.stringify(answer.body);
}

it.each(Object.entries(INPUTS))(
  "objects with too many keys in %s are rejected before validation",
  async (_input, refusal) => {
    expect(await refusal(TOO_MANY)).toContain(REFUSAL);
    expect(await refusal(FEW_ENOUGH)).not.toContain(REFUSAL);
  },
);

it("a caller without a session gets 401 for too many keys as well", async () => {
  const init = { body: JSON.stringify(keys(20_000)), headers: { "content-type": "application/json" } };
  expect((await app.anonymous.raw("POST", "/api/users", init)).status).toBe(401);
  expect((await app.anonymous.raw("POST", "/trpc/users.create", init)).status).toBe(401);
});

it.each([
  ["20,000 keys", keys(20_000), false],
  ["29,000 small objects", Array.from({ length: 29_000 }, () => ({ a: 1 })), true],
  ["100,000 lists in each other", JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), true],
])("counts the keys of large and deep input quickly: %s", (_what, input, isAccepted) => {
  const began = performance.now();
  const count = () => assertFewKeys(input);
  if (isAccepted) count();
  else expect(count).toThrow(REFUSAL);
  expect(performance.now() - began).toBeLessThan(1_000);
});
