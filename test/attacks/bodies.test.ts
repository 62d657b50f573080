import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { openConnection } from "../slow/process/raw-http.ts";
import { sendRaw, statuses } from "./requests.ts";

const app = useApp();
const PATHS = ["/api/auth/login", "/trpc/auth.login", "/trpc/auth.login?batch=1"];
const LIMIT = 256 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);

function post(path: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
  return app.anonymous.raw("POST", path, { body, headers: { "content-type": "application/json", ...headers } });
}

/** Bodies with their allowed answers. */
const BODIES: readonly (readonly [what: string, text: string, statuses: readonly number[]])[] = [
  ["lists 100,000 deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, [400]],
  ["a field 100,000 deep", `{"username":${"[".repeat(100_000)}${"]".repeat(100_000)},"password":"x"}`, [400]],
  ["objects 20,000 deep", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`, [400]],
  ["brackets that never close", "[{".repeat(60_000), [400]],
  ["a number of 100,000 digits", `{"username":${"9".repeat(100_000)},"password":"x"}`, [400]],
  ["the number 1e999", '{"username":1e999,"password":"x"}', [400]],
  ["20,000 keys", `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(",")}}`, [400]],
  ["a prototype", '{"__proto__":{"username":"root","password":"x"}}', [400]],
  ["a prototype below", '{"username":{"__proto__":{"x":1}},"password":"x"}', [400]],
  ["two values for one key", '{"username":"root","username":["root"],"password":"x"}', [400]],
  ["operators for values", '{"username":{"$ne":null},"password":{"$gt":""}}', [400]],
  ["SQL for a name", `{"username":"root' or 1=1 --","password":"x"}`, [400, 401]],
  ["NaN", '{"username":NaN,"password":"x"}', [400]],
  ["a comment", '{"username":"root",/**/"password":"x"}', [400]],
  ["single quotes", "{'username':'root','password':'x'}", [400]],
  ["a second value", '{"username":"root","password":"x"}{}', [400]],
  ["NUL behind it", '{"username":"root","password":"x"}\0', [400]],
  ["a kilobyte too much", `{"username":"${"a".repeat(LIMIT)}"}`, [413]],
];

/** Types that an HTML form can send. */
const FORM_TYPES = ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"];
const OTHER_TYPES = [
  "application/json, text/plain",
  "text/json",
  "application/ld+json",
  "application/json; charset=utf-7",
  "application/json; charset=utf-16",
  "application/json; charset=utf-8; charset=utf-7",
  "application/jsonp",
  "*/*",
];

describe.each(PATHS)("request bodies of %s", (path) => {
  it("rejects a deeply nested, malformed or hostile body with an error of the API", async () => {
    for (const [what, text, allowed] of BODIES) {
      const answer = await post(path, bytes(text));
      expect(allowed, what).toContain(answer.status);
      expect(JSON.stringify(answer.body), what).toMatch(/\p{Script=Han}/u);
    }
  });

  it("rejects a compressed body without decompressing it", async () => {
    const text = `{"username":"${"a".repeat(10_000_000)}"}`;
    for (const encoding of ["gzip", "deflate", "br", "zstd", "gzip, gzip", "identity, gzip"]) {
      const packed = encoding === "deflate" ? deflateSync(text) : gzipSync(text);
      const answer = await post(path, new Uint8Array(packed), { "content-encoding": encoding });
      expect(answer.status, encoding).toBe(path.startsWith("/api") ? 415 : 400);
    }
  });

  it("rejects a body of a content type that an HTML form can send", async () => {
    for (const type of FORM_TYPES) {
      const answer = await post(path, bytes('{"username":"root","password":"x"}'), { "content-type": type });
      expect(path.startsWith("/api") ? [415] : [400, 415], type).toContain(answer.status);
    }
  });

  it("rejects a body by its Content-Length before the body arrives", async () => {
    const text = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{`;
    expect(statuses(await sendRaw(app.url, text))).toEqual([413]);
  });

  it("cuts off an endless chunked body at the size limit", async () => {
    const chunk = `10000\r\n${"a".repeat(65_536)}\r\n`;
    const start = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(statuses(await sendRaw(app.url, start + chunk.repeat(6)))[0]).toBe(413);
  });

  it("serves other callers when a caller disconnects in the middle of a body", async () => {
    const text = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"user`;
    for (let n = 0; n < 20; n++) {
      using connection = await openConnection(app.url);
      connection.write(text);
    }
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });
});

it("REST rejects a body that is not declared as JSON in UTF-8", async () => {
  for (const type of ["", ...OTHER_TYPES]) {
    const answer = await post("/api/auth/login", bytes('{"username":"root","password":"x"}'), { "content-type": type });
    expect(answer.status, type).toBe(415);
  }
});

it("reads a body of exactly the maximum size and rejects one that is a byte larger", async () => {
  const text = '{"username":"root","password":"Correct1Horse"}';
  expect((await post("/api/auth/login", bytes(text.padEnd(LIMIT)))).status).toBe(200);
  expect((await post("/api/auth/login", bytes(text.padEnd(LIMIT + 1)))).status).toBe(413);
});

it("rejects an API address made for catastrophic backtracking at once", async () => {
  const started = performance.now();
  const user = { username: "zhang", password: "Correct1Horse", name: "张三", role: "client" };
  const answer = await app.root.post("/api/users", { ...user, email: `a@${".".repeat(80_000)}@` });
  expect(answer.body).toMatchObject({ code: "INVALID_INPUT", message: "邮箱最多255个字符" });
  expect(performance.now() - started).toBeLessThan(3_000);
});
