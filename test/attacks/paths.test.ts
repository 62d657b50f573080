import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { sendRaw, statuses } from "./requests.ts";

const app = useApp();

const words = (text: string) => text.trim().split(/\s+/);

/** Spellings of /api/users that filters, proxies and routers may interpret differently. */
const USERS = words(String.raw`
  //api/users /api//users /api/./users /api/x/../users /api/hosts/..%2fusers /api/%2e/users /api/%2e%2e/api/users
  /api%2fusers /api%252fusers /api%5cusers /api\users \api\users /API/users /api/Users /%61pi/users /api/%75sers
  /api/users/ /api/users/. /api/users; /api/users;a=1 /api;x/users /;x/api/users /api/users%3bx /api/users%20
  /api/users%0a /api/users%00 /api/users%00.json /api/users.json /api/users% /api/users%zz /api/users%c0%af
  /api/users%ff /api/users%3f /api/users#x /assets/../api/users /assets/..%2f..%2fapi/users /api/docs/../users
  /api/openapi.json/../users /healthz/../api/users /metrics;/../api/users
`);

/** Files outside the console. */
const FILES = words(`
  /../package.json /..%2fpackage.json /%2e%2e/package.json /assets/../../../package.json /assets/..%5c..%5cpackage.json
  /assets/..%2f..%2f..%2fpackage.json /....//package.json //etc/passwd /%2fetc%2fpasswd /file:///etc/passwd /.git/config
  /.env /api/docs/../../../package.json /api/docs/..%2f..%2fpackage.json
`);

async function get(path: string, token: string | null, ...more: string[]): Promise<string> {
  const lines = token === null ? more : [`Authorization: Bearer ${token}`, ...more];
  const head = [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close", ...lines, "", ""];
  return await sendRaw(app.url, head.join("\r\n"));
}

it("an unusual spelling of a path grants no more than the plain path", async () => {
  const client = await app.account("client");
  for (const path of USERS) {
    for (const token of [null, client.token]) {
      const received = await get(path, token);
      expect(received, path).not.toMatch(/"users":|"username":/);
      expect(statuses(received)[0] ?? 0, path).toBeLessThan(500);
    }
  }
});

it("no spelling of a path reaches a file of the server", async () => {
  for (const path of FILES) {
    const received = await get(path, null);
    expect(received, path).not.toMatch(/"dependencies"|root:x:|\[core\]|ADMIN_/);
    expect(statuses(received)[0], path).toBeLessThan(500);
  }
});

it("a method override in a header, the query or the body is ignored", async () => {
  const user = await app.account("client");
  const path = `/api/users/${user.id}`;
  for (const name of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"]) {
    const headers = { [name]: "DELETE" };
    expect((await app.root.raw("GET", path, { headers })).status, name).toBe(200);
    expect((await app.root.raw("POST", path, { headers })).status, name).toBe(405);
  }
  expect((await app.root.raw("POST", `${path}?_method=DELETE`)).status).toBe(405);
  expect((await app.root.put(path, { _method: "DELETE" })).status).toBe(400);
  expect((await app.root.get(path)).data.username).toBe(user.username);
});

it("a path override in a header is ignored", async () => {
  const client = await app.account("client");
  for (const name of ["X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix", "X-Forwarded-Uri"]) {
    const received = await get("/api/auth/me", client.token, `${name}: /api/users`);
    expect(received, name).toContain(`"username":"${client.username}"`);
    expect(received, name).not.toContain('"users":');
    expect(await get("/healthz", null, `${name}: /api/users`), name).not.toContain('"users":');
  }
});
