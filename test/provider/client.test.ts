import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isUnanswered, RET_CODES, retCodeFailure } from "../../src/server/provider/failure.ts";
import { signParams } from "../../src/server/provider/sign.ts";
import { manualClock } from "../harness/manual-clock.ts";
import { portOf, sendJson, startGateway } from "./fake-gateway.ts";
import { type Certificate, selfSigned } from "./self-signed.ts";
import { failureOf, OK, PRIVATE_KEY, PUBLIC_KEY, serve, startClient } from "./start-client.ts";

describe("one call", () => {
  it("posts flattened, signed JSON and returns the body with the request id", async () => {
    await using started = await serve([OK], { clock: manualClock() });
    const params = { Limit: 100, UHostIds: ["a", "b"], ProjectId: "" };
    const answer = await started.client.call("DescribeUHostInstance", params);
    expect(answer).toEqual({ body: OK, requestId: "req-1", requestedAt: 1_900_000_000 });
    const sent = {
      Action: "DescribeUHostInstance",
      Limit: 100,
      PublicKey: PUBLIC_KEY,
      "UHostIds.0": "a",
      "UHostIds.1": "b",
    };
    expect(started.gateway.calls).toEqual([{ params: { ...sent, Signature: signParams(sent, PRIVATE_KEY) } }]);
  });

  it("dates its answer by the attempt that was answered, when that was sent", async () => {
    const clock = manualClock({ skipSleeps: true });
    await using started = await serve(
      async (response, _call, number) => {
        if (number === 2) await clock.advance(10_000);
        sendJson(response, number === 1 ? { RetCode: 153 } : OK);
      },
      { clock, limits: { retryBaseMs: 1_000 } },
    );
    const { requestedAt } = await started.client.call("GetRegion");
    const [pauseMs = 0] = clock.sleeps;
    expect(requestedAt).toBe(1_900_000_000 + Math.floor(pauseMs / 1000));
    expect(started.calls[1]).toMatchObject({ outcome: "ok", ms: 10_000 });
  });

  it("requests an answer that is not compressed", async () => {
    await using started = await serve((response) => {
      sendJson(response, { ...OK, Encoding: response.req.headers["accept-encoding"] });
    });
    expect((await started.client.call("GetRegion")).body.Encoding).toBe("identity");
  });

  it("logs action, region, RetCode, request id and time, and nothing secret", async () => {
    await using started = await serve([{ RetCode: 171, Message: "upstream text" }]);
    await failureOf(started.client.call("DescribeUHostInstance", { Region: "cn-bj2" }));
    const call = { action: "DescribeUHostInstance", outcome: "unauthorized", retCode: 171, ms: expect.any(Number) };
    expect(started.calls).toEqual([call]);
    expect(started.lines).toHaveLength(1);
    const line = JSON.parse(started.lines[0] ?? "");
    expect(line).toMatchObject({ ...call, region: "cn-bj2", providerRequestId: "req-1" });
    expect(started.lines.join()).not.toMatch(/canary|upstream text|[0-9a-f]{40}/);
  });

  it("reads a RetCode that came as text", async () => {
    await using started = await serve([
      { ...OK, RetCode: "0" },
      { ...OK, RetCode: "299" },
    ]);
    await started.client.call("GetRegion");
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "forbidden", retCode: 299 });
  });

  it.each([
    ["HTML", 200, "<html>502</html>", { kind: "malformed" }],
    ["a list", 200, "[]", { kind: "malformed" }],
    ["no RetCode", 200, "{}", { kind: "malformed" }],
    ["a fractional RetCode", 200, '{"RetCode":0.5}', { kind: "malformed" }],
    ["an infinite RetCode", 200, '{"RetCode":1e999}', { kind: "malformed" }],
    ["invalid UTF-8", 200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), { kind: "malformed" }],
    ["HTTP 400 with a RetCode", 400, '{"RetCode":172}', { kind: "unauthorized", retCode: 172 }],
    ["HTTP 403 with RetCode 0", 403, '{"RetCode":0}', { kind: "unexpected" }],
    ["HTTP 404", 404, "not found", { kind: "unexpected", message: expect.stringContaining("HTTP 404") }],
  ])("fails for an answer that is %s, and is not retried", async (_name, status, body, failure) => {
    await using started = await serve((response) => response.writeHead(status).end(body));
    const expected = { code: "PROVIDER_ERROR", retCode: null, ...failure };
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject(expected);
    expect(started.gateway.calls).toHaveLength(1);
  });

  it("stops reading a body that is too large", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    await using started = await serve(
      (response) => {
        const feed = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", feed);
        feed();
      },
      { limits: { maxBodyBytes: 256 * 1024 } },
    );
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "too-large" });
    expect(started.gateway.calls).toHaveLength(1);
  });

  it.each([301, 307])("takes a redirect (%d) for a failure and does not follow it", async (status) => {
    await using other = await startGateway((response) => sendJson(response, OK));
    await using started = await serve((response) => response.writeHead(status, { location: other.origin }).end());
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "redirect" });
    expect([started.gateway.calls.length, other.calls.length]).toEqual([1, 0]);
  });

  it("ends an attempt that hangs before, and then in the middle of, the answer as PROVIDER_TIMEOUT", async () => {
    await using started = await serve(
      (response, _call, number) => {
        if (number === 2) response.writeHead(200).write('{"RetCode":0,');
      },
      { limits: { attemptTimeoutMs: 100, maxRetries: 1 } },
    );
    const failure = await failureOf(started.client.call("GetRegion"));
    expect(failure).toMatchObject({ kind: "timeout", code: "PROVIDER_TIMEOUT" });
    expect(started.calls.map(({ outcome }) => outcome)).toEqual(["timeout", "timeout"]);
  });

  it("does not reach a private address that is not allowed", async () => {
    await using gateway = await startGateway((response) => sendJson(response, OK));
    for (const apiUrl of [
      `http://127.0.0.1:${gateway.port}`,
      `http://localhost:${gateway.port}`,
      `http://api.example.com:${gateway.port}`,
      `http://user:pass@127.0.0.1:${gateway.port}`,
      "file:///etc/passwd",
    ]) {
      await using started = startClient(apiUrl, {
        allowedOrigins: [],
        resolve: (_name, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      });
      expect((await failureOf(started.client.call("GetRegion"))).kind, apiUrl).toBe("address-refused");
    }
    expect(gateway.calls).toHaveLength(0);
  });

  it.each(["ENOTFOUND", "EAI_AGAIN"])("takes a failed DNS request (%s) for dns and retries", async (code) => {
    await using started = startClient("https://api.example.com", {
      allowedOrigins: [],
      resolve: (_name, done) => done(Object.assign(new Error(code), { code }), []),
    });
    expect((await failureOf(started.client.call("GetRegion"))).kind).toBe("dns");
    expect(started.calls).toHaveLength(4);
  });

  it("distinguishes a server that does not speak TLS, one that does not speak HTTP, and one that is down", async () => {
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
    await using down = startClient(`http://127.0.0.1:${port}`, { limits: { maxRetries: 1 } });
    expect((await failureOf(down.client.call("GetRegion"))).kind).toBe("network");
    expect(down.calls).toHaveLength(2);
  });
});

