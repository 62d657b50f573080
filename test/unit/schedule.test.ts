import { describe, expect, it } from "vitest";
import {
  isStale,
  type Schedule,
  type ScheduledRun,
  scheduleState,
} from "../../src/server/modules/sync/schedule/schedule.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const CHOSEN = 1_900_000_123;

function buildSchedule(more: Partial<Schedule> = {}): Schedule {
  return {
    configId: "0198f3f0-0000-7000-8000-000000000001",
    intervalMinutes: 60,
    isActive: true,
    chosenAt: CHOSEN,
    resumedAt: null,
    ...more,
  };
}

function buildRun(more: Partial<ScheduledRun> = {}): ScheduledRun {
  return {
    id: "run",
    trigger: "schedule",
    status: "succeeded",
    queuedAt: CHOSEN,
    errorCode: null,
    errorMessage: null,
    ...more,
  };
}

const refused = (queuedAt: number) =>
  buildRun({ status: "failed", queuedAt, errorCode: "unauthorized", errorMessage: "密钥无效" });
const timedOut = (queuedAt: number) =>
  buildRun({ status: "failed", queuedAt, errorCode: "timeout", errorMessage: "超时" });

function nextAt(schedule: Schedule, runs: readonly ScheduledRun[], now = CHOSEN): number {
  const state = scheduleState(schedule, runs, now);
  if (state.kind !== "waiting") throw new Error(`the schedule is ${state.kind}`);
  return state.nextAt;
}

const FIRST = nextAt(buildSchedule(), []);

