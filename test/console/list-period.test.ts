import { expect, it } from "vitest";
import { boundsOf, isDate } from "@/components/period/period";
import { dayTitle } from "@/lib/day-title";

/** 2026-11-29 00:30 in Shanghai, which is the day before in UTC. */
const NOW = Date.parse("2026-11-28T16:30:00Z") / 1000;
const at = (local: string) => Date.parse(`${local}+08:00`) / 1000;

it.each([
  ["today", "2026-11-29T00:00:00"],
  ["yesterday", "2026-11-28T00:00:00"],
  ["week", "2026-11-23T00:00:00"],
] as const)("%s begins with a day of Shanghai, and has no end", (period, from) => {
  expect(boundsOf({ period }, NOW)).toEqual({ from: at(from) });
});

it("dates are whole days, the last one to its last second", () => {
  const dates = { period: "dates", fromDate: "2026-11-01", toDate: "2026-11-02" } as const;

  const bounds = boundsOf(dates, NOW);

  expect(bounds).toEqual({ from: at("2026-11-01T00:00:00"), to: at("2026-11-02T23:59:59") });
});

it("a date that is left out leaves the time open on its side", () => {
  expect(boundsOf({ period: "dates" }, NOW)).toEqual({});
  expect(boundsOf({ period: "dates", toDate: "2026-11-02" }, NOW)).toEqual({
    to: at("2026-11-02T23:59:59"),
  });
});

it("names today and yesterday of Shanghai", () => {
  const days = ["2026-11-29", "2026-11-28", "2026-11-27"];

  expect(days.map((day) => dayTitle(day, NOW))).toEqual([
    "2026-11-29 今天",
    "2026-11-28 昨天",
    "2026-11-27",
  ]);
});

it.each(["0002-11-29", "2026-02-30", "2026-1-1", "x", ""])("takes no %j for a date", (text) => {
  expect(isDate(text)).toBe(false);
});
