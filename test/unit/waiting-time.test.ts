import { describe, expect, it } from "vitest";
import { unpaidSince, waitingSince } from "../../src/client/components/renewals/waiting-time.ts";

/** A moment in Shanghai, in Unix seconds. 2026-11-23 is a Monday. */
function at(time: string): number {
  return Date.parse(`${time}+08:00`) / 1000;
}

describe("how long a request has waited", () => {
  it.each([
    ["2026-11-23T09:13", "2026-11-23T09:51", "fresh", "等待不到 1 小时"],
    ["2026-11-23T09:13", "2026-11-23T12:40", "fresh", "已等待 3 小时"],
    ["2026-11-23T09:13", "2026-11-24T09:12", "fresh", "已等待 23 小时"],
    ["2026-11-23T09:13", "2026-11-24T09:14", "due", "已等待 1 个工作日"],
    ["2026-11-23T09:13", "2026-11-25T10:02", "overdue", "已等待 2 个工作日"],
  ])("from %s until %s is %s: %s", (since, now, state, text) => {
    expect(waitingSince(at(since), at(now))).toEqual({ state, text });
  });

  it("counts no weekend", () => {
    const friday = at("2026-11-27T17:20");
    const monday = at("2026-11-30T09:05");

    expect(waitingSince(friday, monday)).toEqual({ state: "fresh", text: "已等待 63 小时" });
  });

  it("counts the working days of a request from before a weekend", () => {
    const thursday = at("2026-11-26T17:20");
    const tuesday = at("2026-12-01T18:05");

    expect(waitingSince(thursday, tuesday)).toEqual({
      state: "overdue",
      text: "已等待 3 个工作日",
    });
  });
});

describe("how long a request has not been paid", () => {
  it.each([
    ["2026-11-23T09:13", "2026-11-24T09:12", "fresh", "批准不到 1 天"],
    ["2026-11-23T09:13", "2026-11-24T09:13", "fresh", "批准已 1 天"],
    ["2026-11-23T09:13", "2026-11-30T09:12", "fresh", "批准已 6 天"],
    ["2026-11-23T09:13", "2026-11-30T09:13", "due", "批准已 7 天"],
  ])("from %s until %s is %s: %s", (since, now, state, text) => {
    expect(unpaidSince(at(since), at(now))).toEqual({ state, text });
  });
});