describe("the schedule of a configuration", () => {
  it.each([
    ["without an interval", { intervalMinutes: null, chosenAt: null }],
    ["that is switched off", { isActive: false }],
  ])("%s is off", (_what, more) => {
    expect(scheduleState(buildSchedule(more), [], CHOSEN)).toEqual({ kind: "off" });
  });

  it("begins an interval after it was chosen, and up to a tenth later", () => {
    expect(FIRST).toBeGreaterThanOrEqual(CHOSEN + HOUR);
    expect(FIRST).toBeLessThanOrEqual(CHOSEN + HOUR + HOUR / 10);
  });

  it("spreads many configurations over a tenth of the interval", () => {
    const ids = Array.from({ length: 200 }, (_, index) => `config-${index}`);

    const starts = ids.map((configId) => nextAt(buildSchedule({ configId }), []) - CHOSEN - HOUR);

    expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...starts)).toBeLessThanOrEqual(HOUR / 10);
    expect(new Set(starts).size).toBeGreaterThan(100);
  });

  it.each([
    ["a run of a slot leads to the next slot", FIRST + 7, FIRST + HOUR],
    ["a run by hand between two slots moves none", FIRST + 1_801, FIRST + HOUR],
    ["slots that nothing ran in collapse into one", FIRST + 50 * HOUR + 31, FIRST + 51 * HOUR],
  ])("%s", (_what, queuedAt, expected) => {
    expect(nextAt(buildSchedule(), [buildRun({ queuedAt })], queuedAt)).toBe(expected);
  });

  it.each([
    [15, [2, 4, 8, 8]],
    [60, [2, 4, 6, 6]],
    [360, [1, 1, 1, 1]],
    [1440, [1, 1, 1, 1]],
  ] as const)("every %i minutes waits %j intervals after failures", (intervalMinutes, waits) => {
    const schedule = buildSchedule({ intervalMinutes });
    const interval = intervalMinutes * 60;
    const slot = nextAt(schedule, []);

    const waited = waits.map((_, index) => {
      const failures = Array.from({ length: index + 1 }, (_, back) => timedOut(slot - back));
      return (nextAt(schedule, failures, slot) - slot) / interval;
    });

    expect(waited).toEqual(waits);
  });

  it("waits no longer after a success", () => {
    const runs = [buildRun({ queuedAt: FIRST + 1 }), timedOut(FIRST), timedOut(FIRST - 1)];

    expect(nextAt(buildSchedule(), runs, FIRST + 1)).toBe(FIRST + HOUR);
  });

  it.each([
    ["by hand", { trigger: "manual", status: "failed" }],
    ["that was cancelled", { status: "cancelled" }],
    ["that was interrupted", { status: "interrupted" }],
  ] as const)("a run %s is no failure of the schedule", (_what, more) => {
    const run = buildRun({ ...more, queuedAt: FIRST, errorCode: "unauthorized" });

    expect(nextAt(buildSchedule(), [run], FIRST)).toBe(FIRST + HOUR);
  });

  it("is paused after five refusals in a row, with the cause and what to do", () => {
    const runs = [5, 4, 3, 2, 1].map((hour) => refused(FIRST + hour * HOUR));

    expect(scheduleState(buildSchedule(), runs.slice(1), FIRST)).toMatchObject({ kind: "waiting" });
    expect(scheduleState(buildSchedule(), runs, FIRST)).toEqual({
      kind: "paused",
      reason: expect.stringMatching(/^自动同步已暂停：.*密钥无效.*自动恢复$/),
    });
  });

  it("is not paused when one of five failures has another cause", () => {
    const runs = [5, 4, 3, 2].map((hour) => refused(FIRST + hour * HOUR));

    const state = scheduleState(buildSchedule(), [...runs, timedOut(FIRST)], FIRST);

    expect(state).toMatchObject({ kind: "waiting" });
  });

  it("is due at once when it is resumed and a slot has passed", () => {
    const runs = [5, 4, 3, 2, 1].map((hour) => refused(FIRST + hour * HOUR));
    const resumedAt = FIRST + 9 * HOUR + 60;

    const next = nextAt(buildSchedule({ resumedAt }), runs, resumedAt);

    expect(next).toBe(resumedAt);
  });

  it("runs no slot again when the clock is set back by an hour", () => {
    const now = FIRST - HOUR + 60;

    expect(nextAt(buildSchedule(), [buildRun({ queuedAt: FIRST })], now)).toBe(FIRST + HOUR);
  });

  it("does not wait for an interval that was chosen by a wrong clock", () => {
    const schedule = buildSchedule({ chosenAt: CHOSEN + 400 * DAY + 7 });

    const next = nextAt(schedule, [], CHOSEN);

    expect(next).toBeGreaterThan(CHOSEN);
    expect(next).toBeLessThanOrEqual(CHOSEN + 1.1 * HOUR);
  });

  it("is paused although a wrong clock resumed it far ahead", () => {
    const runs = [5, 4, 3, 2, 1].map((hour) => refused(FIRST + hour * HOUR));
    const schedule = buildSchedule({ resumedAt: FIRST + 400 * DAY });

    expect(scheduleState(schedule, runs, FIRST + 6 * HOUR)).toMatchObject({ kind: "paused" });
  });

  it("does not wait for a time that a wrong clock wrote", () => {
    const now = FIRST + 60;
    const runs = [buildRun({ queuedAt: FIRST + 400 * DAY }), buildRun({ queuedAt: FIRST })];

    expect(nextAt(buildSchedule(), runs, now)).toBe(FIRST + HOUR);
  });
});

describe("what is known of a configuration's hosts", () => {
  const NOW = 1_900_000_000;

  it.each([
    ["every 15 minutes, 45 minutes after a success", 15, NOW - 45 * 60, false],
    ["every 15 minutes, a second later", 15, NOW - 45 * 60 - 1, true],
    ["without a schedule, a day after a success", null, NOW - DAY, false],
    ["without a schedule, a second later", null, NOW - DAY - 1, true],
  ] as const)("may be out of date: %s", (_what, intervalMinutes, lastSuccessAt, expected) => {
    const config = { intervalMinutes, createdAt: NOW - 30 * DAY, lastSuccessAt };

    expect(isStale(config, NOW)).toBe(expected);
  });

  it.each([
    [NOW - 3 * HOUR, false],
    [NOW - 3 * HOUR - 1, true],
  ])("without any success counts from the making of the configuration", (createdAt, expected) => {
    const config = { intervalMinutes: 60, createdAt, lastSuccessAt: null } as const;

    expect(isStale(config, NOW)).toBe(expected);
  });
});
