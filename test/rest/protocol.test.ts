import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { z } from "zod";
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
    ["no session and a bad input: the session is asked for first", "GET", "/api/hosts?limit=x", 401, "UNAUTHENTICATED"],
    ["changing a health check", "POST", "/healthz", 405, "METHOD_NOT_ALLOWED"],
    ["changing the readiness", "POST", "/readyz", 405, "METHOD_NOT_ALLOWED"],
    ["changing the metrics", "POST", "/metrics", 405, "METHOD_NOT_ALLOWED"],
    ["a form sent to the console", "POST", "/", 405, "METHOD_NOT_ALLOWED"],
    ["changing a page of the console", "PUT", "/dashboard", 405, "METHOD_NOT_ALLOWED"],
    ["deleting a page of the console", "DELETE", "/hosts", 405, "METHOD_NOT_ALLOWED"],
    ["changing the console's links", "POST", "/console.json", 405, "METHOD_NOT_ALLOWED"],
    ["an unknown tRPC procedure", "GET", "/trpc/nope", 404, "NOT_FOUND"],
    ["deleting by a tRPC procedure", "DELETE", "/trpc/auth.me", 405, "METHOD_NOT_ALLOWED"],
    ["putting to a tRPC procedure", "PUT", "/trpc/auth.me", 405, "METHOD_NOT_ALLOWED"],
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

  it("names those of tRPC, too, and fails each call of a batch", async () => {
    const answer = await app.anonymous.raw("DELETE", "/trpc/auth.me,auth.me?batch=1");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect(answer.body).toHaveLength(2);
  });

  it("has its paths in one case only, so that nobody gets round what a proxy keeps away", async () => {
    for (const path of ["/API/auth/me", "/Trpc/auth.me"]) {
      const answer = await app.root.get(path);
      expect(JSON.stringify(answer.body)).not.toContain("mustChangePassword");
    }
  });

  it("answers HEAD as GET on tRPC too", async () => {
    const answer = await app.root.raw("HEAD", "/trpc/auth.me");
    expect([answer.status, answer.body]).toEqual([200, ""]);
    expect((await fetch(`${app.url}/trpc/auth.me`, { method: "HEAD" })).status).toBe(401);
  });

  it("does not hand back an unknown name at its full length, nor what is no text", async () => {
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

  it.each(["TRACE", "NONESUCH"])("refuses %s", async (method) => {
    const { hostname, port } = new URL(app.url);
    const request = `${method} /api/hosts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const answer = await rawHttp(hostname, Number(port), request);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain('"METHOD_NOT_ALLOWED"');
  });

  it("answers over HTTP/1.1 to who offers to upgrade to something else", async () => {
    const { hostname, port } = new URL(app.url);
    const upgrade =
      "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
    const answer = await rawHttp(hostname, Number(port), `GET /healthz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("answers garbage instead of HTTP with JSON too", async () => {
    const { hostname, port } = new URL(app.url);
    const answer = await rawHttp(hostname, Number(port), "no http at all\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"INVALID_INPUT"');
    expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/im);
    expect(answer).toMatch(/^X-Frame-Options: DENY\r$/im);
    expect(answer).toMatch(/^Content-Security-Policy: .*frame-ancestors 'none'/im);
  });

  it("does not take the token from the query string", async () => {
    expect((await app.anonymous.get(`/api/auth/me?token=${app.root.token}`)).status).toBe(401);
    expect((await app.anonymous.get(`/api/auth/me?access_token=${app.root.token}`)).status).toBe(401);
  });

  it("keeps answers out of caches and says nothing about the server", async () => {
    const { headers } = await app.root.get("/api/hosts");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';");
    expect(policy.replace("style-src 'self' 'unsafe-inline'", "")).not.toContain("unsafe");
  });

  it("lets no foreign origin read answers", async () => {
    const answer = await app.root.raw("GET", "/api/hosts", { headers: { origin: "https://evil.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("that https is to be used, for a year and on every subdomain,", () => {
  const HTTPS = { "x-forwarded-proto": "https" };
  const HSTS = "max-age=31536000; includeSubDomains";
  const direct = useApp();
  const proxied = useApp({ config: { trustProxy: 1 } });
  const told = async (url: string, headers: Record<string, string>) =>
    (await fetch(`${url}/healthz`, { headers })).headers.get("strict-transport-security");

  it("is told to who came by https, as the proxy says", async () => {
    expect(await told(proxied.url, HTTPS)).toBe(HSTS);
    expect(await told(proxied.url, { "x-forwarded-proto": "http" })).toBeNull();
    expect(await told(proxied.url, {})).toBeNull();
  });

  it("is told to nobody where no proxy is trusted: the header may be anybody's", async () => {
    expect(await told(direct.url, HTTPS)).toBeNull();
  });
});

describe("numbers and booleans in a query are taken literally or refused", () => {
  const app = useApp();

  it.each([
    "limit=1e1",
    "limit=0x10",
    "limit=1.5",
    "limit=%201",
    "limit=",
    "limit=1&limit=2",
    "page=0",
    "limit=101",
    "limit=+5",
    "page=１",
    "gone=yes",
    "gone=1",
    "gone=",
    "nope=1",
    "search=%00",
    "search=%ff",
    "__proto__=1",
    "constructor=1",
  ])("?%s", async (query) => {
    const answer = await app.root.get(`/api/hosts?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("takes plain ones", async () => {
    expect((await app.root.get("/api/hosts?page=1&limit=100&gone=false&assigned=true&expiring=7")).status).toBe(200);
  });
});

describe("bodies", () => {
  const app = useApp();
  const post = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = JSON_TYPE) =>
    app.root.raw("POST", "/api/hosts/configs", { body, headers });

  it.each([
    ["broken JSON", "{", 400],
    ["a list", "[]", 400],
    ["a text", '"x"', 400],
    ["null", "null", 400],
    ["an unknown field", JSON.stringify({ ...CONFIG_FIELDS, id: "1" }), 400],
    ["a prototype key", '{"__proto__":{"isDefault":true},"name":"x"}', 400],
    ["a constructor key", JSON.stringify({ ...CONFIG_FIELDS, constructor: {} }), 400],
    ["40 levels of brackets", `{"name":${"[".repeat(40)}${"]".repeat(40)}}`, 400],
    ["100,000 brackets", "[".repeat(100_000), 400],
    ["NUL in a text", JSON.stringify({ ...CONFIG_FIELDS, name: "a\0b" }), 400],
    ["half a surrogate pair", `{"name":"\\ud800"}`, 400],
    ["over 256 KiB", JSON.stringify({ name: "x".repeat(300_000) }), 413],
  ])("%s", async (_what, body, status) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      code: status === 413 ? "PAYLOAD_TOO_LARGE" : "INVALID_INPUT",
      message: expect.any(String),
    });
  });

  it("that are not UTF-8 are refused", async () => {
    expect((await post(new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  });

  it("may name their charset, if it is UTF-8", async () => {
    expect(
      (await post(JSON.stringify(CONFIG_FIELDS), { "content-type": "application/json; charset=UTF-8" })).status,
    ).toBe(201);
    expect((await post("{}", { "content-type": "application/json; charset=gbk" })).status).toBe(415);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/json-patch+json", ""])(
    "of type %j are refused",
    async (type) => {
      const answer = await post(new TextEncoder().encode("{}"), type === "" ? {} : { "content-type": type });
      expect(answer.status).toBe(415);
      expect(answer.body).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
    },
  );

  it("that are compressed are refused", async () => {
    expect((await post("{}", { ...JSON_TYPE, "content-encoding": "gzip" })).status).toBe(415);
  });

  it("name the field and the sentence of what is wrong, the first one on top", async () => {
    const answer = await post(JSON.stringify({ ...CONFIG_FIELDS, name: "", apiUrl: "ftp://x" }));
    expect(answer.body).toMatchObject({
      message: "配置名称不能为空",
      code: "INVALID_INPUT",
      errors: [
        { field: "name", message: "配置名称不能为空" },
        { field: "apiUrl", message: "API地址必须以http://或https://开头" },
      ],
    });
  });

  it("may not smuggle in what belongs into the path or the query", async () => {
    const id = await app.config();
    expect((await app.root.put(`/api/hosts/configs/${id}`, { id, name: "x" })).status).toBe(400);
    expect((await app.root.post("/api/hosts/sync", { configId: id })).status).toBe(400);
    expect((await app.root.post("/api/auth/logout", { all: true })).status).toBe(400);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });
});

describe("tRPC over HTTP", () => {
  const app = useApp();

  it("takes 20 calls in a batch and no more", async () => {
    const batch = (calls: number) => app.root.get(`/trpc/${Array(calls).fill("auth.me").join(",")}?batch=1&input={}`);
    expect((await batch(20)).status).toBe(200);
    const refused = await batch(21);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: { data: { code: "INVALID_INPUT", requestId: refused.headers.get("x-request-id") } },
    });
  });

  it("does not take queries and changes together", async () => {
    const answer = await app.root.post("/trpc/auth.me,auth.logout?batch=1", {});
    expect(answer.status).toBe(400);
    const failure = { error: { data: { code: "INVALID_INPUT", requestId: answer.headers.get("x-request-id") } } };
    expect(answer.body).toMatchObject([failure, failure]);
    expect((await app.root.get("/api/auth/me")).status).toBe(200);
  });

  it("fails with our own code, status, sentence and request id", async () => {
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

  it("asks for session and role before it looks at what was sent", async () => {
    const deep = `${"[".repeat(40)}${"]".repeat(40)}`;
    const client = await app.account("client");
    const requests: readonly (readonly [path: string, init: RequestInit, status: number])[] = [
      ["users.create", { body: "{}", headers: { "content-type": "text/plain" } }, 415],
      ["users.create", { headers: {} }, 415],
      ["users.create", { body: JSON.stringify({ name: "x".repeat(300_000) }), headers: JSON_TYPE }, 413],
      ["users.create", { body: deep, headers: JSON_TYPE }, 400],
      ["users.create?batch=1", { body: deep, headers: JSON_TYPE }, 400],
      ["auth.login,users.create?batch=1", { body: deep, headers: JSON_TYPE }, 400],
    ];
    for (const [path, init, status] of requests) {
      for (const [account, expected] of [
        [app.anonymous, 401],
        [client, 403],
        [app.root, status],
      ] as const) {
        const answer = await account.raw("POST", `/trpc/${path}`, init);
        expect([path, answer.status]).toEqual([path, expected]);
        const failures = [answer.body].flat();
        expect(failures).toHaveLength(path.split(",").length);
        for (const failure of failures) {
          expect(failure).toMatchObject({
            error: { data: { httpStatus: expected, requestId: answer.headers.get("x-request-id") } },
          });
        }
      }
    }
    const query = `/trpc/configs.list?input=${encodeURIComponent(deep)}`;
    const answers = await Promise.all([app.anonymous, client, app.root].map((account) => account.get(query)));
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 400]);
  });

  it("says what is wrong with an input to everybody, where everybody may call", async () => {
    const init = { body: "{}", headers: { "content-type": "text/plain" } };
    expect((await app.anonymous.raw("POST", "/trpc/auth.login", init)).status).toBe(415);
    expect((await app.anonymous.raw("POST", "/trpc/nope", init)).status).toBe(404);
  });

  it("checks the depth of inputs in the address and in bodies", async () => {
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    expect((await app.root.get(`/trpc/hosts.list?input=${encodeURIComponent(deep)}`)).status).toBe(400);
    expect((await app.root.raw("POST", "/trpc/hosts.assign", { body: deep, headers: JSON_TYPE })).status).toBe(400);
  });
});

function rawHttp(host: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, host, () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
