import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { openConnection, sendRaw, statuses } from "./requests.ts";

const app = useApp();
const END = "\r\n\r\n";
/** The smuggled request, the only one with a session. */
const hidden = () =>
  `PUT /api/system-config HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.root.token}\r\nContent-Type: application/json\r\nContent-Length: 36${END}{"show_network_info_to_client":true }`;
const post = (...headers: string[]) =>
  ["POST /api/auth/login HTTP/1.1", "Host: x", "Content-Type: application/json", ...headers].join("\r\n") + END;

async function expectNoSmuggledCall(): Promise<void> {
  expect((await app.root.get("/api/system-config")).body).toEqual({ show_network_info_to_client: false });
  expect((await app.root.get("/api/auth/me")).status).toBe(200);
}

const AMBIGUOUS_HEADERS: Readonly<Record<string, readonly string[]>> = {
  "a length and chunks": ["Content-Length: 4", "Transfer-Encoding: chunked"],
  "chunks and a length": ["Transfer-Encoding: chunked", "Content-Length: 4"],
  "two lengths": ["Content-Length: 0", "Content-Length: 44"],
  "a list of lengths": ["Content-Length: 0, 44"],
  "a signed length": ["Content-Length: +0"],
  "a negative length": ["Content-Length: -1"],
  "a length in hex": ["Content-Length: 0x0"],
  "an endless length": ["Content-Length: 99999999999999999999"],
  "an unknown coding": ["Transfer-Encoding: xchunked"],
  "a coding after chunked": ["Transfer-Encoding: chunked, identity"],
  "a folded header": ["X-Folded: a", " b", "Content-Length: 0"],
  "a space before the colon": ["Content-Length : 0"],
  "a header without a name": [": x"],
  "a header without a colon": ["Content-Length"],
  "NUL in a header": ["X-Nul: a\0b"],
  "a bare CR in a header": ["X-Bare: a\rContent-Length: 0"],
  "a tab before a header's name": ["\tContent-Length: 0"],
};

/** Malformed beginnings of a connection. */
const MALFORMED_BEGINNINGS: Readonly<Record<string, string>> = {
  "bare line feeds": `POST /api/auth/login HTTP/1.1\nHost: x\nContent-Length: 0\n\n`,
  "a chunk's size that is none": `${post("Transfer-Encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`,
  "a chunk without an end": `${post("Transfer-Encoding: chunked")}2\r\n{}XX0\r\n\r\n`,
  "a chunk beyond every number": `${post("Transfer-Encoding: chunked")}FFFFFFFFFFFFFFFFF\r\n`,
  "a version that is none": `GET /healthz HTTP/9.9\r\nHost: x${END}`,
  "an unknown method": `HACK /api/hosts HTTP/1.1\r\nHost: x${END}`,
  "another protocol's greeting": `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  "a TLS greeting": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "headers of 20 KB": `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: ${"a".repeat(20_000)}${END}`,
  "an address of 20 KB": `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x${END}`,
};

it.each([
  ["ambiguous framing", Object.entries(AMBIGUOUS_HEADERS).map(([what, lines]) => [what, `${post(...lines)}0${END}`])],
  ["a malformed beginning", Object.entries(MALFORMED_BEGINNINGS)],
])("%s is rejected, closes the connection, and smuggles no request", async (_kind, requests) => {
  for (const [what, text] of requests) {
    const received = await sendRaw(app.url, `${text}${hidden()}`);
    expect(statuses(received), what).toEqual([400]);
    expect(received, what).toContain('"INVALID_INPUT"');
    expect(received, what).toMatch(/^Connection: close\r$/m);
    await expectNoSmuggledCall();
  }
});

it("a request target that is no path reaches nothing and no other server", async () => {
  for (const target of [
    "GET http://169.254.169.254/latest/meta-data/",
    "GET https://evil.example:8443/api/auth/me",
    "GET *",
    "OPTIONS *",
    "TRACE http://evil.example/",
    "PROPFIND /api/hosts",
  ]) {
    const received = await sendRaw(app.url, `${target} HTTP/1.1\r\nHost: x\r\nX-Canary: come-back${END}`);
    expect(statuses(received), target).toHaveLength(1);
    expect(received, target).not.toMatch(/come-back|"data":|ami-id| 5\d\d /);
  }
});

it.each(["CONNECT 169.254.169.254:80", "CONNECT /api/hosts"])("%s opens no tunnel", async (target) => {
  expect(await sendRaw(app.url, `${target} HTTP/1.1\r\nHost: x${END}${hidden()}`)).toBe("");
  await expectNoSmuggledCall();
});

it.each([[["Host: a", "Host: b"]], [["Host: x", "host: x"]], [[]]])(
  "a request with the Host headers %j is rejected",
  async (hosts) => {
    const received = await sendRaw(app.url, ["GET /api/auth/me HTTP/1.1", ...hosts, "", ""].join("\r\n"));
    expect(statuses(received)).toEqual([400]);
    expect(received).not.toContain('"data"');
  },
);

it("answers pipelined requests in order, each for its own caller", async () => {
  const me = (token: string) => `GET /api/auth/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}${END}`;
  const bare = `GET /api/auth/me HTTP/1.1\r\nHost: x${END}`;
  const client = await app.account("client");
  const received = await sendRaw(app.url, me(app.root.token ?? "") + bare + me(client.token ?? "") + bare);
  expect(statuses(received)).toEqual([200, 401, 200, 401]);
  expect([...received.matchAll(/"username":"(\w+)"/g)].map(([, name]) => name)).toEqual(["root", client.username]);
});

it("150 connections with endless headers do not delay other callers", async () => {
  using slow = new DisposableStack();
  for (let n = 0; n < 150; n++) slow.use(await openConnection(app.url)).write("GET /healthz HTTP/1.1\r\nX-Slow: ");
  const began = performance.now();
  await expectNoSmuggledCall();
  expect(performance.now() - began).toBeLessThan(2_000);
});
