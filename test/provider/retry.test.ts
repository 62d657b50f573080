import { describe, expect, it, vi } from "vitest";
import { createProviderClient } from "../../src/server/provider/client.ts";
import { readRetryAfter } from "../../src/server/provider/retry.ts";
import { type Bench, failureOf, OK, PRIVATE_KEY, PUBLIC_KEY, startClient } from "./client-bench.ts";
import { type FakeGateway, sendJson, startGateway } from "./fake-gateway.ts";

describe("trying again", () => {
  it.each([110, 130, 150, 153, 8857, 8881])("retries RetCode %d and then succeeds", async (retCode) => {
    await using gateway = await startGateway((response, _call, number) =>
      sendJson(response, number < 3 ? { RetCode: retCode, Message: "x" } : OK),
    );
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    expect(bench.calls.map((call) => call.retCode)).toEqual([retCode, retCode, 0]);
  });

  it.each([429, 500, 502, 503, 504])("retries HTTP %d and then succeeds", async (status) => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) response.writeHead(status).end("<html>busy</html>");
      else sendJson(response, OK);
    });
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    expect(gateway.calls).toHaveLength(2);
  });

  it("retries a reset and a truncated transfer", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) response.socket?.resetAndDestroy();
      else if (number === 2) {
        response.writeHead(200, { "content-length": 100 });
        response.write('{"RetCode":0', () => response.socket?.destroy());
      } else if (number === 3) {
        response.write('{"RetCode":0', () => response.socket?.end());
      } else sendJson(response, OK);
    });
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    expect(bench.calls.map((call) => call.outcome)).toEqual(["network", "network", "network", "ok"]);
  });

  it("gives up after three retries, each later than the one before", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 150, Message: "x" }));
    await using bench = startClient(gateway.origin, { retryBaseMs: 40 });
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "unavailable", retCode: 150 });
    const times = gateway.calls.map((call) => call.at);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps).toHaveLength(3);
    for (const [index, least] of [40, 80, 160].entries()) expect(gaps[index]).toBeGreaterThanOrEqual(least - 2);
  });

  it.each([171, 172, 292, 293, 230, 294, 295, 299, 161, 1000, 8039, 8858, 12345])(
    "does not retry RetCode %d",
    async (retCode) => {
      await using gateway = await startGateway((response) => sendJson(response, { RetCode: retCode, Message: "x" }));
      await using bench = startClient(gateway.origin);
      expect((await failureOf(bench.client.call("GetRegion"))).retCode).toBe(retCode);
      expect(gateway.calls).toHaveLength(1);
    },
  );

  it("never repeats a write", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 150 }));
    await using bench = startClient(gateway.origin);
    await failureOf(bench.client.call("StopUHostInstance", { UHostId: "uhost-1" }));
    expect(gateway.calls).toHaveLength(1);
  });

  it("stops at once when aborted in a back-off, with the signal's own reason", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 150 }));
    await using bench = startClient(gateway.origin, { retryBaseMs: 60_000 });
    const stop = new AbortController();
    const reason = new Error("run cancelled");
    const call = bench.client.call("GetRegion", {}, { signal: stop.signal });
    await vi.waitUntil(() => bench.calls.length > 0, { interval: 5 });
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(gateway.calls).toHaveLength(1);
  });

  it("stops running, queued, paused and later calls when the client's signal is aborted", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) sendJson(response, { RetCode: 153 });
    });
    const stop = new AbortController();
    await using bench = startClient(gateway.origin, { retryBaseMs: 60_000 }, stop.signal);
    const throttled = bench.client.call("GetRegion");
    await vi.waitUntil(() => bench.calls.length > 0, { interval: 5 });
    const others = Array.from({ length: 8 }, () => bench.client.call("GetRegion"));
    const reason = new Error("shutting down");
    stop.abort(reason);
    const results = await Promise.allSettled([throttled, ...others, bench.client.call("GetRegion")]);
    expect(results.every((result) => result.status === "rejected" && result.reason === reason)).toBe(true);
    expect(gateway.calls).toHaveLength(1);
    await vi.waitUntil(() => bench.client.load().active === 0, { interval: 5 });
    expect(bench.client.load()).toMatchObject({ active: 0, waiting: 0 });
  });

  it("aborts an exchange that is under way", async () => {
    await using gateway = await startGateway(() => {});
    await using bench = startClient(gateway.origin);
    const stop = new AbortController();
    const call = bench.client.call("GetRegion", {}, { signal: stop.signal });
    await vi.waitUntil(() => gateway.calls.length > 0, { interval: 5 });
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await vi.waitUntil(() => bench.calls.length > 0, { interval: 5 });
    expect(bench.calls[0]).toMatchObject({ outcome: "aborted", retCode: null });
  });
});

