import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { MAX_KEYS } from "../../src/server/core/limit-keys.ts";
import { MAX_BODY_BYTES, MAX_BYTES_BEING_READ } from "../../src/server/transport/read-body.ts";
import { useApp } from "../harness/app.ts";
import { NEW_USER } from "../harness/data.ts";
import { openConnection, sendRaw, statuses } from "../harness/raw-requests.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { within } from "../harness/time-limits.ts";
import { type Call, procedureOf, transportsOf } from "../harness/transports.ts";

const app = useApp({ config: { connectionLimits: { total: 2_000, perAddress: 1_000 } } });
const PATHS = ["/api/auth/login", "/trpc/auth.login", "/trpc/auth.login?batch=1"];
const CREDENTIALS = JSON.stringify({ username: "root", password: PASSWORD });
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  // A text would get a content type of its own.
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return app.anonymous.raw("POST", path, { body: bytes, headers: { "content-type": "application/json", ...headers } });
}

function head(path: string, ...more: string[]): string {
  return [`POST ${path} HTTP/1.1`, "Host: x", "Content-Type: application/json", ...more, "", ""].join("\r\n");
}

const HOSTILE_BODIES: readonly (readonly [what: string, body: string | Uint8Array<ArrayBuffer>, status: number])[] = [
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
  ["a kilobyte too much", `{"username":"${"a".repeat(MAX_BODY_BYTES)}"}`, 413],
];
/** Bodies that tRPC's own reader decodes. */
const OTHER_BODIES: typeof HOSTILE_BODIES = [
  ["a byte order mark", `\ufeff${CREDENTIALS}`, 400],
  ["bytes that are no UTF-8", new TextEncoder().encode(CREDENTIALS).with(15, 0xff), 400],
];
/** Types that an HTML form can send, and others that only REST refuses. */
const FORM_TYPES = ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"];
const UTF_8 = { "content-type": "application/json; charset=UTF-8" };
const HALF_SENT = [`Content-Length: ${MAX_BODY_BYTES}`, "Transfer-Encoding: chunked"];
const OTHER_TYPES = ["", "application/jsonp", "application/json, text/plain", "application/json; charset=utf-16"];

describe.each(PATHS)("request bodies of %s", (path) => {
  const isRest = path.startsWith("/api");

  it("rejects a deeply nested, malformed or hostile body with an error of the API", async () => {
    for (const [what, body, status] of isRest ? [...HOSTILE_BODIES, ...OTHER_BODIES] : HOSTILE_BODIES) {
      const answer = await post(path, body);
      expect(answer.status, what).toBe(status);
      const failure = JSON.stringify(answer.body);
      expect(failure, what).toMatch(/\p{Script=Han}/u);
      expect(failure, what).toContain(status === 413 ? "PAYLOAD_TOO_LARGE" : "INVALID_INPUT");
    }
  });

  it("rejects a compressed body without decompressing it, and one that a form of another page may send", async () => {
    const packed = new Uint8Array(gzipSync(`{"username":"${"a".repeat(10_000_000)}"}`));
    for (const encoding of ["gzip", "br", "gzip, gzip", "identity, gzip"]) {
      const { status } = await post(path, packed, { "content-encoding": encoding });
      expect(status, encoding).toBe(isRest ? 415 : 400);
    }
    for (const type of isRest ? [...FORM_TYPES, ...OTHER_TYPES] : FORM_TYPES) {
      const { status } = await post(path, CREDENTIALS, { "content-type": type });
      expect(isRest ? [415] : [400, 415], type).toContain(status);
    }
  });

  it("rejects a body by its Content-Length before it arrives, and cuts off an endless chunked one", async () => {
    const early = await sendRaw(app.url, `${head(path, "Content-Length: 1000000000")}{`);
    expect([statuses(early), /^connection: (.*)\r/im.exec(early)?.[1]]).toEqual([[413], "close"]);
    const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
    const received = await sendRaw(app.url, head(path, "Transfer-Encoding: chunked") + chunk.repeat(6));
    expect(statuses(received)[0]).toBe(413);
  });
});

it("reads a body of exactly the maximum size that names UTF-8, and rejects one that is a byte larger", async () => {
  expect((await post("/api/auth/login", CREDENTIALS.padEnd(MAX_BODY_BYTES), UTF_8)).status).toBe(200);
  expect((await post("/api/auth/login", CREDENTIALS.padEnd(MAX_BODY_BYTES + 1))).status).toBe(413);
});

it("rejects an API address made for catastrophic backtracking at once", async () => {
  const started = performance.now();
  const answer = await app.root.post("/api/users", { ...NEW_USER, email: `a@${".".repeat(80_000)}@` });
  expect(answer.body).toMatchObject({ code: "INVALID_INPUT", message: "邮箱最多255个字符" });
  expect(performance.now() - started).toBeLessThan(within(3_000));
});

it.each(HALF_SENT)("half-sent bodies (%s) use 64 MiB at most, and others get 503 until they end", async (length) => {
  const signIn = () => post("/api/auth/login", CREDENTIALS);
  {
    using connections = new DisposableStack();
    for (let n = 0; n < MAX_BYTES_BEING_READ / MAX_BODY_BYTES; n++) {
      connections.use(await openConnection(app.url)).write(`${head("/api/auth/login", length)}1`);
    }
    await expect.poll(async () => (await signIn()).status).toBe(503);
    for (const path of PATHS) {
      const { status, headers, body } = await post(path, CREDENTIALS);
      expect([status, headers.get("retry-after"), headers.get("connection")]).toEqual([503, "1", "close"]);
      expect(JSON.stringify(body)).toContain("UNAVAILABLE");
    }
    // The session is checked first, and requests without a body are served.
    expect((await app.anonymous.post("/api/users", {})).status).toBe(401);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  }
  await expect.poll(async () => (await signIn()).status).toBe(200);
});

it.each(["auth.login", "hosts.list"])(
  "too many keys in an object of %s are refused before validation",
  async (name) => {
    const refusal = `一个 JSON 对象最多${MAX_KEYS}个字段`;
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, ":"]));
    const procedure = procedureOf(name);
    for (const [transport, send] of transportsOf(procedure)) {
      // The query of an address holds no objects.
      if (transport === "REST" && procedure.type === "query") continue;
      const answerTo = async (input: Call["input"]) =>
        JSON.stringify((await send(app.url, { procedure, input, token: app.root.token })).body);
      expect(await answerTo({ username: [keys(2), keys(MAX_KEYS + 1)] }), transport).toContain(refusal);
      const accepted = await answerTo({ username: [keys(MAX_KEYS), keys(MAX_KEYS)] });
      expect(accepted, transport).toContain("INVALID_INPUT");
      expect(accepted, transport).not.toContain(refusal);
    }
  },
);
