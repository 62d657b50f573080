import { describe, expect, it } from "vitest";
import { isStale } from "../../src/server/modules/hosts/staleness.ts";
import {
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
    isAccessUntried: false,
    ...more,
  };
}

function buildRun(more: Partial<ScheduledRun> = {}): ScheduledRun {
  return {
    id: "run",
    trigger: "schedule",
    status: "succeeded",
    queuedAt: CHOSEN,
    finishedAt: null,
    errorCode: null,
    errorMessage: null,
    ...more,
  };
}

const refused = (queuedAt: number) =>
  buildRun({ status: "failed", queuedAt, errorCode: "unauthorized", errorMessage: "密钥无效" });
const timedOut = (queuedAt: number) =>
  buildRun({ status: "failed", queuedAt, errorCode: "timeout", errorMessage: "超时" });
const interrupted = (queuedAt: number) =>
  buildRun({ status: "interrupted", queuedAt, errorCode: "interrupted", errorMessage: "中断" });
const cancelled = (queuedAt: number) => buildRun({ status: "cancelled", queuedAt });

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
    [15, [1, 2, 4, 8]],
    [60, [1, 2, 4, 6]],
    [360, [1, 1, 1, 1]],
    [1440, [1, 1, 1, 1]],
  ] as const)("every %i minutes waits %j intervals after refusals", (intervalMinutes, waits) => {
    const schedule = buildSchedule({ intervalMinutes });
    const interval = intervalMinutes * 60;
    const slot = nextAt(schedule, []);

    const waited = waits.map((_, index) => {
      const refusals = Array.from({ length: index + 1 }, (_, back) => refused(slot - back));
      return (nextAt(schedule, refusals, slot) - slot) / interval;
    });

    expect(waited).toEqual(waits);
  });

  it("does not wait for a time that a wrong clock wrote", () => {
    const now = FIRST + 60;
    const runs = [buildRun({ queuedAt: FIRST + 400 * DAY }), buildRun({ queuedAt: FIRST })];

    expect(nextAt(buildSchedule(), runs, now)).toBe(FIRST + HOUR);
  });

  it("is paused after five refusals in a row, with the cause and what to do", () => {
    const runs = [5, 4, 3, 2, 1].map((hour) => refused(FIRST + hour * HOUR));

    expect(scheduleState(buildSchedule(), runs.slice(1), FIRST)).toMatchObject({ kind: "waiting" });
    expect(scheduleState(buildSchedule(), runs, FIRST)).toEqual({
      kind: "paused",
      reason: expect.stringMatching(/^自动同步已暂停：.*密钥无效.*自动恢复$/),
      nextAt: null,
    });
  });

  it.each([
    ["interrupted", interrupted],
    ["cancelled", cancelled],
  ] as const)("is paused after five refusals, one %s run among them", (_status, between) => {
    const [newest, ...others] = [6, 5, 4, 3, 2].map((hour) => refused(FIRST + hour * HOUR));

    const runs = [newest ?? refused(FIRST), between(FIRST + 5 * HOUR + 60), ...others];

    expect(scheduleState(buildSchedule(), runs, FIRST)).toMatchObject({ kind: "paused" });
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
});

