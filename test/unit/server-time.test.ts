import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const NOW = Date.parse("2027-03-01T08:00:00Z");
const DAY_MS = 86_400_000;

type ServerTime = typeof import("../../src/client/lib/server-time.ts");

/** An answer that says this time, in milliseconds. */
function answer(time: number): Response {
  return new Response(null, { headers: { date: new Date(time).toUTCString() } });
}

describe("the console's time", () => {
  let time: ServerTime;

  beforeEach(async () => {
    vi.useFakeTimers({ now: NOW });
    vi.resetModules();
    time = await import("../../src/client/lib/server-time.ts");
  });
  afterEach(() => vi.useRealTimers());

  /** Asks the server, whose answer takes that long. */
  function ask(serverTime: number, milliseconds = 0): void {
    const sentAt = performance.now();
    vi.advanceTimersByTime(milliseconds);
    time.learnServerTime(answer(serverTime), sentAt);
  }

  /** In seconds from what the server has. */
  function errorAgainst(serverTime: number): number {
    return Math.abs(time.serverNow() - serverTime / 1000);
  }

  it("is the computer's before the first answer and the server's after it", () => {
    expect(time.serverNow()).toBe(NOW / 1000);

    ask(NOW - 3 * DAY_MS);

    expect(errorAgainst(NOW - 3 * DAY_MS)).toBeLessThanOrEqual(1);
  });

  it("runs on between two answers, whatever becomes of the computer's clock", () => {
    ask(NOW - 3 * DAY_MS);
    vi.advanceTimersByTime(90_000);
    vi.setSystemTime(NOW + 20 * DAY_MS);

    expect(errorAgainst(NOW - 3 * DAY_MS + 90_000)).toBeLessThanOrEqual(1);
  });

  it("is wrong by at most half of what a slow answer took", () => {
    ask(NOW, 8_000);

    expect(errorAgainst(NOW + 8_000)).toBeLessThanOrEqual(5);
  });

  it("is moved forward after a sleep, and those who show it are told", () => {
    const listener = vi.fn();
    ask(NOW);
    const stop = time.onTimeJump(listener);

    ask(NOW + 8 * 3_600_000);

    expect(errorAgainst(NOW + 8 * 3_600_000)).toBeLessThanOrEqual(1);
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    ask(NOW + DAY_MS);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("stays where it is when an answer agrees with it", () => {
    ask(NOW);
    const listener = vi.fn();
    time.onTimeJump(listener);
    vi.advanceTimersByTime(10_400);

    ask(NOW + 10_000);
    ask(NOW + 11_000, 900);

    expect(listener).not.toHaveBeenCalled();
  });

  it("follows a server whose clock was days ahead and was set back", () => {
    ask(NOW + 8 * DAY_MS);

    ask(NOW);

    expect(errorAgainst(NOW)).toBeLessThanOrEqual(1);
  });

  it("learns nothing from an answer without a date", () => {
    ask(NOW - 3 * DAY_MS);

    time.learnServerTime(new Response(null), performance.now());

    expect(errorAgainst(NOW - 3 * DAY_MS)).toBeLessThanOrEqual(1);
  });
});
