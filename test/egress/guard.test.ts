import { request } from "undici";
import { describe, expect, it, vi } from "vitest";
import {
  createOutboundGuard,
  type OutboundGuardOptions,
  type ResolveAll,
} from "../../src/server/platform/egress/guard.ts";
import { sendJson, startGateway } from "../harness/fake-gateway.ts";

const words = (text: string) => text.trim().split(/\s+/);

const REFUSED = words(`
  http://127.0.0.1/ http://127.0.0.1:8080/ https://127.255.255.254/ http://127.1/ http://2130706433/ http://0x7f000001/
  http://0x7f.0.0.1/ http://0177.0.0.1/ http://127.0.0.1./ http://127。0。0。1/ http://１２７.0.0.1/ http://%31%32%37.0.0.1/
  http:\\\\127.0.0.1\\ http:127.0.0.1 http://0.0.0.0/ http://0/ http://0.1.2.3/ http://10.10.10.10/ http://100.64.0.1/
  http://100.100.100.200/ http://169.254.169.254/latest/meta-data/ http://172.16.0.1/ http://172.31.255.255/
  http://192.0.0.1/ http://192.168.1.1/ http://198.18.0.1/ http://198.19.255.255/ http://224.0.0.1/ http://239.255.255.255/
  http://240.0.0.1/ http://255.255.255.255/ http://[::]/ http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[::127.0.0.1]/
  http://[::ffff:7f00:1]/ http://[::ffff:8.8.8.8]/ http://[::ffff:0:127.0.0.1]/ http://[64:ff9b::7f00:1]/
  http://[64:ff9b:1::1]/ http://[2002:7f00:1::]/ http://[2001:0:1::1]/ http://[fc00::1]/ http://[fdff::1]/
  http://[fe80::1]/ http://[febf::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[2001:db8::1]/ http://[4000::1]/
  http://localhost/ http://LOCALHOST:3000/ http://localhost./ http://api.localhost/ http://localhost.localdomain/
  http://printer.local/ http://metadata.google.internal/ http://router.home.arpa/ http://api.ucloud.cn./
`);

/**
 * Spellings that a URL parser may resolve to an internal address; refused in one way or the other.
 */
const OBSCURE = words(`
  0x7f.1 0X7F000001 0177.0.0.01 00000177.0.0.1 127.0x1 127.65535 2130706433. 0x7f000001. 0300.0250.1.1 0xa9fea9fe
  2852039166 0251.0376.0251.0376 169.254.43518 0x00 00 ⑫⑦.⓪.⓪.① 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
  localhoſt local%68ost loc\u00adalhost a.b.localhost 127.0.0.1.localhost localhost。 printer.LOCAL.
  [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:7F00:0001] [::ffff:a9fe:a9fe] [64:ff9b::169.254.169.254] [64:ff9b:1:7f00:0:100::]
  [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [fe80::1%25lo] [fe80::1%lo] [100::1] [5f00::1] [ff01::1]
  example.com:80@127.0.0.1 127.0.0.1#@example.com 127.0.0.1?@example.com 127.0.0.1\\@example.com
  127.0.0.1%00.example.com 127.0.0.1%0d%0aHost:x
`);

const UNREADABLE = words(`
  api.ucloud.cn //api.ucloud.cn ftp://api.ucloud.cn/ file:///etc/passwd javascript:alert(1) http://
  http://user@api.ucloud.cn/ http://:secret@api.ucloud.cn/ http://api.ucloud.cn@127.0.0.1/ http://[fe80::1%25eth0]/
  http://256.1.1.1/ http://1.2.3.4.5/ http://api.ucloud.cn:99999/
`);

const PUBLIC = words(`
  https://api.ucloud.cn https://api.ucloud.cn/ http://api.ucloud.cn:8080/v1/ HTTPS://API.UCLOUD.CN
  https://8.8.8.8/ http://134744072/ http://172.32.0.1/ http://100.128.0.1/ http://[2606:4700::1111]/
`);

