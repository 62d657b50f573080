import { describe, expect, it, vi } from "vitest";
import { readRetryAfter } from "../../src/server/platform/egress/retry-after.ts";
import type { CallPriority } from "../../src/server/provider/call-gate.ts";
import { createCallGate } from "../../src/server/provider/call-gate.ts";
import { manualClock } from "../harness/clocks.ts";
import { sendJson } from "../harness/fake-gateway.ts";
import { OK, providerFailureOf, serve } from "./start-client.ts";

const clockOf = () => manualClock({ skipSleeps: true });

describe("retries", () => {
  it("follow a throttled, a reset and two truncated answers until the read succeeds", async () => {
    await using started = await serve(
      (response, _call, number) => {
        if (number === 1) response.writeHead(429).end();
        else if (number === 2) response.socket?.resetAndDestroy();
        else if (number === 3) {
          response.writeHead(200, { "content-length": 100 });
          response.write('{"RetCode":0', () => response.socket?.destroy());
        } else if (number === 4) response.write('{"RetCode":0', () => response.socket?.end());
        else sendJson(response, OK);
      },
      { limits: { maxRetries: 4 } },
    );
    await started.client.call("GetRegion");
    const outcomes = started.calls.map(({ outcome }) => outcome);

    expect(outcomes).toEqual(["throttled", "network", "network", "network", "ok"]);
  });

  it.each([
    ["with a back-off that doubles", 150, [500, 1_000, 2_000]],
    [
      "of a throttled call with pauses of up to eight seconds",
      153,
      [2_000, 4_000, 8_000, 8_000, 8_000, 8_000],
    ],
  ])("are made %s, and up to half as much again at random", async (_what, RetCode, backOff) => {
    const clock = clockOf();
    await using started = await serve([{ RetCode }], { clock, limits: { retryBaseMs: 500 } });
    await providerFailureOf(started.client.call("GetRegion"));
    expect(clock.sleeps).toHaveLength(backOff.length);
    for (const [index, least] of backOff.entries()) {
      expect(clock.sleeps[index]).toBeGreaterThanOrEqual(least);
      expect(clock.sleeps[index]).toBeLessThan(least * 1.5);
    }
  });
});