describe("a provider that says when to ask again", () => {
  it.each([429, 503])("is not asked sooner by anybody with HTTP %d", async (status) => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) response.writeHead(status, { "retry-after": "1" }).end();
      else sendJson(response, OK);
    });
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    await callTimes(bench, 3);
    const [refused = 0, ...later] = gateway.calls.map((call) => call.at);
    expect(later).toHaveLength(4);
    for (const at of later) expect(at - refused).toBeGreaterThanOrEqual(990);
  });

  it("is not asked sooner with RetCode 153 either, nor when it names a date", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number > 1) return sendJson(response, OK);
      response.setHeader("retry-after", new Date(Date.now() + 2_000).toUTCString());
      sendJson(response, { RetCode: 153 });
    });
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    const [refused = 0, next = 0] = gateway.calls.map((call) => call.at);
    expect(next - refused).toBeGreaterThanOrEqual(900);
  });

  it.each([429, 503])("is told on at once to whoever cannot wait so long, with HTTP %d", async (status) => {
    await using gateway = await startGateway((response) => {
      response.writeHead(status, { "retry-after": "30" }).end();
    });
    await using bench = startClient(gateway.origin, { patienceMs: 6_000 });
    const started = performance.now();
    for (const _ of [1, 2, 3]) {
      const { message } = await failureOf(bench.client.call("GetRegion"));
      expect(message).toMatch(/请在 30 秒后重试/);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(gateway.calls).toHaveLength(1);
  });

  it("is asked at once by the next one when it has only refused a question that may not be repeated", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      response.setHeader("retry-after", "30");
      sendJson(response, number === 1 ? { RetCode: 299 } : OK);
    });
    await using bench = startClient(gateway.origin, { patienceMs: 6_000 });
    expect((await failureOf(bench.client.call("GetRegion"))).retCode).toBe(299);
    const started = performance.now();
    await bench.client.call("GetRegion");
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("is not asked sooner because it then tells somebody else a shorter time", async () => {
    const both = Promise.withResolvers<void>();
    await using gateway = await startGateway(async (response, _call, number) => {
      if (number > 2) return sendJson(response, OK);
      if (number === 2) both.resolve();
      await both.promise;
      // The shorter time comes when the longer one is known.
      if (number === 2) await vi.waitUntil(() => bench.calls.length === 1, { interval: 5, timeout: 10_000 });
      response.writeHead(429, { "retry-after": number === 1 ? "2" : "0" }).end();
    });
    await using bench = startClient(gateway.origin);
    await callTimes(bench, 2);
    await callTimes(bench, 2);
    const [first = 0, second = 0, ...later] = gateway.calls.map((call) => call.at);
    expect(later).toHaveLength(4);
    for (const at of later) expect(at - Math.max(first, second)).toBeGreaterThanOrEqual(1_990);
  });

  it("is asked again when what it says is no time", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number === 1) response.writeHead(503, { "retry-after": "soon" }).end();
      else sendJson(response, OK);
    });
    await using bench = startClient(gateway.origin);
    await bench.client.call("GetRegion");
    expect(gateway.calls).toHaveLength(2);
  });

  it.each([
    ["7", 7_000],
    ["0", 0],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Wed, 18 Nov 2026 00:00:05 GMT", 5_000],
    ["-1", null],
    ["1.5", null],
    ["1e3", null],
    ["99999999999", null],
    ["", null],
    [undefined, null],
  ])("reads %j", (header, expected) => {
    expect(readRetryAfter(header, Date.parse("2026-11-18T00:00:00Z"))).toBe(expected);
  });
});