describe("a provider with an invalid certificate", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ["that is self-signed", () => selfSigned()],
    ["that has expired", () => selfSigned({ daysLeft: -1 })],
  ])("%s is sent nothing, and the log has a warning", async (_which, make) => {
    await using gateway = await startTlsGateway(make());
    await using started = startClient(gateway.origin);
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({
      kind: "tls",
      code: "PROVIDER_ERROR",
      message: "API地址的HTTPS证书校验失败，请检查API地址是否正确、证书是否有效",
    });
    expect(gateway.requests()).toBe(0);
    const warnings = started.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([{ msg: "the provider's certificate was refused", action: "GetRegion" }]);
    expect(started.lines.join()).not.toContain("canary");
  });

  it("is refused although NODE_TLS_REJECT_UNAUTHORIZED is 0", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    await using gateway = await startTlsGateway(selfSigned());
    // The variable works for everything else in this process.
    expect((await fetch(gateway.origin, { method: "POST" })).status).toBe(200);
    await using started = startClient(gateway.origin);
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "tls" });
    expect(gateway.requests()).toBe(1);
  });
});

describe("a failed call", () => {
  it("is PROVIDER_TIMEOUT when the provider was too slow, else PROVIDER_ERROR", () => {
    expect(retCodeFailure(110).code).toBe("PROVIDER_TIMEOUT");
    expect(retCodeFailure(171).code).toBe("PROVIDER_ERROR");
  });

  it("says in every message of the table what happened and what to do", () => {
    for (const [retCode, [, message]] of RET_CODES) expect(message, String(retCode)).toMatch(/，请/);
  });

  it("is unanswered only when neither a RetCode nor an HTTP status came", () => {
    for (const outcome of ["timeout", "network", "dns", "tls"] as const) {
      expect(isUnanswered({ outcome, retCode: null }), outcome).toBe(true);
    }
    for (const outcome of ["ok", "unavailable", "throttled", "malformed", "aborted", "address-refused"] as const) {
      expect(isUnanswered({ outcome, retCode: null }), outcome).toBe(false);
    }
    expect(isUnanswered({ outcome: "timeout", retCode: 110 })).toBe(false);
  });
});

async function startTlsGateway(certificate: Certificate) {
  let requests = 0;
  const server = createTlsServer({ ...certificate }, (_request, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `https://127.0.0.1:${portOf(server)}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
