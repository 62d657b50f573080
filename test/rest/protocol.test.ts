import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { sendRaw, statuses } from "../attacks/requests.ts";
import { useApp } from "../harness/app.ts";

const JSON_TYPE = { "content-type": "application/json" };
const CONFIG_FIELDS = {
  name: "配置",
  publicKey: "公钥",
  privateKey: "私钥",
  apiUrl: "https://api.ucloud.cn",
  defaultRegion: "cn-bj2",
};

describe("every failure is the contract's JSON", () => {
  const app = useApp();

  it.each([
    ["an unknown path", "GET", "/api/nope", 404, "NOT_FOUND"],
    ["the bare base", "GET", "/api", 404, "NOT_FOUND"],
    ["a doubled slash", "GET", "/api//hosts", 404, "NOT_FOUND"],
    ["another case", "GET", "/api/Hosts", 404, "NOT_FOUND"],
    ["a trailing slash", "GET", "/api/hosts/", 404, "NOT_FOUND"],
    ["a matrix parameter", "GET", "/api/hosts;x=1", 404, "NOT_FOUND"],
    ["an encoded slash", "GET", "/api/hosts%2fsync-runs", 404, "NOT_FOUND"],
    ["a method that the path does not have", "DELETE", "/api/hosts", 405, "METHOD_NOT_ALLOWED"],
    ["a method that nothing has", "PATCH", "/api/hosts", 405, "METHOD_NOT_ALLOWED"],
    ["GET of a path that only acts", "GET", "/api/hosts/assign", 405, "METHOD_NOT_ALLOWED"],
    ["no session", "GET", "/api/auth/me", 401, "UNAUTHENTICATED"],
    ["no session and a bad input: the session is checked first", "GET", "/api/hosts?limit=x", 401, "UNAUTHENTICATED"],
    ["changing a health check", "POST", "/healthz", 405, "METHOD_NOT_ALLOWED"],
    ["a form sent to the console", "POST", "/", 405, "METHOD_NOT_ALLOWED"],
    ["changing the console's links", "POST", "/console.json", 405, "METHOD_NOT_ALLOWED"],
    ["an unknown tRPC procedure", "GET", "/trpc/nope", 404, "NOT_FOUND"],
    ["a subscription over HTTP", "GET", "/trpc/events.stream", 404, "NOT_FOUND"],
    ["an encoded subscription", "GET", "/trpc/events%2Estream", 404, "NOT_FOUND"],
  ])("%s", async (_what, method, path, status, code) => {
    const answer = await app.anonymous.raw(method, path);
    expect(answer.status).toBe(status);
    const requestId = answer.headers.get("x-request-id");
    if (path.startsWith("/trpc")) expect(answer.body).toMatchObject({ error: { data: { code, requestId } } });
    else
      expect(answer.body).toEqual({
        message: expect.stringMatching(/\p{Script=Han}/u),
        code,
        requestId,
      });
  });

  it("names the methods that a path has", async () => {
    for (const path of ["/api/hosts", "/healthz", "/hosts"]) {
      const answer = await app.anonymous.raw("DELETE", path);
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  it("serves its paths in one case only, so that a rule of a proxy cannot be bypassed", async () => {
    for (const path of ["/API/auth/me", "/Trpc/auth.me"]) {
      const answer = await app.root.get(path);
      expect(JSON.stringify(answer.body)).not.toContain("mustChangePassword");
    }
  });

  it("shortens unknown field names and removes what is no text", async () => {
    const name = "x".repeat(200_000);
    const body = `{"show_network_info_to_client":true,"${name}":1,"\\ud800y\\u0000":1}`;
    const headers = { "content-type": "application/json" };
    const answer = await app.root.raw("PUT", "/api/system-config", { headers, body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
    const fields = z.object({ errors: z.array(z.object({ field: z.string() })) }).parse(answer.body).errors;
    expect(fields.map(({ field }) => field)).toEqual([`${"x".repeat(100)}…`, "\ufffdy"]);
  });

  it("answers HEAD as GET, without a body", async () => {
    const answer = await app.root.raw("HEAD", "/api/hosts");
    expect([answer.status, answer.body]).toEqual([200, ""]);
  });

  it("refuses TRACE, which fetch does not send", async () => {
    const answer = await sendRaw(app.url, "TRACE /api/hosts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(statuses(answer)).toEqual([405]);
    expect(answer).toContain('"METHOD_NOT_ALLOWED"');
  });

  it("answers over HTTP/1.1 when a client offers another upgrade", async () => {
    const upgrade = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__";
    expect(statuses(await sendRaw(app.url, `GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`))).toEqual([200]);
  });

  it("keeps answers out of caches and does not name the server", async () => {
    const { headers } = await app.root.get("/api/hosts");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';");
    expect(policy.replace("style-src 'self' 'unsafe-inline'", "")).not.toContain("unsafe");
  });
});

describe("the HSTS header", () => {
  const HTTPS = { "x-forwarded-proto": "https" };
  const HSTS = "max-age=31536000; includeSubDomains";
  const direct = useApp();
  const proxied = useApp({ config: { trustProxy: 1 } });
  const hstsOf = async (url: string, headers: Record<string, string>) =>
    (await fetch(`${url}/healthz`, { headers })).headers.get("strict-transport-security");

  it("is sent over https, as the proxy says", async () => {
    expect(await hstsOf(proxied.url, HTTPS)).toBe(HSTS);
    expect(await hstsOf(proxied.url, { "x-forwarded-proto": "http" })).toBeNull();
    expect(await hstsOf(proxied.url, {})).toBeNull();
  });

  it("is never sent where no proxy is trusted", async () => {
    expect(await hstsOf(direct.url, HTTPS)).toBeNull();
  });
});

describe("bodies", () => {
  const app = useApp();
  const post = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = JSON_TYPE) =>
    app.root.raw("POST", "/api/hosts/configs", { body, headers });

  it.each([
    ["a list", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["a byte order mark", `\ufeff${JSON.stringify(CONFIG_FIELDS)}`],
    ["an unknown field", JSON.stringify({ ...CONFIG_FIELDS, id: "1" })],
    ["a prototype key", `{"__proto__":{},${JSON.stringify(CONFIG_FIELDS).slice(1)}`],
    ["a constructor key", JSON.stringify({ ...CONFIG_FIELDS, constructor: {} })],
    ["NUL in a text", JSON.stringify({ ...CONFIG_FIELDS, name: "a\0b" })],
    ["half a surrogate pair", `{"name":"\\ud800"}`],
  ])("are rejected: %s", async (_what, body) => {
    const answer = await post(body);
    expect([answer.status, answer.body]).toMatchObject([400, { code: "INVALID_INPUT" }]);
  });

  it("that are not UTF-8 are rejected", async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(CONFIG_FIELDS));
    bytes[bytes.indexOf(0xe9)] = 0xff;
    expect((await post(bytes)).status).toBe(400);
  });

  it("may name UTF-8 as their charset and no other", async () => {
    expect(
      (await post(JSON.stringify(CONFIG_FIELDS), { "content-type": "application/json; charset=UTF-8" })).status,
    ).toBe(201);
    expect((await post("{}", { "content-type": "application/json; charset=gbk" })).status).toBe(415);
  });

  it("cannot carry fields that belong in the path or the query", async () => {
    const id = await app.config();
    expect((await app.root.put(`/api/hosts/configs/${id}`, { id, name: "x" })).status).toBe(400);
    expect((await app.root.post("/api/hosts/sync", { configId: id })).status).toBe(400);
  });
});

describe("tRPC over HTTP", () => {
  const app = useApp();

  it("accepts 20 calls in a batch and no more", async () => {
    const batch = (calls: number) => app.root.get(`/trpc/${Array(calls).fill("auth.me").join(",")}?batch=1&input={}`);
    expect((await batch(20)).status).toBe(200);
    const refused = await batch(21);
    expect([refused.status, refused.body]).toMatchObject([400, { error: { data: { code: "INVALID_INPUT" } } }]);
    expect(refused.headers.get("content-type")).toBe("application/json");
  });

  it("rejects a batch of queries and mutations without running them", async () => {
    const answer = await app.root.post("/trpc/auth.me,auth.logout?batch=1", {});
    expect([answer.status, answer.body]).toMatchObject([400, { error: { data: { code: "INVALID_INPUT" } } }]);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });

  it.each(["DELETE", "PUT", "HEAD"])("runs nothing for %s", async (method) => {
    const init = method === "HEAD" ? {} : { body: "{}", headers: JSON_TYPE };
    const answer = await app.root.raw(method, "/trpc/auth.logout", init);
    expect(answer.status).toBe(method === "HEAD" ? 204 : 405);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });

  it("fails with the code, status, message and request id of the API", async () => {
    const answer = await app.root.get(`/trpc/hosts.get?input=${encodeURIComponent(JSON.stringify({ id: "x" }))}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: {
        message: "标识格式不正确",
        data: {
          code: "INVALID_INPUT",
          httpStatus: 400,
          requestId: answer.headers.get("x-request-id"),
          errors: [{ field: "id" }],
        },
      },
    });
  });

  it("checks session and role before the input", async () => {
    const client = await app.account("client");
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const bodies: readonly (readonly [path: string, body: string])[] = [
      ["users.create", "{"],
      ["users.create", deep],
      ["users.create?batch=1", `{"0":${deep}}`],
    ];
    for (const [path, body] of bodies) {
      for (const [account, status] of [
        [app.anonymous, 401],
        [client, 403],
        [app.root, 400],
      ] as const) {
        const answer = await account.raw("POST", `/trpc/${path}`, { body, headers: JSON_TYPE });
        expect([path, answer.status]).toEqual([path, status]);
        expect([answer.body].flat()).toMatchObject([
          { error: { data: { httpStatus: status, requestId: answer.headers.get("x-request-id") } } },
        ]);
      }
    }
  });
});

describe("pages of other origins", () => {
  const ORIGIN = "https://console.example";
  const app = useApp({ config: { publicOrigins: [ORIGIN] } });

  it("a page of a listed origin may call and read the headers of the API", async () => {
    for (const path of ["/api/auth/me", "/trpc/auth.me"]) {
      const { headers } = await app.root.raw("GET", path, { headers: { origin: ORIGIN } });
      expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(headers.get("access-control-expose-headers")?.split(",").sort()).toEqual(["Retry-After", "X-Request-Id"]);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("a preflight lists the methods", async () => {
    const headers = { origin: ORIGIN, "access-control-request-method": "PUT" };
    const answer = await app.anonymous.raw("OPTIONS", "/api/system-config", { headers });
    const methods = answer.headers.get("access-control-allow-methods")?.split(",");
    expect(methods).toEqual(expect.arrayContaining(["DELETE", "GET", "HEAD", "POST", "PUT"]));
  });

  it("no page of another origin may read an answer", async () => {
    for (const origin of [`${ORIGIN}.evil.example`, "https://evil.example", "http://console.example", "null"]) {
      const { headers } = await app.root.raw("GET", "/api/auth/me", { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("the console's files", () => {
  const TEXT = "控制台";
  const FILES = {
    "index.html": "text/html; charset=utf-8",
    "main.js": "text/javascript",
    "main.css": "text/css",
    "icon.svg": "image/svg+xml",
    "robots.txt": "text/plain",
    "font.woff2": "font/woff2",
  } as const;

  const consoleDir = mkdtempSync(join(tmpdir(), "console-files-"));
  for (const name of Object.keys(FILES)) writeFileSync(join(consoleDir, name), TEXT);
  writeFileSync(join(consoleDir, "main.js.br"), "packed");
  afterAll(() => rmSync(consoleDir, { recursive: true }));
  const app = useApp({ overrides: { consoleDir } });

  it.each(Object.entries(FILES))("serves %s as %s", async (name, type) => {
    for (const encoding of ["identity", "br, gzip"]) {
      const answer = await fetch(`${app.url}/${name}`, { method: "HEAD", headers: { "accept-encoding": encoding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")?.replace(/;\s*/, "; ")).toBe(type);
    }
  });

  it("a page of the console is the same HTML, whatever its address ends in", async () => {
    for (const path of ["/", "/hosts", "/hosts/main.js/", "/@main.js"]) {
      const answer = await fetch(app.url + path);
      expect(answer.headers.get("content-type")).toMatch(/^text\/html; ?charset=utf-8$/);
      expect(await answer.text()).toBe(TEXT);
    }
  });
});
