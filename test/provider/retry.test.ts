import { describe, expect, it, vi } from "vitest";
import { readRetryAfter } from "../../src/server/provider/exchange.ts";
import { manualClock } from "../harness/manual-clock.ts";
import { sendJson, startGateway } from "./fake-gateway.ts";
import { failureOf, OK, startClient } from "./start-client.ts";

const clockOf = () => manualClock({ skipSleeps: true });
const BASE = { retryBaseMs: 500 };

describe("retries", () => {
  it.each([110, 130, 150, 153, 8857, 8881])("follow RetCode %d until the read succeeds", async (retCode) => {
    await using gateway = await startGateway((response, _call, number) =>
      sendJson(response, number < 3 ? { RetCode: retCode, Message: "x" } : OK),
    );
    await using started = startClient(gateway.origin, { clock: clockOf() });
    await started.client.call("GetRegion");
    expect(started.calls.map((call) => call.retCode)).toEqual([retCode, retCode, 0]);
  });

  it.each([429, 500, 502, 503, 504])("follow HTTP %d until the read succeeds", async (status) => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) response.writeHead(status).end("<html>busy</html>");
      else sendJson(response, OK);
    });
    await using started = startClient(gateway.origin, { clock: clockOf() });
    await started.client.call("GetRegion");
    expect(gateway.calls).toHaveLength(2);
  });

  it("follow a reset and a truncated transfer", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) response.socket?.resetAndDestroy();
      else if (number === 2) {
        response.writeHead(200, { "content-length": 100 });
        response.write('{"RetCode":0', () => response.socket?.destroy());
      } else if (number === 3) {
        response.write('{"RetCode":0', () => response.socket?.end());
      } else sendJson(response, OK);
    });
    await using started = startClient(gateway.origin, { clock: clockOf() });
    await started.client.call("GetRegion");
    expect(started.calls.map((call) => call.outcome)).toEqual(["network", "network", "network", "ok"]);
  });

  it("end after three, with a back-off that doubles and up to half as much again at random", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 150, Message: "x" }));
    const clock = clockOf();
    await using started = startClient(gateway.origin, { clock, limits: BASE });
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind: "unavailable", retCode: 150 });
    expect(gateway.calls).toHaveLength(4);
    expect(clock.sleeps).toHaveLength(3);
    for (const [index, least] of [500, 1_000, 2_000].entries()) {
      expect(clock.sleeps[index]).toBeGreaterThanOrEqual(least);
      expect(clock.sleeps[index]).toBeLessThan(least * 1.5);
    }
  });

  it("end after six when the provider throttles, with pauses from four times the base up to eight seconds", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 153 }));
    const clock = clockOf();
    await using started = startClient(gateway.origin, { clock, limits: BASE });
    const failure = await failureOf(started.client.call("GetRegion"));
    expect(failure).toMatchObject({ kind: "throttled", retCode: 153, message: expect.stringContaining("限流") });
    expect(gateway.calls).toHaveLength(7);
    for (const [index, least] of [2_000, 4_000, 8_000, 8_000, 8_000, 8_000].entries()) {
      expect(clock.sleeps[index]).toBeGreaterThanOrEqual(least);
      expect(clock.sleeps[index]).toBeLessThan(least * 1.5);
    }
  });

  it.each([
    [171, "unauthorized"],
    [230, "not-opened"],
    [293, "not-opened"],
    [292, "project-missing"],
    [294, "ip-refused"],
    [295, "security-lock"],
    [299, "forbidden"],
    [1000, "unavailable"],
    [12345, "unexpected"],
  ])("do not follow RetCode %d, which is %s", async (retCode, kind) => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: retCode, Message: "x" }));
    await using started = startClient(gateway.origin, { clock: clockOf() });
    expect(await failureOf(started.client.call("GetRegion"))).toMatchObject({ kind, retCode, requestId: "req-1" });
    expect(gateway.calls).toHaveLength(1);
  });

  it("do not follow a write", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 150 }));
    await using started = startClient(gateway.origin, { clock: clockOf() });
    await failureOf(started.client.call("StopUHostInstance", { UHostId: "uhost-1" }));
    expect(gateway.calls).toHaveLength(1);
  });
});

