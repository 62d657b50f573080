import { describe, expect, it } from "vitest";
import { createCallGate } from "../../src/server/provider/call-gate.ts";
import { manualClock } from "../harness/manual-clock.ts";

const NEVER = new AbortController().signal;
const WAITING = { signal: NEVER, maxPauseMs: 60_000 };
const refusal = (leftMs: number) => new Error(`${leftMs} ms left`);

/** A gate of two slots with a clock, and the names of tasks as they start. */
function start() {
  const clock = manualClock();
  const gate = createCallGate({ concurrency: 2, clock });
  const started: string[] = [];
  const run = (name: string, options: { signal?: AbortSignal; maxPauseMs?: number; until?: Promise<unknown> } = {}) =>
    gate.run(
      async () => {
        started.push(name);
        await options.until;
        return name;
      },
      { ...WAITING, ...options },
    );
  return { clock, gate, started, run };
}

describe("the call gate of one key", () => {
  it("starts nothing before the end of a pause, whether it came before or after the task was queued", async () => {
    const { clock, gate, started, run } = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const runs = [run("a", { until: promise }), run("b", { until: promise }), run("queued")];
    await clock.advance(0);
    gate.pauseUntil(1_000, refusal);
    runs.push(run("later"));
    resolve();
    await clock.advance(999);
    expect(started).toEqual(["a", "b"]);
    await clock.advance(1);
    await Promise.all(runs);
    expect(started.slice(2).sort()).toEqual(["later", "queued"]);
  });

  it("keeps the longer of two pauses", async () => {
    const { clock, gate, started, run } = start();
    gate.pauseUntil(2_000, refusal);
    gate.pauseUntil(500, refusal);
    const waiting = run("a");
    await clock.advance(1_999);
    expect(started).toEqual([]);
    await clock.advance(1);
    expect(await waiting).toBe("a");
  });

  it("fails a task at once that does not wait for what is left of the pause", async () => {
    const { clock, gate, started, run } = start();
    gate.pauseUntil(30_000, refusal);
    await clock.advance(10_000);
    await expect(run("a", { maxPauseMs: 19_999 })).rejects.toThrow("20000 ms left");
    const extended = expect(run("b", { maxPauseMs: 20_000 })).rejects.toThrow("30000 ms left");
    gate.pauseUntil(60_000, refusal);
    await clock.advance(20_000);
    await extended;
    expect(started).toEqual([]);
  });

  it("fails a queued task that does not wait for a pause, although all slots are taken", async () => {
    const { clock, gate, run } = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = [run("a", { until: promise }), run("b", { until: promise })];
    const queued = run("c", { maxPauseMs: 1_000 });
    await clock.advance(0);
    gate.pauseUntil(30_000, refusal);
    slow.push(run("d"));
    resolve();
    await expect(queued).rejects.toThrow("30000 ms left");
    await clock.advance(30_000);
    await Promise.all(slow);
  });

  it.each(["queued", "paused", "running"])("rejects with the signal's reason when aborted while %s", async (state) => {
    const { clock, gate, started, run } = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = state === "queued" ? [run("a", { until: promise }), run("b", { until: promise })] : [];
    await clock.advance(0);
    if (state === "paused") gate.pauseUntil(1_000, refusal);
    const stop = new AbortController();
    const stopped = run("stopped", { signal: stop.signal, until: promise });
    await clock.advance(0);
    const reason = new Error("run cancelled");
    stop.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    await expect(run("never", { signal: stop.signal })).rejects.toBe(reason);
    resolve();
    await Promise.all(slow);
    await clock.advance(1_000);
    expect(await run("next")).toBe("next");
    expect(started.filter((name) => name === "stopped")).toHaveLength(state === "running" ? 1 : 0);
    expect(started).not.toContain("never");
  });
});
