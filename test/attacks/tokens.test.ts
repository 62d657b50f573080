import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { sendRaw, statuses } from "./requests.ts";

// All tests call from one address.
const app = useApp({ config: { connectionLimits: { total: 2_000, perAddress: 1_000 } } });
const ME = "/api/auth/me";

const raw = (...headers: string[]) =>
  sendRaw(app.url, [`GET ${ME} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"));

describe("bearer tokens", () => {
  it("rejects a token that was changed in any way", async () => {
    const token = app.root.token ?? "";
    const hash = createHash("sha256").update(token).digest();
    const forged = [
      token.slice(0, -1),
      `${token}A`,
      `${token}.`,
      token.toUpperCase(),
      [...token].reverse().join(""),
      `${token.slice(0, 20)}%00${token.slice(20)}`,
      `${token},${token}`,
      `"${token}"`,
      Buffer.from(token, "base64url").toString("base64").replace(/^./, "-"),
      hash.toString("hex"),
      hash.toString("base64url"),
      app.root.id,
      "null",
      "' or '1'='1",
      "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic3VwZXJfYWRtaW4ifQ.",
      "A".repeat(201),
      "A".repeat(10_000),
    ];
    for (const each of forged) expect(statuses(await raw(`Authorization: Bearer ${each}`)), each).toEqual([401]);
  });

  it("rejects a token under another scheme or in a malformed header", async () => {
    const { token } = app.root;
    for (const value of [
      "",
      "Bearer",
      "Bearer ",
      `${token}`,
      `Basic ${token}`,
      `Bearer:${token}`,
      `Bearer${token}`,
      `Bearer ${token} x`,
      `Bearer x ${token}`,
      `Bearer x, Bearer ${token}`,
      `Basic ${Buffer.from("root:Correct1Horse").toString("base64")}`,
    ]) {
      expect(statuses(await raw(`Authorization: ${value}`)), value).toEqual([401]);
    }
  });

  it("accepts a token only in the Authorization header", async () => {
    const { token } = app.root;
    for (const header of [
      `Cookie: token=${token}`,
      `X-Authorization: Bearer ${token}`,
      `X-Auth-Token: ${token}`,
      `Proxy-Authorization: Bearer ${token}`,
      `X-Forwarded-User: root`,
    ]) {
      expect(statuses(await raw(header)), header).toEqual([401]);
    }
    for (const name of ["authorization", "bearer", "api_key", "session", "connectionParams"]) {
      expect((await app.anonymous.get(`${ME}?${name}=Bearer%20${token}`)).status, name).toBe(401);
    }
    const body = JSON.stringify({ token });
    const headers = { "content-type": "application/json" };
    expect((await app.anonymous.raw("POST", "/api/auth/refresh", { body, headers })).status).toBe(401);
  });

  it("two Authorization headers count as the first one or as none", async () => {
    const client = await app.account("client");
    const [first, second] = [`Authorization: Bearer ${client.token}`, `Authorization: Bearer ${app.root.token}`];
    expect(await raw(first, second)).not.toContain('"username":"root"');
    expect(statuses(await raw("Authorization: Bearer no-such-token", second))[0]).not.toBe(200);
    expect(statuses(await raw(`${second}\r\n , Bearer x`))[0]).not.toBe(200);
  });

  it("a valid token stays valid while hundreds of wrong ones arrive", async () => {
    const wrong = Array.from({ length: 300 }, (_, n) =>
      app.anonymous.raw("GET", ME, { headers: { authorization: `Bearer ${"x".repeat(40)}${n}` } }),
    );
    const right = app.root.get(ME);
    for (const { status } of await Promise.all(wrong)) expect(status).toBe(401);
    expect((await right).status).toBe(200);
  });
});
