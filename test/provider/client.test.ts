import { describe, expect, it, vi } from "vitest";
import { isUnanswered, RET_CODES } from "../../src/server/provider/failure.ts";
import { flattenParams, type Params, signParams } from "../../src/server/provider/sign.ts";
import { manualClock } from "../harness/clocks.ts";
import { sendJson, startGateway } from "../harness/fake-gateway.ts";
import { SELF_SIGNED } from "./self-signed.ts";
import {
  OK,
  PRIVATE_KEY,
  PUBLIC_KEY,
  providerFailureOf,
  type Reply,
  serve,
  startClient,
} from "./start-client.ts";

describe("the signature", () => {
  const DESCRIBE = { Action: "DescribeUHostInstance", Region: "cn-bj2" };
  const BACKENDS = ["foo", "bar", "42", "foo", "bar", "42", "foo", "bar", "42", "foo", "bar", "42"];
  const RENAME = {
    Action: "ModifyUHostInstanceName",
    Region: "cn-bj2",
    UHostId: "uhost-test",
    Name: "测试主机",
  };

  // From the provider's documentation, or made with its SDKs; the key pair is its public sample.
  it.each<[string, Params, string]>([
    ["a number", { ...DESCRIBE, Limit: 10 }, "cba5cf5ec4d4233d206b1b54951e3787350a642f"],
    [
      "a list",
      { Action: "AllocateBackendBatch", Backends: BACKENDS },
      "6bc32642779f8cb0bb3d3f128b1c0688abf9a1a3",
    ],
    ["Chinese text", RENAME, "98c52111641898f7ea67267deaacb0101964301f"],
  ])("of parameters with %s agrees with the provider's", (_what, params, signature) => {
    const flat = flattenParams({
      ...params,
      PublicKey: "ucloudsomeone@example.com1296235120854146120",
    });

    expect(signParams(flat, "46f09bb9fab4f12dfc160dae12273d5332b5debe")).toBe(signature);
  });
});

