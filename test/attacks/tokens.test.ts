import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { sendRaw, statuses } from "./requests.ts";

const app = useApp({ config: { connectionLimits: { total: 2_000, perAddress: 1_000 } } });
const ME = "/api/auth/me";

const get = (...headers: string[]) =>
  sendRaw(app.url, [`GET ${ME} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"));

it("a token that was changed in any way, or is under another scheme, is rejected", async () => {
  const token = app.root.token ?? "";
  const hash = createHash("sha256").update(token).digest();
  const forged = [
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    `${token.slice(0, 20)}%00${token.slice(20)}`,
    `${token},${token}`,
    `"${token}"`,
    Buffer.from(token, "base64url").toString("base64").replace(/^./, "-"),
    hash.toString("hex"),
    hash.toString("base64url"),
    app.root.id,
    "' or '1'='1",
    "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic3VwZXJfYWRtaW4ifQ.",
    "A".repeat(10_000),
    `${token} x`,
    `x ${token}`,
    `x, Bearer ${token}`,
  ].map((each) => `Bearer ${each}`);
  const malformed = ["", "Bearer", token, `Basic ${token}`, `Bearer:${token}`, `Bearer${token}`];
  for (const value of [...forged, ...malformed]) {
    expect(statuses(await get(`Authorization: ${value}`)), value).toEqual([401]);
  }
});

it("a token is accepted only in the Authorization header", async () => {
  const { token } = app.root;
  for (const header of [
    `Cookie: token=${token}`,
    `X-Authorization: Bearer ${token}`,
    `X-Auth-Token: ${token}`,
    `Proxy-Authorization: Bearer ${token}`,
    `X-Forwarded-User: root`,
  ]) {
    expect(statuses(await get(header)), header).toEqual([401]);
  }
  for (const name of ["authorization", "bearer", "api_key", "session", "connectionParams"]) {
    expect((await app.anonymous.get(`${ME}?${name}=Bearer%20${token}`)).status, name).toBe(401);
  }
  expect((await app.anonymous.post("/api/auth/refresh", { token })).status).toBe(401);
});

it("two Authorization headers count as the first one or as none", async () => {
  const client = await app.account("client");
  const [first, second] = [`Authorization: Bearer ${client.token}`, `Authorization: Bearer ${app.root.token}`];
  expect(await get(first, second)).not.toContain('"username":"root"');
  expect(statuses(await get("Authorization: Bearer no-such-token", second))[0]).not.toBe(200);
  expect(statuses(await get(`${second}\r\n , Bearer x`))[0]).not.toBe(200);
});

it("a valid token stays valid while hundreds of wrong ones arrive", async () => {
  const wrong = Array.from({ length: 300 }, (_, n) =>
    app.anonymous.raw("GET", ME, { headers: { authorization: `Bearer ${"x".repeat(40)}${n}` } }),
  );
  const right = app.root.get(ME);
  for (const { status } of await Promise.all(wrong)) expect(status).toBe(401);
  expect((await right).status).toBe(200);
});
