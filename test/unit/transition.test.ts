import { describe, expect, it } from "vitest";
import { transitionOf } from "../../src/client/components/hosts/transition.ts";
import type { HostStatus } from "../../src/shared/hosts.ts";

const NOW = 1_795_000_000;
const MINUTE = 60;

describe("how long a host has been in transition", () => {
  it.each<[HostStatus, number, string, boolean]>([
    ["Rebooting", 59, "不到 1 分钟", false],
    ["Rebooting", 11 * MINUTE, "已 11 分钟", false],
    ["Starting", 15 * MINUTE, "已 15 分钟", false],
    ["Stopping", 15 * MINUTE + 1, "已 15 分钟", true],
    ["Rebooting", 3 * 60 * MINUTE, "已 3 小时", true],
    ["Rebooting", 50 * 60 * MINUTE, "已 2 天", true],
  ])("%s for %i seconds is %s, too long: %s", (status, seconds, text, isTooLong) => {
    const host = { status, statusSince: NOW - seconds, goneAt: null };

    expect(transitionOf(host, NOW)).toMatchObject({ text, isTooLong });
  });

  it.each([
    [524, true],
    [525, false],
    [14 * MINUTE, false],
  ])("the server asks again by itself after %i seconds: %s", (seconds, isWatched) => {
    const host = { status: "Rebooting", statusSince: NOW - seconds, goneAt: null } as const;

    expect(transitionOf(host, NOW)?.isWatched).toBe(isWatched);
  });

  it("is never negative where the console is behind the server", () => {
    const host = { status: "Rebooting", statusSince: NOW + 5, goneAt: null } as const;

    expect(transitionOf(host, NOW)?.text).toBe("不到 1 分钟");
  });

  it.each<[string, HostStatus, number | null, number | null]>([
    ["a host that runs", "Running", NOW - 600, null],
    ["a time that is not known", "Rebooting", null, null],
    ["a host that is gone", "Rebooting", NOW - 600, NOW - 60],
  ])("is not said of %s", (_title, status, statusSince, goneAt) => {
    expect(transitionOf({ status, statusSince, goneAt }, NOW)).toBeNull();
  });
});