describe("a pause of the key", () => {
  it.each([429, 503])(
    "lasts as long as the Retry-After of HTTP %d, for every call of the key",
    async (status) => {
      const clock = clockOf();
      const sentAt: number[] = [];
      await using started = await serve(
        (response, _call, number) => {
          sentAt.push(clock.monotonic());
          if (number === 1) response.writeHead(status, { "retry-after": "30" }).end();
          else sendJson(response, OK);
        },
        { clock },
      );
      const throttled = started.client.call("GetRegion");
      await vi.waitUntil(() => started.calls.length > 0, { interval: 1 });
      await Promise.all([
        throttled,
        started.client.call("GetRegion"),
        started.client.call("GetRegion"),
      ]);
      expect(sentAt).toHaveLength(4);
      for (const at of sentAt.slice(1)) expect(at).toBeGreaterThanOrEqual(30_000);
    },
  );

  it("lasts a minute at most, and does not begin with a failure that is not retried", async () => {
    const clock = clockOf();
    await using started = await serve(
      (response, _call, number) => {
        response.setHeader("retry-after", number === 2 ? "45" : "86400");
        sendJson(
          response,
          [{ RetCode: 299 }, { RetCode: 153 }, { RetCode: 153 }][number - 1] ?? OK,
        );
      },
      { clock },
    );
    await providerFailureOf(started.client.call("GetRegion"));

    await started.client.call("GetRegion");

    expect(clock.sleeps).toEqual([45_000, 60_000]);
  });

  it.each([429, 503])(
    "fails calls that do not wait so long, and says when to retry, with HTTP %d",
    async (status) => {
      await using started = await serve(
        (response) => response.writeHead(status, { "retry-after": "30" }).end(),
        {
          limits: { maxPauseMs: 6_000 },
        },
      );
      for (const _ of [1, 2, 3]) {
        const failure = await providerFailureOf(started.client.call("GetRegion"));
        expect(failure.kind).toBe(status === 429 ? "throttled" : "unavailable");
        expect(failure.message).toContain("请在 30 秒后重试");
      }

      expect(started.gateway.calls).toHaveLength(1);
    },
  );

  it("keeps back queued and later calls, and is never shortened", async () => {
    const { clock, gate, run, free, started } = startGate();
    const runs = [run("a"), run("b"), run("queued")];
    await clock.advance(0);
    gate.pauseUntil(2_000, leftOf);
    gate.pauseUntil(500, leftOf);
    runs.push(run("later"));
    free();
    await clock.advance(1_999);
    expect(started).toEqual(["a", "b"]);
    await clock.advance(1);
    await Promise.all(runs);
    expect(started.slice(2).toSorted()).toEqual(["later", "queued"]);
  });

  it.each([
    ["7", 7_000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["Wed, 18 Nov 2026 00:00:05 GMT", 5_000],
    ["1e3", null],
    [undefined, null],
  ])("reads the Retry-After %j", (header, expected) => {
    expect(readRetryAfter(header, Date.parse("2026-11-18T00:00:00Z"))).toBe(expected);
  });
});

it("a queued call whose signal is aborted ends at once, and never starts", async () => {
  const { clock, run, free, started } = startGate();
  const others = [run("a"), run("b")];
  const stop = new AbortController();
  const queued = run("queued", stop.signal);
  await clock.advance(0);
  const reason = new Error("run cancelled");
  stop.abort(reason);
  await expect(queued).rejects.toBe(reason);
  free();
  await Promise.all(others);
  await run("next");
  expect(started).toEqual(["a", "b", "next"]);
});

it("a call that a person waits for finds a place that background calls never take", async () => {
  const { clock, run, free, started } = startGate();
  const { signal } = new AbortController();
  const others = ["first", "second", "third"].map((name) => run(name, signal, "background"));
  await clock.advance(0);
  expect(started).toEqual(["first"]);

  const awaited = run("a person's");
  await clock.advance(0);

  expect(started).toEqual(["first", "a person's"]);
  free();
  await Promise.all([...others, awaited]);
});

it("an aborted signal ends running, queued, backing off, paused and later calls", async () => {
  const stop = new AbortController();
  const clock = manualClock();
  await using started = await serve(
    (response, _call, number) => {
      if (number === 1) sendJson(response, { RetCode: 150 });
    },
    { clock },
  );
  const call = () => started.client.call("GetRegion", {}, { signal: stop.signal });
  const backingOff = call();
  await vi.waitUntil(() => started.calls.length > 0, { interval: 1 });
  const others = Array.from({ length: 8 }, call);
  await vi.waitUntil(() => started.gateway.calls.length === 6, { interval: 1 });
  started.gate.pauseUntil(1_000, leftOf);
  const paused = call();
  const reason = new Error("shutting down");
  stop.abort(reason);
  const results = await Promise.allSettled([backingOff, ...others, paused, call()]);
  expect(results.every((result) => result.status === "rejected" && result.reason === reason)).toBe(
    true,
  );
  await vi.waitUntil(() => started.calls.length === 6, { interval: 1 });
  expect(started.calls.slice(1).map(({ outcome }) => outcome)).toEqual(Array(5).fill("aborted"));
  await clock.advance(1_000);
  expect(started.gateway.calls).toHaveLength(6);
});

function leftOf(leftMs: number): Error {
  return new Error(`${leftMs} ms left`);
}

/**
 * A gate of two slots, and the names of the tasks in the order in which they started. No task ends
 * before `free`.
 */
function startGate() {
  const clock = manualClock();
  const gate = createCallGate({ concurrency: 2, clock });
  const started: string[] = [];
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const run = (
    name: string,
    signal = new AbortController().signal,
    priority: CallPriority = "person",
  ) => {
    const task = () => {
      started.push(name);
      return freed;
    };
    return gate.run(task, { priority, signal, maxPauseMs: 60_000 });
  };
  return { clock, gate, run, free, started };
}