describe("a provider that throttles for ever", () => {
  it("costs somebody who waits a few seconds, and the others with the same key no more", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 153 }));
    await using bench = startClient(gateway.origin, { patienceMs: 600, retryBaseMs: 50 });
    const started = performance.now();
    const failures = await Promise.all(Array.from({ length: 30 }, () => failureOf(bench.client.call("GetRegion"))));
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(["throttled"]));
    expect(gateway.calls.length).toBeLessThan(15);
  });

  it("is asked again by whoever comes after the others gave up", async () => {
    let isWell = false;
    await using gateway = await startGateway((response) => sendJson(response, isWell ? OK : { RetCode: 153 }));
    await using bench = startClient(gateway.origin, { patienceMs: 300, retryBaseMs: 50 });
    expect((await failureOf(bench.client.call("GetRegion"))).kind).toBe("throttled");
    isWell = true;
    const { guard } = bench;
    await createProviderClient({
      apiUrl: gateway.origin,
      publicKey: PUBLIC_KEY,
      privateKey: PRIVATE_KEY,
      guard,
      log: bench.client.log,
    }).call("GetRegion");
  });
});

describe("many calls at once", () => {
  it("never has more than five under way", async () => {
    await using gateway = await startGateway((response) => {
      setTimeout(() => sendJson(response, OK), 10);
    });
    await using bench = startClient(gateway.origin);
    await callTimes(bench, 40);
    expect(gateway.calls).toHaveLength(40);
    expect(gateway.maxConcurrent()).toBe(5);
  });

  it("runs five calls at once in the name of one key, whoever asks", async () => {
    await using gateway = await startGateway((response) => {
      setTimeout(() => sendJson(response, OK), 10);
    });
    await using bench = startClient(gateway.origin);
    const another = createProviderClient({
      apiUrl: gateway.origin,
      publicKey: PUBLIC_KEY,
      privateKey: PRIVATE_KEY,
      guard: bench.guard,
      log: bench.client.log,
    });
    await Promise.all([callTimes(bench, 20), callTimes({ ...bench, client: another }, 20)]);
    expect(gateway.maxConcurrent()).toBe(5);
  });

  it("slows the whole client down when throttled, finishes every call, and recovers", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      setTimeout(() => sendJson(response, number <= 5 ? { RetCode: 153 } : OK), 10);
    });
    await using bench = startClient(gateway.origin, { retryBaseMs: 25 });
    await callTimes(bench, 9);
    const [last = 0, next = 0] = gateway.calls.slice(4, 6).map((call) => call.at);
    expect(next - last).toBeGreaterThanOrEqual(90);
    // Five refusals of one moment halve it once.
    expect(bench.client.load().concurrency).toBe(2);
    await throughput(bench, gateway, 40, 5);
  });

  it("lives with a gateway that throttles every third call", async () => {
    await using gateway = await startGateway((response, _call, number) => {
      if (number % 3 === 0) response.writeHead(429).end();
      else sendJson(response, OK);
    });
    await using bench = startClient(gateway.origin, { retryBaseMs: 1 });
    await callTimes(bench, 60);
    expect(bench.calls.filter((call) => call.outcome === "ok")).toHaveLength(60);
  });

  it("gives up on a gateway that throttles for ever, after twice the usual retries", async () => {
    await using gateway = await startGateway((response) => sendJson(response, { RetCode: 153 }));
    await using bench = startClient(gateway.origin, { retryBaseMs: 1 });
    expect(await failureOf(bench.client.call("GetRegion"))).toMatchObject({ kind: "throttled", retCode: 153 });
    expect(gateway.calls).toHaveLength(7);
  });
});

async function callTimes({ client }: Bench, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => client.call("GetRegion")));
}

async function throughput(bench: Bench, gateway: FakeGateway, times: number, expected: number): Promise<void> {
  gateway.resetConcurrent();
  await callTimes(bench, times);
  expect(bench.client.load().concurrency).toBe(expected);
  await callTimes(bench, times);
  expect(gateway.maxConcurrent()).toBe(expected);
}
