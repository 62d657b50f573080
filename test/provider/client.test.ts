import { createServer } from "node:net";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createProviderClient } from "../../src/server/provider/client.ts";
import { createOutboundGuard } from "../../src/server/egress/guard.ts";
import { type FlatParams, signParams } from "../../src/server/provider/sign.ts";
import { failureOf, OK, PRIVATE_KEY, PUBLIC_KEY, startClient } from "./client-bench.ts";
import { portOf, sendJson, startGateway } from "./fake-gateway.ts";

describe("one call", () => {
  it("posts flattened, signed JSON and answers the body with the request id", async () => {
    await using gateway = await startGateway((response) => sendJson(response, OK));
    await using bench = startClient(gateway.origin);
    const before = Math.floor(Date.now() / 1000);
    const answer = await bench.client.call("DescribeUHostInstance", { Limit: 100, UHostIds: ["a", "b"], Zone: null });
    expect(answer).toEqual({ body: OK, requestId: "req-1", askedAt: expect.any(Number) });
    expect([before, before + 1]).toContain(answer.askedAt);
    const { Signature, ...sent } = gateway.calls[0]?.params ?? {};
    expect(sent).toEqual({
      Action: "DescribeUHostInstance",
      Limit: 100,
      PublicKey: PUBLIC_KEY,
      "UHostIds.0": "a",
      "UHostIds.1": "b",
    });
    expect(Signature).toBe(signParams(sent as FlatParams, PRIVATE_KEY)); // toEqual above has shown the shape
  });

  it("asks for an answer that is not compressed", async () => {
    await using gateway = await startGateway((response) => {
      sendJson(response, { ...OK, Encoding: response.req.headers["accept-encoding"] });
    });
    await using bench = startClient(gateway.origin);
    expect((await bench.client.call("GetRegion")).body.Encoding).toBe("identity");
  });

  it("logs action, region, RetCode, request id and time, and nothing secret", async () => {
    await using gateway = await startGateway((response) =>
      sendJson(response, { RetCode: 171, Message: "upstream text" }),
    );
    await using bench = startClient(gateway.origin);
    await failureOf(bench.client.call("DescribeUHostInstance", { Region: "cn-bj2" }));
    expect(bench.lines).toHaveLength(1);
    expect(JSON.parse(bench.lines[0] ?? "")).toMatchObject({
      action: "DescribeUHostInstance",
      region: "cn-bj2",
      retCode: 171,
      outcome: "unauthorized",
      providerRequestId: "req-1",
      ms: expect.any(Number),
    });
    expect(bench.lines.join()).not.toMatch(/canary|upstream text|[0-9a-f]{40}/);
    expect(bench.calls).toEqual([
      { action: "DescribeUHostInstance", outcome: "unauthorized", retCode: 171, ms: expect.any(Number) },
    ]);
  });

  it("understands a RetCode that came as text", async () => {
    await using gateway = await startGateway((response, _call, number) =>
      sendJson(response, { ...OK, RetCode: number === 1 ? "0" : "299" }),
    );
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "forbidden", retCode: 299 });
  });

  it.each([
    ["HTML", "<html>502</html>", "malformed"],
    ["nothing", "", "malformed"],
    ["half a document", '{"RetCode":0,"Regions":[{"Re', "malformed"],
    ["a list", "[]", "malformed"],
    ["text", '"ok"', "malformed"],
    ["no RetCode", "{}", "malformed"],
    ["a wordy RetCode", '{"RetCode":"none"}', "malformed"],
    ["a fractional RetCode", '{"RetCode":0.5}', "malformed"],
    ["an endless number", '{"RetCode":1e999}', "malformed"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), "malformed"],
  ])("calls an answer that is %s malformed, without a second try", async (_name, body, kind) => {
    await using gateway = await startGateway((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    await using bench = startClient(gateway.origin);
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({
      kind,
      code: "PROVIDER_ERROR",
      retCode: null,
    });
    expect(gateway.calls).toHaveLength(1);
  });

  it("stops reading a body that is too large, announced or not", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    await using gateway = await startGateway((response) => {
      const feed = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", feed);
      feed();
    });
    await using bench = startClient(gateway.origin, { maxBodyBytes: 256 * 1024 });
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "too-large" });
    expect(gateway.calls).toHaveLength(1);
  });

  it("holds so much of all answers together, and takes small ones whatever the others do", async () => {
    const part = Buffer.alloc(2 * 1024 * 1024, 0x20);
    await using gateway = await startGateway((response, _call, number) => {
      if (number > 3) sendJson(response, OK);
      else response.writeHead(200).write(part);
    });
    await using bench = startClient(gateway.origin, { maxReadingBytes: 4 * 1024 * 1024 });
    const stop = new AbortController();
    const hanging = [1, 2, 3].map(() => bench.client.call("GetRegion", {}, { signal: stop.signal }));
    expect(await failureOf(Promise.race(hanging))).toMatchObject({ kind: "too-large" });
    // While the other two still come, and when they have taken all that there is.
    for (let n = 0; n < 50; n++) await bench.client.call("GetRegion");
    stop.abort();
    const ended = await Promise.allSettled(hanging);
    expect(ended.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
  });

  it.each([301, 302, 303, 307, 308])("takes a redirect (%d) for a failure and does not follow it", async (status) => {
    await using elsewhere = await startGateway((response) => sendJson(response, OK));
    await using gateway = await startGateway((response) => {
      response.writeHead(status, { location: elsewhere.origin }).end();
    });
    await using bench = startClient(gateway.origin);
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "redirect" });
    expect([gateway.calls.length, elsewhere.calls.length]).toEqual([1, 0]);
  });

  it("reads the RetCode of a 4xx answer, and names the status when there is none", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) sendJson(response, { RetCode: 172, Message: "User Not Exists" }, 400);
      else response.writeHead(404).end("not found");
    });
    await using bench = startClient(gateway.origin);
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "unauthorized", retCode: 172 });
    const missing = await failureOf(bench.client.call("GetRegion"));
    expect(missing.kind).toBe("unexpected");
    expect(missing.message).toContain("HTTP 404");
  });

  it("does not believe a 4xx answer that says that all is well", async () => {
    await using gateway = await startGateway((response) => sendJson(response, OK, 403));
    await using bench = startClient(gateway.origin);
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "unexpected", retCode: null });
  });

  it("ends a call that hangs before, and then in the middle of, the answer as PROVIDER_TIMEOUT", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 2) response.writeHead(200).write('{"RetCode":0,');
    });
    await using bench = startClient(gateway.origin, { callTimeoutMs: 150 });
    const startedAt = performance.now();
    const failure = await failureOf(bench.client.call("GetRegion"));
    expect(failure).toMatchObject({ kind: "timeout", code: "PROVIDER_TIMEOUT" });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(gateway.calls).toHaveLength(2);
  });

  it("asks a provider that hangs once a second time", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number > 1) sendJson(response, OK);
    });
    await using bench = startClient(gateway.origin, { callTimeoutMs: 300 });
    await bench.client.call("GetRegion");
    expect(bench.calls.map(({ outcome }) => outcome)).toEqual(["timeout", "ok"]);
  });

  it("does not reach a private address that is not allowed", async () => {
    await using gateway = await startGateway((response) => sendJson(response, OK));
    await using guard = createOutboundGuard({
      allowedOrigins: [],
      resolve: (_name, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const keys = { publicKey: PUBLIC_KEY, privateKey: PRIVATE_KEY, guard, log: pino({ level: "silent" }) };
    for (const apiUrl of [
      `http://127.0.0.1:${gateway.port}`,
      `http://localhost:${gateway.port}`,
      `http://api.example.com:${gateway.port}`,
      `http://user:pass@127.0.0.1:${gateway.port}`,
      "file:///etc/passwd",
    ]) {
      const failure = await failureOf(createProviderClient({ ...keys, apiUrl }).call("GetRegion"));
      expect(failure.kind, apiUrl).toBe("address-refused");
    }
    expect(gateway.calls).toHaveLength(0);
  });

  it.each([
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
  ] as const)("tells a name that fails to resolve (%s) as dns", async (code, kind) => {
    let lookups = 0;
    await using guard = createOutboundGuard({
      allowedOrigins: [],
      resolve: (_name, done) => {
        lookups += 1;
        done(Object.assign(new Error(code), { code }), []);
      },
    });
    const client = createProviderClient({
      apiUrl: "https://api.example.com",
      publicKey: PUBLIC_KEY,
      privateKey: PRIVATE_KEY,
      guard,
      log: pino({ level: "silent" }),
      limits: { retryBaseMs: 1 },
    });
    expect((await failureOf(client.call("GetRegion"))).kind).toBe(kind);
    expect(lookups).toBe(4);
  });

  it("tells a server that does not speak TLS, or HTTP, apart from one that is away", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const port = portOf(server);
    {
      await using secure = startClient(`https://127.0.0.1:${port}`);
      expect((await failureOf(secure.client.call("GetRegion"))).kind).toBe("tls");
      await using plain = startClient(`http://127.0.0.1:${port}`);
      expect((await failureOf(plain.client.call("GetRegion"))).kind).toBe("malformed");
    }
    await new Promise((resolve) => server.close(resolve));
    await using away = startClient(`http://127.0.0.1:${port}`, { maxRetries: 1 });
    expect((await failureOf(away.client.call("GetRegion"))).kind).toBe("network");
    expect(away.calls).toHaveLength(2);
  });
});