const ADDRESS_REFUSED = { code: "ADDRESS_REFUSED" };
const publicNames = resolvingTo("8.8.8.8");

function resolvingTo(...addresses: string[]): ResolveAll {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_name, done) => done(null, found);
}

async function check(url: string, more: Partial<OutboundGuardOptions> = {}) {
  await using guard = createOutboundGuard({ allowedOrigins: [], resolve: publicNames, ...more });
  return await guard.checkUrl(url);
}

describe("checking an address before it is saved", () => {
  it.each<[verdict: string, urls: string[], expected: object]>([
    ["refuses internal", REFUSED, { ok: false, message: expect.stringContaining("不能指向内网") }],
    [
      "refuses obscure",
      OBSCURE.map((host) => `http://${host}/`),
      { ok: false, message: expect.any(String) },
    ],
    [
      "does not understand",
      ["", ...UNREADABLE],
      { ok: false, message: expect.stringContaining("格式不正确") },
    ],
    ["accepts public", PUBLIC, { ok: true }],
  ])("%s addresses", async (_verdict, urls, expected) => {
    for (const url of urls) expect.soft(await check(url), url).toEqual(expected);
  });

  it.each([
    [["127.0.0.1"], false],
    [["8.8.8.8", "10.0.0.1"], false],
    [["8.8.8.8", "::ffff:169.254.169.254"], false],
    [["8.8.8.8", "2606:4700::1111"], true],
  ])("judges a name by all its addresses %j", async (addresses, ok) => {
    expect(
      (await check("http://api.example.com/", { resolve: resolvingTo(...addresses) })).ok,
    ).toBe(ok);
  });

  it("accepts a name that does not resolve now", async () => {
    const notResolving: ResolveAll = (_name, done) =>
      done(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);

    expect(await check("https://api.example.invalid", { resolve: notResolving })).toEqual({
      ok: true,
    });
  });

  it("waits 5 s for DNS, then accepts the name", async () => {
    vi.useFakeTimers();
    try {
      const checked = check("https://api.example.invalid", { resolve: () => {} });
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await checked).toEqual({ ok: true });
    } finally {
      vi.useRealTimers();
    }
  });

  it("lets the allowed origins through, and no other port, scheme or spelling", async () => {
    const allowedOrigins = ["http://127.0.0.1:4999", "http://simulator:4999/"];
    const options = { allowedOrigins, resolve: resolvingTo("10.0.0.1") };
    const allowed = ["http://127.0.0.1:4999/any/path", "http://simulator:4999"];
    const others = words(`
      http://127.0.0.1:4998 https://127.0.0.1:4999 http://127.0.0.1 http://localhost:4999 http://127.0.0.2:4999
      http://simulator:5000 http://x@127.0.0.1:4999 http://127.0.0.1:4999@10.0.0.1/ http://127.0.0.1:4999.example.com/
    `);
    for (const url of allowed) expect(await check(url, options), url).toEqual({ ok: true });
    for (const url of others) expect(await check(url, options), url).toMatchObject({ ok: false });
  });
});

