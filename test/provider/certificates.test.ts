import { createServer } from "node:https";
import { afterEach, describe, expect, it, vi } from "vitest";
import { portOf } from "./fake-gateway.ts";
import { type Certificate, selfSigned } from "./self-signed.ts";
import { failureOf, startClient } from "./start-client.ts";

afterEach(() => vi.unstubAllEnvs());

describe("a provider with an invalid certificate", () => {
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
    expect(warnings).toEqual([
      expect.objectContaining({ msg: "the provider's certificate was refused", action: "GetRegion" }),
    ]);
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

async function startTlsGateway(certificate: Certificate) {
  let requests = 0;
  const server = createServer({ ...certificate }, (_request, response) => {
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