describe("a scheduled run without success", () => {
  const DAILY = buildSchedule({ intervalMinutes: 1440 });
  const SLOT = nextAt(DAILY, []);
  const MINUTE = 60;

  /** Minutes from the newest of these runs to the next one, each run as soon as it is due. */
  function waitsAfter(kinds: readonly ((queuedAt: number) => ScheduledRun)[]): number[] {
    const waits: number[] = [];
    let runs: ScheduledRun[] = [];
    let at = SLOT;
    for (const kind of kinds) {
      runs = [kind(at), ...runs];
      const next = nextAt(DAILY, runs, at);
      waits.push((next - at) / MINUTE);
      at = next;
    }
    return waits;
  }

  it("is made again after 5 minutes, then after twice the wait, up to 6 hours", () => {
    const waits = waitsAfter(Array(9).fill(timedOut));

    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360]);
  });

  it.each([
    ["failed", timedOut],
    ["interrupted", interrupted],
  ] as const)("that %s waits no longer than until the next slot", (_status, kind) => {
    const late = SLOT + DAY - 60;

    expect(nextAt(DAILY, [kind(late)], late)).toBe(SLOT + DAY);
  });

  it("that failed many times in a row waits no longer than until the next slot", () => {
    const schedule = buildSchedule({ intervalMinutes: 15 });
    const slot = nextAt(schedule, []);
    const failures = [3, 2, 1, 0].map((quarter) => timedOut(slot + quarter * 15 * MINUTE));

    expect(nextAt(schedule, failures, slot + 45 * MINUTE)).toBe(slot + 60 * MINUTE);
  });

  it("that took longer than the wait is made again after its end", () => {
    const finishedAt = SLOT + HOUR;

    const next = nextAt(DAILY, [{ ...timedOut(SLOT), finishedAt }], finishedAt);

    expect(next).toBe(finishedAt + 5 * MINUTE);
  });

  it("is due at once when its wait has passed while nothing ran", () => {
    expect(nextAt(DAILY, [timedOut(SLOT)], SLOT + HOUR)).toBe(SLOT + HOUR);
  });

  it("that was interrupted is made again after 2 minutes, three times in a row", () => {
    const waits = waitsAfter(Array(6).fill(interrupted));

    expect(waits).toEqual([2, 2, 2, 5, 10, 20]);
  });

  it("that was interrupted neither adds to the failures before it nor ends them", () => {
    const waits = waitsAfter([timedOut, timedOut, interrupted, timedOut]);

    expect(waits).toEqual([5, 10, 2, 20]);
  });

  it("that a person cancelled waits for the next slot", () => {
    expect(nextAt(DAILY, [cancelled(SLOT)], SLOT)).toBe(SLOT + DAY);
    expect(nextAt(DAILY, [cancelled(SLOT + 300), timedOut(SLOT)], SLOT + 300)).toBe(SLOT + DAY);
  });

  it.each(["succeeded", "partial"] as const)("is forgotten after one that %s", (status) => {
    const success = buildRun({ status, trigger: "manual", queuedAt: SLOT + 60 });

    expect(nextAt(DAILY, [success, timedOut(SLOT)], SLOT + 60)).toBe(SLOT + DAY);
  });

  it.each(["failed", "interrupted", "cancelled"] as const)(
    "is made again in its time after a run by hand that %s",
    (status) => {
      const byHand = buildRun({ status, trigger: "manual", queuedAt: SLOT + 60 });

      expect(nextAt(DAILY, [byHand, timedOut(SLOT)], SLOT + 60)).toBe(SLOT + 5 * MINUTE);
    },
  );

  it("by hand is left to the person", () => {
    const byHand = buildRun({ trigger: "manual", status: "failed", queuedAt: SLOT });

    expect(nextAt(DAILY, [byHand], SLOT)).toBe(SLOT + DAY);
  });

  it("waits for the next slot when the key was refused, and so does the one after a timeout", () => {
    expect(nextAt(DAILY, [refused(SLOT)], SLOT)).toBe(SLOT + DAY);
    expect(nextAt(DAILY, [refused(SLOT + 300), timedOut(SLOT)], SLOT + 300)).toBe(SLOT + DAY);
  });

  it("begins with 5 minutes again after refusals", () => {
    const later = SLOT + DAY;

    expect(nextAt(DAILY, [timedOut(later), refused(SLOT)], later)).toBe(later + 5 * MINUTE);
  });
});

describe("a changed key", () => {
  const REFUSALS = [5, 4, 3, 2, 1].map((hour) => refused(FIRST + hour * HOUR));
  const NOW = FIRST + 6 * HOUR + 60;

  it("is due at once, while the schedule stays paused", () => {
    expect(scheduleState(buildSchedule({ isAccessUntried: true }), REFUSALS, NOW)).toEqual({
      kind: "paused",
      reason: expect.stringMatching(/密钥无效.*已更改，系统很快会自动试一次/),
      nextAt: NOW,
    });
  });

  it("is due at once when the schedule is not paused", () => {
    const runs = [buildRun({ queuedAt: NOW - 30 })];

    expect(nextAt(buildSchedule({ isAccessUntried: true }), runs, NOW)).toBe(NOW);
  });

  it("that is refused as well leaves the schedule paused", () => {
    const state = scheduleState(buildSchedule(), [refused(NOW), ...REFUSALS], NOW);

    expect(state).toMatchObject({
      kind: "paused",
      reason: expect.stringContaining("更换密钥后系统会自动试一次"),
      nextAt: null,
    });
  });

  it.each([
    ["succeeded", buildRun({ queuedAt: NOW }), NOW - 60 + HOUR],
    ["timed out", timedOut(NOW), NOW + 300],
  ])("that is not refused resumes the schedule: its run %s", (_how, run, expected) => {
    expect(nextAt(buildSchedule(), [run, ...REFUSALS], NOW)).toBe(expected);
  });

  it("is tried again when its run was interrupted", () => {
    const state = scheduleState(buildSchedule(), [interrupted(NOW), ...REFUSALS], NOW + 10);

    expect(state).toMatchObject({ kind: "paused", nextAt: NOW + 120 });
  });
});

describe("what is known of a configuration's hosts", () => {
  const NOW = 1_900_000_000;

  it.each([
    ["every 15 minutes, 45 minutes after a success", 15, NOW - 45 * 60, false],
    ["every 15 minutes, a second later", 15, NOW - 45 * 60 - 1, true],
    ["every 6 hours, 12 hours after a success", 360, NOW - 12 * HOUR, false],
    ["every 6 hours, a second later", 360, NOW - 12 * HOUR - 1, true],
    ["every day, 30 hours after a success", 1440, NOW - 30 * HOUR, false],
    ["every day, a second later", 1440, NOW - 30 * HOUR - 1, true],
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