describe("what the operator allows as host:port", () => {
  const options = {
    allowedOrigins: [],
    allowedServers: ["127.0.0.1:4999", "relay:25", "[::1]:443"],
    resolve: resolvingTo("10.0.0.1"),
  };

  it("may be called over both schemes, and at no other port", async () => {
    const allowed = words(
      "http://127.0.0.1:4999/ https://127.0.0.1:4999/ https://[::1]/ http://RELAY:25/",
    );
    const others = words("http://127.0.0.1/ https://relay/ http://[::1]/ http://127.0.0.2:4999/");

    for (const url of allowed) expect(await check(url, options), url).toEqual({ ok: true });
    for (const url of others) expect(await check(url, options), url).toMatchObject({ ok: false });
  });

  it("may be without TLS", async () => {
    await using guard = createOutboundGuard(options);

    expect(guard.isAllowed("http://127.0.0.1:4999/hook")).toBe(true);
    expect(guard.isAllowed("http://api.example.com/hook")).toBe(false);
    expect(guard.isAllowed("no address")).toBe(false);
  });

  it("may be a private mail relay", async () => {
    await using guard = createOutboundGuard(options);

    expect(await guard.resolveChecked("relay", 25)).toEqual([{ address: "10.0.0.1", family: 4 }]);
    expect(await guard.resolveChecked("::1", 443)).toEqual([{ address: "::1", family: 6 }]);
    await expect(guard.resolveChecked("relay", 587)).rejects.toMatchObject(ADDRESS_REFUSED);
  });
});

describe("resolving the server of another protocol", () => {
  it("answers the checked addresses of a public server", async () => {
    await using guard = createOutboundGuard({ allowedOrigins: [], resolve: publicNames });

    const expected = [{ address: "8.8.8.8", family: 4 }];
    expect(await guard.resolveChecked("smtp.example.com", 465)).toEqual(expected);
    expect(await guard.resolveChecked("8.8.8.8", 465)).toEqual(expected);
  });

  it.each([
    ["a private name", "localhost", "8.8.8.8"],
    ["a private address", "127.0.0.1", "8.8.8.8"],
    ["a name with one private address", "smtp.example.com", "8.8.8.8", "10.0.0.1"],
    ["a name without addresses", "smtp.example.com"],
  ])("refuses %s", async (_what, hostname, ...addresses) => {
    await using guard = createOutboundGuard({
      allowedOrigins: [],
      resolve: resolvingTo(...addresses),
    });

    await expect(guard.resolveChecked(hostname, 465)).rejects.toMatchObject(ADDRESS_REFUSED);
  });

  it("ends a lookup that hangs", async () => {
    await using guard = createOutboundGuard({
      allowedOrigins: [],
      resolve: () => {},
      connectTimeoutMs: 100,
    });

    await expect(guard.resolveChecked("smtp.example.com", 465)).rejects.toThrow("timed out");
  });
});

describe("connecting", () => {
  it("refuses a name that turns private after it was saved", async () => {
    await using gateway = await startGateway((response) => sendJson(response, {}));
    let address = "8.8.8.8";
    const resolve: ResolveAll = (name, done) => resolvingTo(address)(name, done);
    await using guard = createOutboundGuard({ allowedOrigins: [], resolve });
    const url = `http://rebind.example.com:${gateway.port}/`;
    expect(await guard.checkUrl(url)).toEqual({ ok: true });
    address = "127.0.0.1";
    await expect(request(url, { dispatcher: guard.dispatcher })).rejects.toMatchObject({
      code: "ADDRESS_REFUSED",
    });
    expect(gateway.calls).toHaveLength(0);
  });

  it("refuses private literals and names, which DNS never resolves", async () => {
    await using gateway = await startGateway((response) => sendJson(response, {}));
    await using guard = createOutboundGuard({
      allowedOrigins: ["http://127.0.0.1:1"],
      resolve: publicNames,
    });
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "[::ffff:127.0.0.1]",
      "[::1]",
      "localhost",
      "127.0.0.1.",
    ]) {
      const refused = request(`http://${host}:${gateway.port}/`, { dispatcher: guard.dispatcher });
      await expect(refused, host).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    }

    expect(gateway.calls).toHaveLength(0);
  });

  it("ends a DNS lookup that hangs", async () => {
    await using guard = createOutboundGuard({
      allowedOrigins: [],
      resolve: () => {},
      connectTimeoutMs: 100,
    });
    const hanging = request("http://api.example.com/", { dispatcher: guard.dispatcher });

    await expect(hanging).rejects.toMatchObject({ code: "UND_ERR_CONNECT_TIMEOUT" });
  });
});