describe("a call", () => {
  it("posts flattened, signed JSON, and returns the answer with its request id", async () => {
    await using started = await serve((response) => {
      sendJson(response, { ...OK, Encoding: response.req.headers["accept-encoding"] });
    });
    const params = { Limit: 100, UHostIds: ["a", "b"], ProjectId: "" };
    const answer = await started.client.call("DescribeUHostInstance", params);
    expect(answer).toEqual({
      body: { ...OK, Encoding: "identity" },
      requestId: "req-1",
      requestedAt: 1_900_000_000,
    });
    const action = { Action: "DescribeUHostInstance", Limit: 100, PublicKey: PUBLIC_KEY };
    const sent = { ...action, "UHostIds.0": "a", "UHostIds.1": "b" };
    expect(started.gateway.calls).toEqual([
      { params: { ...sent, Signature: signParams(sent, PRIVATE_KEY) } },
    ]);
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

  it("logs action, region, RetCode, request id and time, and nothing secret", async () => {
    await using started = await serve([{ RetCode: 171, Message: "upstream text" }]);
    await providerFailureOf(started.client.call("DescribeUHostInstance", { Region: "cn-bj2" }));
    const call = {
      action: "DescribeUHostInstance",
      outcome: "unauthorized",
      retCode: 171,
      ms: expect.any(Number),
    };
    expect(started.calls).toEqual([call]);
    expect(started.lines).toHaveLength(1);
    const line = JSON.parse(started.lines[0] ?? "");
    expect(line).toMatchObject({ ...call, region: "cn-bj2", providerRequestId: "req-1" });
    expect(started.lines.join()).not.toMatch(/marker|upstream text|[0-9a-f]{40}/);
  });
});

describe("a call that fails", () => {
  it.each<[Reply, kind: string, attempts: number, retCode?: number]>([
    [{ RetCode: 110 }, "timeout", 4, 110],
    [{ RetCode: 130 }, "unavailable", 4, 130],
    [{ RetCode: 150 }, "unavailable", 4, 150],
    [{ RetCode: 153 }, "throttled", 7, 153],
    [{ RetCode: 8857 }, "timeout", 4, 8857],
    [{ RetCode: 8881 }, "unavailable", 4, 8881],
    [{ RetCode: 171 }, "unauthorized", 1, 171],
    [[400, '{"RetCode":172}'], "unauthorized", 1, 172],
    [{ RetCode: 230 }, "not-opened", 1, 230],
    [{ RetCode: 293 }, "not-opened", 1, 293],
    [{ RetCode: 292 }, "project-missing", 1, 292],
    [{ RetCode: 294 }, "ip-refused", 1, 294],
    [{ RetCode: 295 }, "security-lock", 1, 295],
    [{ RetCode: "299" }, "forbidden", 1, 299],
    [{ RetCode: 1000 }, "unavailable", 1, 1000],
    [{ RetCode: 12345, Message: "marker" }, "unexpected", 1, 12345],
    [429, "throttled", 7],
    [500, "unavailable", 4],
    [404, "unexpected", 1],
    [[403, '{"RetCode":0}'], "unexpected", 1],
    ["<html>", "malformed", 1],
    ["[]", "malformed", 1],
    ['{"RetCode":0.5}', "malformed", 1],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), "malformed", 1],
  ])("with %j is %s after %i attempts", async (reply, kind, attempts, retCode) => {
    await using started = await serve([reply]);
    const failure = await providerFailureOf(started.client.call("GetRegion"));
    const code = kind === "timeout" ? "PROVIDER_TIMEOUT" : "PROVIDER_ERROR";

    expect(failure).toMatchObject({
      kind,
      code,
      retCode: retCode ?? null,
      message: expect.stringMatching(/，请/),
    });
    expect(failure.message).not.toContain("marker");
    expect(started.gateway.calls).toHaveLength(attempts);
  });

  it("says for every known RetCode what happened and what to do", () => {
    for (const [retCode, [, message]] of RET_CODES)
      expect(message, String(retCode)).toMatch(/，请/);
  });

  it("because the body is too large stops reading", async () => {
    await using started = await serve(
      (response) => {
        const feed = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 0x20)));
        };
        response.on("drain", feed);
        feed();
      },
      { maxResponseSize: 256 * 1024 },
    );

    expect(await providerFailureOf(started.client.call("GetRegion"))).toMatchObject({
      kind: "too-large",
    });
    expect(started.gateway.calls).toHaveLength(1);
  });

  it("with a redirect does not follow it", async () => {
    await using other = await startGateway((response) => sendJson(response, OK));

    await using started = await serve((response) =>
      response.writeHead(307, { location: other.origin }).end(),
    );

    expect(await providerFailureOf(started.client.call("GetRegion"))).toMatchObject({
      kind: "redirect",
    });
    expect([started.gateway.calls.length, other.calls.length]).toEqual([1, 0]);
  });

  it("because the answer hangs, before it or in the middle, is a timeout", async () => {
    await using started = await serve(
      (response, _call, number) => {
        if (number === 2) response.writeHead(200).write('{"RetCode":0,');
      },
      { limits: { attemptTimeoutMs: 100, maxRetries: 1 } },
    );

    const failure = await providerFailureOf(started.client.call("GetRegion"));

    expect(failure).toMatchObject({ kind: "timeout", code: "PROVIDER_TIMEOUT" });
    expect(started.calls.map(({ outcome }) => outcome)).toEqual(["timeout", "timeout"]);
  });

  it.each([
    ["ENOTFOUND", "dns", 4],
    ["EAI_AGAIN", "dns", 4],
    ["CERT_HAS_EXPIRED", "tls", 1],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls", 1],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls", 1],
    ["HPE_INVALID_CONSTANT", "malformed", 1],
    ["ECONNREFUSED", "network", 4],
  ])("because of %s is %s after %i attempts", async (code, kind, attempts) => {
    await using started = startClient("https://api.example.com", {
      allowedOrigins: [],
      resolve: (_name, done) => done(Object.assign(new Error(code), { code }), []),
    });

    expect((await providerFailureOf(started.client.call("GetRegion"))).kind).toBe(kind);
    expect(started.calls).toHaveLength(attempts);
  });

  it("is unanswered only when neither a RetCode nor an HTTP status came", () => {
    const outcomes = [
      "timeout",
      "network",
      "dns",
      "tls",
      "ok",
      "unavailable",
      "throttled",
      "malformed",
    ] as const;
    const unanswered = outcomes.filter((outcome) => isUnanswered({ outcome, retCode: null }));

    expect(unanswered).toEqual(["timeout", "network", "dns", "tls"]);
    expect(isUnanswered({ outcome: "timeout", retCode: 110 })).toBe(false);
  });
});

it("a self-signed provider is sent nothing, even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  try {
    await using gateway = await startGateway((response) => sendJson(response, OK), SELF_SIGNED);
    await using started = startClient(gateway.origin);
    expect(await providerFailureOf(started.client.call("GetRegion"))).toMatchObject({
      kind: "tls",
      code: "PROVIDER_ERROR",
      message: "API 地址的 HTTPS 证书校验失败，请检查 API 地址是否正确、证书是否有效",
    });
    expect(gateway.calls).toEqual([]);
    const warnings = started.lines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([
      { msg: "the provider's certificate was refused", action: "GetRegion" },
    ]);
    expect(started.lines.join()).not.toContain("marker");
  } finally {
    vi.unstubAllEnvs();
  }
});
