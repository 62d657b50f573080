import { describe, expect, it } from "vitest";
import { MAX_BYTES_OF_ADDRESS } from "../../src/server/platform/http/body-budget.ts";
import { MAX_BODY_BYTES } from "../../src/server/platform/http/read-body.ts";
import { MAX_KEYS } from "../../src/server/platform/trpc/limit-keys.ts";
import { useApp } from "../harness/app.ts";
import { buildUser } from "../harness/data.ts";
import { openConnection, sendRaw, statuses } from "../harness/raw-requests.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { type Call, procedureOf, transportsOf } from "../harness/transports.ts";

// A proxy says from which address a request comes.
const app = useApp({
  config: { connectionLimits: { total: 2_000, perAddress: 1_000 }, trustProxy: 1 },
});
const PATHS = ["/api/auth/login", "/trpc/auth.login", "/trpc/auth.login?batch=1"];
const CREDENTIALS = JSON.stringify({ username: "root", password: PASSWORD });
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  // A text would get a content type of its own.
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return app.anonymous.raw("POST", path, {
    body: bytes,
    headers: { "content-type": "application/json", ...headers },
  });
}

function head(path: string, ...more: string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    ...more,
    "",
    "",
  ].join("\r\n");
}

const HOSTILE_BODIES: readonly (readonly [
  what: string,
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
])[] = [
  ["lists 100,000 deep", DEEP, 400],
  ["a field 100,000 deep", `{"username":${DEEP},"password":"x"}`, 400],
  ["a number of 100,000 digits", `{"username":${"9".repeat(100_000)},"password":"x"}`, 400],
  ["a prototype", '{"__proto__":{"username":"root","password":"x"}}', 400],
  ["two values for one key", '{"username":"root","username":["root"],"password":"x"}', 400],
  ["operators for values", '{"username":{"$ne":null},"password":{"$gt":""}}', 400],
  ["a constructor", '{"username":"root","password":"x","constructor":{}}', 400],
  ["null", "null", 400],
  ["half a surrogate pair", '{"username":"\\ud800","password":"x"}', 400],
  ["a second value", '{"username":"root","password":"x"}{}', 400],
  ["bytes that are no UTF-8", new TextEncoder().encode(CREDENTIALS).with(15, 0xff), 400],
  ["a kilobyte too much", `{"username":"${"a".repeat(MAX_BODY_BYTES)}"}`, 413],
];
/** Of REST: tRPC's reader leaves out a byte order mark. */
const OTHER_BODIES: typeof HOSTILE_BODIES = [["a byte order mark", `\ufeff${CREDENTIALS}`, 400]];
/** Types that an HTML form can send, and others. */
const OTHER_TYPES = [
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  "",
  "application/jsonp",
  "application/json, text/plain",
  "application/json; charset=utf-16",
];
const ENCODINGS = ["gzip", "br", "x", "gzip, gzip", "identity, gzip"];
const UNSUPPORTED = expect.stringContaining("UNSUPPORTED_MEDIA_TYPE");
const UTF_8 = { "content-type": "application/json; charset=UTF-8" };

describe.each(PATHS)("request bodies of %s", (path) => {
  const isRest = path.startsWith("/api");

  it("rejects a deeply nested, malformed or hostile body with an error of the API", async () => {
    for (const [what, body, status] of isRest
      ? [...HOSTILE_BODIES, ...OTHER_BODIES]
      : HOSTILE_BODIES) {
      const answer = await post(path, body);
      expect(answer.status, what).toBe(status);
      const failure = JSON.stringify(answer.body);
      expect(failure, what).toMatch(/\p{Script=Han}/u);
      expect(failure, what).toContain(status === 413 ? "PAYLOAD_TOO_LARGE" : "INVALID_INPUT");
    }
  });

  it.each(ENCODINGS)("rejects plain JSON that is announced as encoded: %s", async (encoding) => {
    const answer = await post(path, CREDENTIALS, { "content-encoding": encoding });

    expect([answer.status, JSON.stringify(answer.body)]).toEqual([415, UNSUPPORTED]);
  });

  it.each(OTHER_TYPES)("rejects JSON that is announced as another type: %s", async (type) => {
    const answer = await post(path, CREDENTIALS, { "content-type": type });

    expect([answer.status, JSON.stringify(answer.body)]).toEqual([415, UNSUPPORTED]);
  });

  it("rejects a body by its Content-Length, and cuts off an endless chunked one", async () => {
    const early = await sendRaw(app.url, `${head(path, "Content-Length: 1000000000")}{`);
    expect([statuses(early), /^connection: (.*)\r/im.exec(early)?.[1]]).toEqual([[413], "close"]);
    const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
    const received = await sendRaw(
      app.url,
      head(path, "Transfer-Encoding: chunked") + chunk.repeat(6),
    );
    expect(statuses(received)[0]).toBe(413);
  });
});

it("a call over tRPC is refused by its type before its body comes", async () => {
  const received = await sendRaw(
    app.url,
    head("/trpc/auth.login", "Content-Encoding: br", "Content-Length: 100"),
  );

  expect(statuses(received)).toEqual([415]);
  expect(received).toMatch(/^connection: close\r/im);
});

