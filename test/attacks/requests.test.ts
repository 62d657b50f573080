import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { sendRaw, statuses } from "../harness/raw-requests.ts";
import { scratchDirectory } from "../harness/scratch.ts";

// A console that lies as the built one does, below a file that nobody may read.
const root = scratchDirectory();
const consoleDir = join(root, "dist/client");
mkdirSync(consoleDir, { recursive: true });
writeFileSync(join(consoleDir, "index.html"), "控制台");
writeFileSync(join(root, "package.json"), '{"dependencies":{}}');

const app = useApp({
  overrides: { consoleDir },
  config: { connectionLimits: { total: 2_000, perAddress: 1_000 } },
});
const ME = "/api/auth/me";
const END = "\r\n\r\n";
const words = (text: string) => text.trim().split(/\s+/);

function get(path: string, ...headers: string[]): Promise<string> {
  return sendRaw(
    app.url,
    [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close", ...headers].join("\r\n") + END,
  );
}

describe("a request that two servers may read differently", () => {
  /** The only request with a session. */
  const smuggled = () =>
    `PUT /api/system-config HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.root.token}\r\nContent-Type: application/json\r\nContent-Length: 36${END}{"show_network_info_to_client":true }`;
  const post = (...headers: string[]) =>
    ["POST /api/auth/login HTTP/1.1", "Host: x", "Content-Type: application/json", ...headers].join(
      "\r\n",
    ) + END;

  const AMBIGUOUS = {
    "a length and chunks": `${post("Content-Length: 4", "Transfer-Encoding: chunked")}0${END}`,
    "an unknown coding": `${post("Transfer-Encoding: xchunked")}0${END}`,
    "a space before the colon": `${post("Content-Length : 0")}0${END}`,
    "a chunk without an end": `${post("Transfer-Encoding: chunked")}2\r\n{}XX0${END}`,
    "a TLS greeting": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "headers of 20 KB": `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${"a".repeat(20_000)}${END}`,
  };

  it("is rejected, closes the connection, and smuggles no other", async () => {
    for (const [what, text] of Object.entries(AMBIGUOUS)) {
      const received = await sendRaw(app.url, `${text}${smuggled()}`);
      expect(statuses(received), what).toEqual([400]);
      expect(received, what).toContain('"INVALID_INPUT"');
      expect(received, what).toMatch(/^Connection: close\r$/m);
      expect((await app.root.get("/api/system-config")).body).toEqual({
        show_network_info_to_client: false,
      });
    }
  });

  it("that names no host or two hosts is rejected", async () => {
    for (const hosts of [["Host: a", "Host: b"], ["Host: x", "host: x"], []]) {
      const received = await sendRaw(app.url, [`GET ${ME} HTTP/1.1`, ...hosts].join("\r\n") + END);
      expect(statuses(received), hosts.join()).toEqual([400]);
      expect(received).not.toContain('"data"');
    }
  });
});

/** Spellings of /api/users that filters, proxies and routers may interpret differently. */
const USERS = words(String.raw`
  //api/users /api//users /api/x/../users /api/hosts/..%2fusers /api/%2e/users /api%2fusers /api%252fusers /api%5cusers
  /api\users /API/users /api/Users /%61pi/users /api/users/ /api/users; /api;x/users /api/users%20 /api/users%0a
  /api/users%00.json /api/users.json /api/users%zz /api/users%c0%af /api/users%3f /assets/..%2f..%2fapi/users
  /api/docs/../users /healthz/../api/users http://x/api/users *
`);
/** Files outside the console. */
const FILES = words(`
  /../package.json /..%2fpackage.json /%2e%2e/package.json /assets/../../../package.json /assets/..%5c..%5cpackage.json
  /....//package.json //etc/passwd /%2fetc%2fpasswd /file:///etc/passwd /.git/config /api/docs/..%2f..%2fpackage.json
`);

it("an unusual path grants no more than the plain path and reaches no file", async () => {
  const client = await app.account("client");
  for (const path of [...USERS, ...FILES]) {
    for (const headers of [[], [`Authorization: Bearer ${client.token}`]]) {
      const received = await get(path, ...headers);
      expect(received, path).not.toMatch(
        /"users":|"username":|"dependencies"|root:x:|\[core\]|ADMIN_/,
      );
      expect(statuses(received)[0] ?? 0, path).toBeLessThan(500);
    }
  }

  // A proxy may block /api only in lower case.
  expect(await get("/API/users", `Authorization: Bearer ${app.root.token}`)).not.toContain(
    '"users":',
  );
});

describe("a token", () => {
  it("that was changed in any way, or is under another scheme, is rejected", async () => {
    const token = app.root.token ?? "";
    const hash = createHash("sha256").update(token).digest();
    const changed = [
      ...[
        token.slice(0, -1),
        `${token}A`,
        token.toUpperCase(),
        `${token},${token}`,
        `"${token}"`,
        `${token} x`,
      ],
      ...[
        hash.toString("hex"),
        hash.toString("base64url"),
        app.root.id,
        "' or '1'='1",
        "A".repeat(10_000),
      ],
      ...["eyJhbGciOiJub25lIn0.eyJyb2xlIjoic3VwZXJfYWRtaW4ifQ.", `x, Bearer ${token}`],
    ].map((each) => `Bearer ${each}`);
    for (const value of [
      ...changed,
      "",
      "Bearer",
      token,
      `Basic ${token}`,
      `Bearer:${token}`,
      `Bearer${token}`,
    ]) {
      expect(statuses(await get(ME, `Authorization: ${value}`)), value).toEqual([401]);
    }
  });

  it("is accepted only in the Authorization header, of which the first counts or none", async () => {
    const { token } = app.root;
    for (const name of ["Cookie: token=", "X-Auth-Token: ", "Proxy-Authorization: Bearer "]) {
      expect(statuses(await get(ME, `${name}${token}`)), name).toEqual([401]);
    }
    for (const name of ["authorization", "token", "connectionParams"]) {
      expect((await app.anonymous.get(`${ME}?${name}=Bearer%20${token}`)).status, name).toBe(401);
    }
    expect((await app.anonymous.post("/api/auth/refresh", { token })).status).toBe(401);
    const client = await app.account("client");
    const first = `Authorization: Bearer ${client.token}`;
    const second = `Authorization: Bearer ${token}`;
    expect(await get(ME, first, second)).not.toContain('"username":"root"');
    expect(statuses(await get(ME, "Authorization: Bearer no-such-token", second))[0]).not.toBe(200);
  });
});
