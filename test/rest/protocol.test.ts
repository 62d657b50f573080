import { rmSync, writeFileSync } from "node:fs";
import { METHODS } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { openConnection, sendRaw, statuses } from "../harness/raw-requests.ts";
import { scratchDirectory } from "../harness/scratch.ts";

const JSON_TYPE = { "content-type": "application/json" };
const ORIGIN = "https://console.example";
const TEXT = "控制台";
const FILES = {
  "index.html": "text/html; charset=utf-8",
  "main.js": "text/javascript; charset=utf-8",
  "main.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

/** The methods that some path has. */
const SERVED = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

const consoleDir = scratchDirectory();
for (const name of Object.keys(FILES)) writeFileSync(join(consoleDir, name), TEXT);
writeFileSync(join(consoleDir, "main.js.br"), "packed");
const app = useApp({ config: { publicOrigins: [ORIGIN] }, overrides: { consoleDir } });

async function answerTo(method: string, path: string): Promise<string> {
  using connection = await openConnection(app.url);
  connection.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await connection.closed;
  return connection.received();
}

describe("every failure is the contract's JSON", () => {
  it.each([
    ["the bare base", "GET", "/api", 404, "NOT_FOUND"],
    ["a doubled slash", "GET", "/api//hosts", 404, "NOT_FOUND"],
    ["another case", "GET", "/api/Hosts", 404, "NOT_FOUND"],
    ["a trailing slash", "GET", "/api/hosts/", 404, "NOT_FOUND"],
    ["an encoded slash", "GET", "/api/hosts%2fsync-runs", 404, "NOT_FOUND"],
    ["a method that nothing has", "PATCH", "/api/hosts", 405, "METHOD_NOT_ALLOWED"],
    ["changing a health check", "POST", "/healthz", 405, "METHOD_NOT_ALLOWED"],
    ["a form sent to the console", "POST", "/", 405, "METHOD_NOT_ALLOWED"],
    ["changing the console's links", "POST", "/console.json", 405, "METHOD_NOT_ALLOWED"],
    ["the metrics without METRICS_TOKEN", "GET", "/metrics", 404, "NOT_FOUND"],
    ["an unknown tRPC procedure", "GET", "/trpc/nope", 404, "NOT_FOUND"],
    ["an encoded subscription", "GET", "/trpc/events%2Estream", 404, "NOT_FOUND"],
  ])("answers %s (%s %s) with %i %s", async (_what, method, path, status, code) => {
    const answer = await app.anonymous.raw(method, path);
    const requestId = answer.headers.get("x-request-id");
    const message = expect.stringMatching(/\p{Script=Han}/u);
    const failure = path.startsWith("/trpc")
      ? { error: { data: { code, requestId } } }
      : { message, code, requestId };
    expect([answer.status, answer.body]).toMatchObject([status, failure]);
    if (status === 405) expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });

  it("shortens unknown field names and removes what is no text", async () => {
    const body = `{"show_network_info_to_client":true,"${"x".repeat(200_000)}":1,"\\ud800y\\u0000":1}`;

    const { status, data } = await app.root.raw("PUT", "/api/system-config", {
      headers: JSON_TYPE,
      body,
    });

    expect([status, data.errors]).toMatchObject([
      400,
      [{ field: `${"x".repeat(100)}…` }, { field: "\ufffdy" }],
    ]);
    expect(JSON.stringify(data).length).toBeLessThan(1_000);
  });

  it("answers HEAD as GET without a body", async () => {
    const answer = await app.root.raw("HEAD", "/api/hosts");

    expect([answer.status, answer.body]).toEqual([200, ""]);
  });

  it.each([
    "/",
    "/healthz",
    "/console.json",
    "/api/hosts",
    "/api/nope",
    "/api/docs",
    "/trpc/auth.me",
    "/trpc/nope",
  ])("refuses every method that no path has with 405 and Allow: %s", async (path) => {
    const odd = METHODS.filter((method) => !SERVED.includes(method));

    for (const method of [...odd, "FOO", "TRACK", "M-FOO", "get"]) {
      const refusal = await answerTo(method, path);

      expect([method, statuses(refusal)]).toEqual([method, [405]]);
      expect(refusal, method).toMatch(/^Allow: GET, HEAD/im);
      expect(refusal, method).toContain('"METHOD_NOT_ALLOWED"');
    }
  });

  it("refuses to be a tunnel", async () => {
    const refusal = await answerTo("CONNECT", "example.com:443");

    expect(statuses(refusal)).toEqual([405]);
  });

  it("answers over HTTP/1.1 when a client offers another upgrade", async () => {
    const upgrade =
      "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__";

    expect(
      statuses(await sendRaw(app.url, `GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`)),
    ).toEqual([200]);
  });
});

describe("headers of an answer", () => {
  it("keep it out of caches and frames, and do not name the server", async () => {
    const { headers } = await app.root.get("/api/hosts");
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
    });
    expect(headers.get("x-powered-by")).toBeNull();
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain(
      "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';",
    );
    expect(policy.replace("style-src 'self' 'unsafe-inline'", "")).not.toContain("unsafe");
    const rest = "object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'";
    expect(policy.endsWith(rest), policy).toBe(true);
  });

  it("let a page of a listed origin call and read them, and no other page", async () => {
    for (const path of ["/api/auth/me", "/trpc/auth.me"]) {
      const { headers } = await app.root.raw("GET", path, { headers: { origin: ORIGIN } });
      expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(headers.get("access-control-expose-headers")?.split(",").sort()).toEqual([
        "Content-Disposition",
        "Retry-After",
        "X-Request-Id",
      ]);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("cache-control")).toBe("no-store");
    }
    const headers = { origin: ORIGIN, "access-control-request-method": "PUT" };
    const preflight = await app.anonymous.raw("OPTIONS", "/api/system-config", { headers });
    const methods = preflight.headers.get("access-control-allow-methods")?.split(",");
    expect(methods).toEqual(expect.arrayContaining(["DELETE", "GET", "HEAD", "POST", "PUT"]));
    for (const origin of [
      `${ORIGIN}.evil.example`,
      "https://evil.example",
      "http://console.example",
      "null",
    ]) {
      const foreign = await app.root.raw("GET", "/api/auth/me", { headers: { origin } });
      expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("the HSTS header", () => {
  const proxied = useApp({ config: { trustProxy: 1 } });

  it("is sent only where a trusted proxy says that the call came over https", async () => {
    const hstsOf = async ({ url }: { url: string }, protocol: string) => {
      const { headers } = await fetch(`${url}/healthz`, {
        headers: { "x-forwarded-proto": protocol },
      });
      return headers.get("strict-transport-security");
    };

    expect(await hstsOf(proxied, "https")).toBe("max-age=31536000; includeSubDomains");
    expect([await hstsOf(proxied, "http"), await hstsOf(app, "https")]).toEqual([null, null]);
  });
});

describe("tRPC over HTTP", () => {
  const invalid = { error: { data: { code: "INVALID_INPUT" } } };

  it("answers each of at most 20 calls in a batch by itself, of one kind only", async () => {
    const batch = (calls: number) =>
      app.root.get(`/trpc/${Array(calls).fill("auth.me").join(",")}?batch=1&input={}`);
    expect((await batch(20)).status).toBe(200);
    const client = await app.account("client");
    const mixed = await client.get("/trpc/auth.me,users.list?batch=1&input={}");
    const own = { result: { data: { id: client.id } } };
    expect(mixed.body).toMatchObject([own, { error: { data: { code: "FORBIDDEN" } } }]);
    for (const answer of [
      await batch(21),
      await app.root.post("/trpc/auth.me,auth.logout?batch=1", {}),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([400, invalid]);
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });

  it.each(["DELETE", "PUT", "PATCH", "HEAD"])("runs nothing for %s", async (method) => {
    const init = method === "HEAD" ? {} : { body: "{}", headers: JSON_TYPE };

    const answer = await app.root.raw(method, "/trpc/auth.logout", init);
    const me = await app.root.get("/api/auth/me");

    expect(answer.status).toBe(method === "HEAD" ? 204 : 405);
    expect(me.status).toBe(200);
  });

  it("refuses another method with 405 whatever the content type", async () => {
    for (const type of ["", "text/plain", "application/json"]) {
      const answer = await app.anonymous.raw("PUT", "/trpc/auth.logout", {
        body: "x",
        headers: { "content-type": type },
      });

      expect([answer.status, answer.headers.get("allow")], type).toEqual([405, "GET, HEAD, POST"]);
      expect(answer.body).toMatchObject({ error: { data: { code: "METHOD_NOT_ALLOWED" } } });
    }
  });

  it("fails with the code, status, message and request id of the API", async () => {
    const { status, body, headers } = await app.root.get(
      `/trpc/hosts.get?input=${encodeURIComponent('{"id":"x"}')}`,
    );
    const requestId = headers.get("x-request-id");
    const data = { code: "INVALID_INPUT", httpStatus: 400, requestId, errors: [{ field: "id" }] };

    expect([status, body]).toMatchObject([400, { error: { message: "标识格式不正确", data } }]);
  });

  it("checks session and role before the input", async () => {
    const client = await app.account("client");
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const manyKeys = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1]));
    for (const [path, body] of [
      ["users.create", "{"],
      ["users.create", JSON.stringify(manyKeys)],
      ["users.create?batch=1", `{"0":${deep}}`],
    ] as const) {
      for (const [account, status] of [
        [app.anonymous, 401],
        [client, 403],
        [app.root, 400],
      ] as const) {
        const answer = await account.raw("POST", `/trpc/${path}`, { body, headers: JSON_TYPE });
        const data = { httpStatus: status, requestId: answer.headers.get("x-request-id") };
        expect([path, answer.status, [answer.body].flat()]).toMatchObject([
          path,
          status,
          [{ error: { data } }],
        ]);
      }
    }
  });
});

describe("the console's files", () => {
  it.each(Object.entries(FILES))("serves %s as %s", async (name, type) => {
    for (const encoding of ["identity", "br, gzip"]) {
      const answer = await fetch(`${app.url}/${name}`, {
        method: "HEAD",
        headers: { "accept-encoding": encoding },
      });
      expect([answer.status, answer.headers.get("content-type")?.replace(/;\s*/, "; ")]).toEqual([
        200,
        type,
      ]);
    }
  });

  it("a page of the console is the same HTML, whatever its address ends in", async () => {
    for (const path of ["/", "/hosts", "/hosts/main.js/", "/@main.js"]) {
      const answer = await fetch(app.url + path);
      expect(answer.headers.get("content-type")).toMatch(/^text\/html; ?charset=utf-8$/);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(await answer.text()).toBe(TEXT);
    }
  });

  it("come packed to who takes that, and again only when they have changed", async () => {
    const packed = await fetch(`${app.url}/main.js`, {
      method: "HEAD",
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(packed.headers.get("content-length")).toBe(String("packed".length));
    expect(packed.headers.get("vary")).toContain("Accept-Encoding");

    const tag = packed.headers.get("etag") ?? "";
    // With this header fetch asks past all caches, which browsers do not.
    const known = `GET /main.js HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${tag}\r\n\r\n`;
    expect(statuses(await sendRaw(app.url, known))).toEqual([304]);
  });

  it("stay those of the start when another version is built meanwhile", async () => {
    rmSync(join(consoleDir, "main.css"));
    writeFileSync(join(consoleDir, "icon.svg"), "changed");

    for (const name of ["main.css", "icon.svg"]) {
      const answer = await fetch(`${app.url}/${name}`);
      expect([answer.status, await answer.text()]).toEqual([200, TEXT]);
    }
  });
});
