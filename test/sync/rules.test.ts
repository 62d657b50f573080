import { describe, expect, it } from "vitest";
import {
  exceedsGoneGuard,
  finalStatus,
  isCompletePass,
  isEmptinessConfirmed,
  isWorthReadingAgain,
  type Pass,
} from "../../src/server/sync/rules.ts";

const PERFECT: Pass = { total: 250, totalMoved: false, distinct: 250, repeated: 0, rejected: 0, failedPages: 0 };

describe("a reading is complete", () => {
  it("when every announced host came once and nothing moved", () => {
    expect(isCompletePass(PERFECT)).toBe(true);
    expect(isCompletePass({ ...PERFECT, total: 0, distinct: 0 })).toBe(true);
  });

  it.each<[string, Partial<Pass>]>([
    ["a host is missing", { distinct: 249 }],
    ["there is a host too many", { distinct: 251 }],
    ["the total moved", { totalMoved: true }],
    ["a host came twice", { repeated: 1 }],
    ["a record was refused", { rejected: 1 }],
    ["a page failed", { failedPages: 1 }],
    ["the total is absurd", { total: 1_000_001, distinct: 1_000_001 }],
  ])("not when %s", (_name, change) => {
    expect(isCompletePass({ ...PERFECT, ...change })).toBe(false);
  });

  it("is tried again only when the list moved", () => {
    expect(isWorthReadingAgain({ ...PERFECT, totalMoved: true })).toBe(true);
    expect(isWorthReadingAgain({ ...PERFECT, repeated: 1 })).toBe(true);
    expect(isWorthReadingAgain({ ...PERFECT, distinct: 249 })).toBe(false);
    expect(isWorthReadingAgain({ ...PERFECT, totalMoved: true, failedPages: 1 })).toBe(false);
  });
});

describe("the guard against wrong losses", () => {
  it.each([
    [4, 4, false],
    [4, 10, false],
    [5, 5, true],
    [5, 16, true],
    [5, 17, false],
    [30, 100, false],
    [31, 100, true],
    [0, 0, false],
  ])("%i of %i hosts: %s", (missing, current, expected) => {
    expect(exceedsGoneGuard(missing, current)).toBe(expected);
  });
});

describe("an empty place", () => {
  it("is believed after ten minutes", () => {
    expect(isEmptinessConfirmed(null, 1_000)).toBe(false);
    expect(isEmptinessConfirmed(1_000, 1_599)).toBe(false);
    expect(isEmptinessConfirmed(1_000, 1_600)).toBe(true);
  });
});

describe("a run ends as", () => {
  const error = { region: null, projectId: null, code: "x", message: "x" };
  it("failed when no place could be read, partial with any doubt, else succeeded", () => {
    expect(finalStatus({ readable: 0, rejected: 0, errors: [error] })).toBe("failed");
    expect(finalStatus({ readable: 1, rejected: 0, errors: [error] })).toBe("partial");
    expect(finalStatus({ readable: 1, rejected: 1, errors: [] })).toBe("partial");
    expect(finalStatus({ readable: 1, rejected: 0, errors: [] })).toBe("succeeded");
  });
});
