import { describe, expect, it } from "vitest";
import {
  countingEnd,
  daysMissing,
  type EndingHost,
  lastAssignmentEnd,
  providerPeriod,
} from "../../src/shared/host-ends.ts";

const DAY = 86_400;
const NOW = 1_795_000_000;

interface Ends {
  /** Days from now. */
  provider: number | null;
  users: readonly number[];
  autoRenew?: boolean | null;
  chargeType?: string;
  goneAt?: number | null;
}

function buildHost(ends: Ends): EndingHost {
  const { provider, users, autoRenew = null, chargeType = "Month", goneAt = null } = ends;
  return {
    goneAt,
    chargeType,
    autoRenew,
    expireTime: provider === null ? null : inDays(provider),
    users: users.map((days, index) => ({
      id: `019a9f00-0000-7000-8000-00000000000${index}`,
      name: `用户${index}`,
      username: `user${index}`,
      assignedAt: NOW - 30 * DAY,
      assignedExpireTime: inDays(days),
    })),
  };
}

function inDays(days: number): number {
  return NOW + days * DAY;
}

describe("the end of a host that counts", () => {
  it.each<[string, Ends, "assignment" | "provider" | null, number]>([
    ["the client's end when it is earlier", { provider: 60, users: [30] }, "assignment", 30],
    ["the provider's end when it is earlier", { provider: 6, users: [30] }, "provider", 6],
    ["the client's end when both are equal", { provider: 30, users: [30] }, "assignment", 30],
    ["the first of several clients' ends", { provider: 60, users: [40, 20] }, "assignment", 20],
    ["the provider's end of a host of nobody", { provider: 6, users: [] }, "provider", 6],
    ["none of a host of nobody without an end", { provider: null, users: [] }, null, 0],
    [
      "the client's end without an end at the provider",
      { provider: null, users: [5] },
      "assignment",
      5,
    ],
    [
      "the client's end of a host billed by time",
      { provider: 1, users: [30], chargeType: "Dynamic" },
      "assignment",
      30,
    ],
    [
      "the client's end when the provider renews the host",
      { provider: 6, users: [30], autoRenew: true },
      "assignment",
      30,
    ],
    [
      "none of a host of nobody that the provider renews",
      { provider: 6, users: [], autoRenew: true },
      null,
      0,
    ],
    [
      "the provider's end when it renews nothing",
      { provider: 6, users: [30], autoRenew: false },
      "provider",
      6,
    ],
    [
      "the provider's end that has passed, although it was to be renewed",
      { provider: -2, users: [30], autoRenew: true },
      "provider",
      -2,
    ],
    [
      "the client's end that passed before the provider's",
      { provider: -2, users: [-5] },
      "assignment",
      -5,
    ],
  ])("is %s", (_title, ends, of, days) => {
    const end = countingEnd(buildHost(ends), NOW);

    expect(end).toEqual(of === null ? null : { of, at: inDays(days) });
  });
});

describe("the renewal of a provider's period", () => {
  it.each<[string, Ends, "none" | "expected" | "failed" | null]>([
    ["none where it is off", { provider: 6, users: [], autoRenew: false }, "none"],
    ["none where it is unknown", { provider: -2, users: [], autoRenew: null }, "none"],
    ["expected at an end to come", { provider: 6, users: [], autoRenew: true }, "expected"],
    ["expected at an end of now", { provider: 0, users: [], autoRenew: true }, "expected"],
    ["failed at an end that has passed", { provider: -1, users: [], autoRenew: true }, "failed"],
    [
      "nothing for a host that is gone",
      { provider: -1, users: [], autoRenew: true, goneAt: NOW - 1 },
      null,
    ],
    [
      "nothing for a host billed by time",
      { provider: -1, users: [], autoRenew: true, chargeType: "Postpay" },
      null,
    ],
  ])("is %s", (_title, ends, renewal) => {
    const period = providerPeriod(buildHost(ends), NOW);

    expect(period?.renewal ?? null).toBe(renewal);
  });
});

describe("the days that the provider ends before the client", () => {
  it.each<[string, Ends, number | null]>([
    ["24 of 60 and 36", { provider: 36, users: [60] }, 24],
    ["0 of two ends on one date", { provider: 36, users: [36.1] }, 0],
    ["1 of a part of a day to the next date", { provider: 36, users: [36.9] }, 1],
    ["none of equal ends", { provider: 36, users: [36] }, null],
    ["24 of 60, where another client ends first", { provider: 36, users: [20, 60] }, 24],
    ["24 of 60, in whatever order the clients are", { provider: 36, users: [60, 40] }, 24],
    ["none when all clients end first", { provider: 60, users: [36, 59] }, null],
    ["none when the client ends first", { provider: 60, users: [36] }, null],
    ["none of a host of nobody", { provider: 36, users: [] }, null],
    [
      "none when the provider renews the host",
      { provider: 36, users: [60], autoRenew: true },
      null,
    ],
    ["62 of a renewal that failed", { provider: -2, users: [60], autoRenew: true }, 62],
    ["none of a host that is gone", { provider: -2, users: [60], goneAt: NOW - 1 }, null],
    ["none of a host billed by time", { provider: 1, users: [60], chargeType: "Dynamic" }, null],
  ])("are %s", (_title, ends, days) => {
    const host = buildHost(ends);

    expect(daysMissing(providerPeriod(host, NOW), lastAssignmentEnd(host))).toBe(days);
  });
});