describe("a pause of the key", () => {
  it.each([429, 503])("lasts as long as the Retry-After of HTTP %d, for every client of the key", async (status) => {
    const clock = clockOf();
    const sentAt: number[] = [];
    await using gateway = await startGateway((response, _call, number) => {
      sentAt.push(clock.monotonic());
      if (number === 1) response.writeHead(status, { "retry-after": "30" }).end();
      else sendJson(response, OK);
    });
    await using started = startClient(gateway.origin, { clock });
    const throttled = started.client.call("GetRegion");
    await vi.waitUntil(() => started.calls.length > 0, { interval: 1 });
    await Promise.all([throttled, started.another().call("GetRegion"), started.another().call("GetRegion")]);
    expect(sentAt).toHaveLength(4);
    for (const at of sentAt.slice(1)) expect(at).toBeGreaterThanOrEqual(30_000);
  });

  it("lasts as long as the Retry-After of RetCode 153, a minute at most", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number > 2) return sendJson(response, OK);
      response.setHeader("retry-after", number === 1 ? "45" : "86400");
      sendJson(response, { RetCode: 153 });
    });
    const clock = clockOf();
    await using started = startClient(gateway.origin, { clock });
    await started.client.call("GetRegion");
    expect(clock.sleeps).toEqual([45_000, 60_000]);
  });

  it.each([429, 503])("fails calls that do not wait so long, and says when to retry, with HTTP %d", async (status) => {
    await using gateway = await startGateway((response) => {
      response.writeHead(status, { "retry-after": "30" }).end();
    });
    await using started = startClient(gateway.origin, { limits: { maxPauseMs: 6_000 } });
    for (const _ of [1, 2, 3]) {
      const failure = await failureOf(started.client.call("GetRegion"));
      expect(failure.kind).toBe(status === 429 ? "throttled" : "unavailable");
      expect(failure.message).toContain("请在 30 秒后重试");
    }
    expect(gateway.calls).toHaveLength(1);
  });

  it("does not begin with a Retry-After of a failure that is not retried", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      response.setHeader("retry-after", "30");
      sendJson(response, number === 1 ? { RetCode: 299 } : OK);
    });
    const clock = clockOf();
    await using started = startClient(gateway.origin, { clock });
    expect((await failureOf(started.client.call("GetRegion"))).retCode).toBe(299);
    await started.client.call("GetRegion");
    expect(clock.sleeps).toEqual([]);
  });

  it.each([
    ["7", 7_000],
    ["0", 0],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Wed, 18 Nov 2026 00:00:05 GMT", 5_000],
    ["-1", null],
    ["1.5", null],
    ["1e3", null],
    ["soon", null],
    ["99999999999", null],
    ["", null],
    [undefined, null],
  ])("reads the Retry-After %j", (header, expected) => {
    expect(readRetryAfter(header, Date.parse("2026-11-18T00:00:00Z"))).toBe(expected);
  });
});

describe("many calls", () => {
  it("are five at once for one key, from several clients", async () => {
    await using gateway = await startGateway((response) => {
      setTimeout(() => sendJson(response, OK), 10);
    });
    await using started = startClient(gateway.origin);
    const clients = [started.client, started.another()];
    await Promise.all(Array.from({ length: 40 }, (_, index) => clients[index % 2]?.call("GetRegion")));
    expect(gateway.calls).toHaveLength(40);
    expect(gateway.maxConcurrent()).toBe(5);
  });

  it("all end with the reason of the client's signal: running, queued, backing off and later ones", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) sendJson(response, { RetCode: 150 });
    });
    const stop = new AbortController();
    await using started = startClient(gateway.origin, { clock: manualClock(), signal: stop.signal });
    const backingOff = started.client.call("GetRegion");
    await vi.waitUntil(() => started.calls.length > 0, { interval: 1 });
    const others = Array.from({ length: 8 }, () => started.client.call("GetRegion"));
    await vi.waitUntil(() => gateway.calls.length === 6, { interval: 1 });
    const reason = new Error("shutting down");
    stop.abort(reason);
    const results = await Promise.allSettled([backingOff, ...others, started.client.call("GetRegion")]);
    expect(results.every((result) => result.status === "rejected" && result.reason === reason)).toBe(true);
    await vi.waitUntil(() => started.calls.length === 6, { interval: 1 });
    expect(started.calls.slice(1).map(({ outcome }) => outcome)).toEqual(Array(5).fill("aborted"));
    expect(gateway.calls).toHaveLength(6);
  });
});