it("reads a body of exactly the maximum size, and rejects one a byte larger", async () => {
  expect((await post("/api/auth/login", CREDENTIALS.padEnd(MAX_BODY_BYTES), UTF_8)).status).toBe(
    200,
  );
  expect((await post("/api/auth/login", CREDENTIALS.padEnd(MAX_BODY_BYTES + 1))).status).toBe(413);
});

it("rejects an API address made for catastrophic backtracking at once", async () => {
  const before = process.cpuUsage();
  const user = buildUser({ email: `a@${".".repeat(80_000)}@` });

  const answer = await app.root.post("/api/users", user);

  expect(answer.body).toMatchObject({ code: "INVALID_INPUT", message: "邮箱最多 255 个字符" });
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});

describe("bodies that are half sent", () => {
  const BODIES_OF_ADDRESS = MAX_BYTES_OF_ADDRESS / MAX_BODY_BYTES;
  const SETTINGS = { show_network_info_to_client: true };

  /** Requests from an address of which all but the last byte arrives, or only the first one. */
  async function sendHalf(
    connections: DisposableStack,
    address: string,
    path: string,
    sent = MAX_BODY_BYTES - 1,
  ) {
    const text = `${head(path, `X-Forwarded-For: ${address}`, `Content-Length: ${MAX_BODY_BYTES}`)}${"a".repeat(sent)}`;
    for (let n = 0; n < BODIES_OF_ADDRESS; n++)
      connections.use(await openConnection(app.url)).write(text);
  }

  function signInFrom(address: string, path = "/api/auth/login") {
    const input = path.includes("batch") ? `{"0":${CREDENTIALS}}` : CREDENTIALS;
    return post(path, input.padEnd(1_000), { "x-forwarded-for": address });
  }

  it.each(["/api/auth/login", "/trpc/auth.login", "/trpc/users.create"])(
    "keep nobody from signing in or writing when they only announce their length: %s",
    async (path) => {
      using connections = new DisposableStack();
      for (const address of [
        "198.51.100.1",
        "198.51.100.2",
        "198.51.100.3",
        "198.51.100.4",
        "198.51.100.5",
      ]) {
        await sendHalf(connections, address, path, 1);
      }

      const signIns = await Promise.all(PATHS.map((each) => signInFrom("198.51.100.1", each)));
      const written = await app.root.put("/api/system-config", SETTINGS);

      expect(signIns.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(written.status).toBe(200);
    },
  );

  it("take a quarter of the budget from one address, then its next body gets 503", async () => {
    {
      using connections = new DisposableStack();
      await sendHalf(connections, "198.51.100.1", "/api/auth/login");

      await expect.poll(async () => (await signInFrom("198.51.100.1")).status).toBe(503);
      const refused = await Promise.all(PATHS.map((path) => signInFrom("198.51.100.1", path)));
      const other = await signInFrom("198.51.100.2");
      const empty = await app.root.raw("POST", "/api/auth/refresh", {
        headers: { "x-forwarded-for": "198.51.100.1" },
      });

      for (const { status, headers, body } of refused) {
        expect([status, headers.get("retry-after"), headers.get("connection")]).toEqual([
          503,
          "1",
          "close",
        ]);
        expect(JSON.stringify(body)).toContain("UNAVAILABLE");
      }
      expect([other.status, empty.status]).toEqual([200, 200]);
    }

    await expect.poll(async () => (await signInFrom("198.51.100.1")).status).toBe(200);
  });

  it("of strangers leave a quarter of the budget to those who have signed in", async () => {
    using connections = new DisposableStack();
    for (const n of [1, 2, 3]) await sendHalf(connections, `198.51.100.${n}`, "/trpc/auth.login");

    await expect.poll(async () => (await signInFrom("198.51.100.4")).status).toBe(503);
    const written = await app.root.put("/api/system-config", SETTINGS);
    const batch = await app.root.post("/trpc/settings.update?batch=1", { 0: SETTINGS });

    expect([written.status, batch.status]).toEqual([200, 200]);
  });

  it("are not read before the session was checked", async () => {
    for (const path of ["/api/users", "/trpc/users.create", "/trpc/users.create?batch=1"]) {
      using connection = await openConnection(app.url);
      connection.write(`${head(path, `Content-Length: ${MAX_BODY_BYTES}`)}{`);

      expect(statuses(await connection.answered), path).toEqual([401]);
    }
  });
});

it.each(["auth.login", "hosts.list"])(
  "too many keys in an object of %s are refused before validation",
  async (name) => {
    const refusal = `一个 JSON 对象最多 ${MAX_KEYS} 个字段`;
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, ":"]));
    const procedure = procedureOf(name);
    for (const [transport, send] of transportsOf(procedure)) {
      // The query of an address holds no objects.
      if (transport === "REST" && procedure.type === "query") continue;
      const answerTo = async (input: Call["input"]) =>
        JSON.stringify((await send(app.url, { procedure, input, token: app.root.token })).body);
      expect(await answerTo({ username: [keys(2), keys(MAX_KEYS + 1)] }), transport).toContain(
        refusal,
      );
      const accepted = await answerTo({ username: [keys(MAX_KEYS), keys(MAX_KEYS)] });
      expect(accepted, transport).toContain("INVALID_INPUT");
      expect(accepted, transport).not.toContain(refusal);
    }
  },
);
