import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { isUnanswered, ProviderFailure, RET_CODES, retCodeFailure } from "../../src/server/provider/failure.ts";
import { signParams } from "../../src/server/provider/sign.ts";
import { manualClock } from "../harness/manual-clock.ts";
import { portOf, sendJson, startGateway } from "./fake-gateway.ts";
import { failureOf, OK, PRIVATE_KEY, PUBLIC_KEY, startClient } from "./start-client.ts";

describe("one call", () => {
  it("posts flattened, signed JSON and returns the body with the request id", async () => {
    await using gateway = await startGateway((response) => sendJson(response, OK));
    await using started = startClient(gateway.origin, { clock: manualClock() });
    const answer = await started.client.call("DescribeUHostInstance", {
      Limit: 100,
      UHostIds: ["a", "b"],
      ProjectId: "",
    });
    expect(answer).toEqual({ body: OK, requestId: "req-1", requestedAt: 1_900_000_000 });
    const sent = {
      Action: "DescribeUHostInstance",
      Limit: 100,
      PublicKey: PUBLIC_KEY,
      "UHostIds.0": "a",
      "UHostIds.1": "b",
    };
    expect(gateway.calls).toEqual([{ params: { ...sent, Signature: signParams(sent, PRIVATE_KEY) } }]);
  });

  it("dates its answer by the attempt that was answered, when that was sent", async () => {
    const clock = manualClock({ skipSleeps: true });
    await using gateway = await startGateway(async (response, _call, number) => {
      if (number === 2) await clock.advance(10_000);
      sendJson(response, number === 1 ? { RetCode: 153 } : OK);
    });
    await using started = startClient(gateway.origin, { clock, limits: { retryBaseMs: 1_000 } });
    const { requestedAt } = await started.client.call("GetRegion");
    const [pauseMs = 0] = clock.sleeps;
    expect(requestedAt).toBe(1_900_000_000 + Math.floor(pauseMs / 1000));
    expect(started.calls[1]).toMatchObject({ outcome: "ok", ms: 10_000 });
  });

  it("requests an answer that is not compressed", async () => {
    await using gateway = await startGateway((response) => {
      sendJson(response, { ...OK, Encoding: response.req.headers["accept-encoding"] });
    });
    await using started = startClient(gateway.origin);
    expect((await started.client.call("GetRegion")).body.Encoding).toBe("identity");
  });

  it("logs action, region, RetCode, request id and time, and nothing secret", async () => {
    await using gateway = await startGateway((response) =>
      sendJson(response, { RetCode: 171, Message: "upstream text" }),
    );
    await using started = startClient(gateway.origin);
    await failureOf(started.client.call("DescribeUHostInstance", { Region: "cn-bj2" }));
    const call = { action: "DescribeUHostInstance", outcome: "unauthorized", retCode: 171, ms: expect.any(Number) };
    expect(started.calls).toEqual([call]);
    expect(started.lines).toHaveLength(1);
    const line = JSON.parse(started.lines[0] ?? "");
    expect(line).toMatchObject({ ...call, region: "cn-bj2", providerRequestId: "req-1" });
    expect(started.lines.join()).not.toMatch(/canary|upstream text|[0-9a-f]{40}/);
  });

  it("reads a RetCode that came as text", async () => {
    await using gateway = await startGateway((response, _call, number) =>
      sendJson(response, { ...OK, RetCode: number === 1 ? "0" : "299" }),
    );
    await using started = startClient(gateway.origin);
    await started.client.call("GetRegion");
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "forbidden", retCode: 299 });
  });

  it.each([
    ["HTML", "<html>502</html>", "malformed"],
    ["a list", "[]", "malformed"],
    ["no RetCode", "{}", "malformed"],
    ["a fractional RetCode", '{"RetCode":0.5}', "malformed"],
    ["an infinite RetCode", '{"RetCode":1e999}', "malformed"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), "malformed"],
  ])("takes an answer that is %s for malformed and does not retry", async (_name, body, kind) => {
    await using gateway = await startGateway((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    await using started = startClient(gateway.origin);
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({
      kind,
      code: "PROVIDER_ERROR",
      retCode: null,
    });
    expect(gateway.calls).toHaveLength(1);
  });

  it("stops reading a body that is too large", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x20);
    await using gateway = await startGateway((response) => {
      const feed = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", feed);
      feed();
    });
    await using started = startClient(gateway.origin, { limits: { maxBodyBytes: 256 * 1024 } });
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "too-large" });
    expect(gateway.calls).toHaveLength(1);
  });

  it.each([301, 307])("takes a redirect (%d) for a failure and does not follow it", async (status) => {
    await using other = await startGateway((response) => sendJson(response, OK));
    await using gateway = await startGateway((response) => {
      response.writeHead(status, { location: other.origin }).end();
    });
    await using started = startClient(gateway.origin);
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "redirect" });
    expect([gateway.calls.length, other.calls.length]).toEqual([1, 0]);
  });

  it("reads the RetCode of a 4xx answer, and names the status when there is none", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) sendJson(response, { RetCode: 172, Message: "User Not Exists" }, 400);
      else response.writeHead(404).end("not found");
    });
    await using started = startClient(gateway.origin);
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "unauthorized", retCode: 172 });
    const missing = await failureOf(started.client.call("GetRegion"));
    expect(missing.kind).toBe("unexpected");
    expect(missing.message).toContain("HTTP 404");
  });

  it("fails for a 4xx answer with RetCode 0", async () => {
    await using gateway = await startGateway((response) => sendJson(response, OK, 403));
    await using started = startClient(gateway.origin);
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "unexpected", retCode: null });
  });

  it("ends an attempt that hangs before, and then in the middle of, the answer as PROVIDER_TIMEOUT", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 2) response.writeHead(200).write('{"RetCode":0,');
    });
    await using started = startClient(gateway.origin, { limits: { attemptTimeoutMs: 100, maxRetries: 1 } });
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

describe("a failed call", () => {
  it("is PROVIDER_TIMEOUT when the provider was too slow, else PROVIDER_ERROR", () => {
    expect(new ProviderFailure("timeout").code).toBe("PROVIDER_TIMEOUT");
    expect(retCodeFailure(110).code).toBe("PROVIDER_TIMEOUT");
    expect(retCodeFailure(171).code).toBe("PROVIDER_ERROR");
  });

  it("says in every message of the table what happened and what to do", () => {
    for (const [retCode, [, message]] of RET_CODES) expect(message, String(retCode)).toMatch(/，请/);
  });

  it("names an unknown RetCode", () => {
    expect(retCodeFailure(214001)).toMatchObject({ kind: "unexpected", message: expect.stringContaining("214001") });
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
