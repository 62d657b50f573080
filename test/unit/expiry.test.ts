import { join } from "node:path";
import fc from "fast-check";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { DAY_SECONDS, daysLeft, expiryState, extendedExpiry } from "../../src/shared/time.ts";
import { ROOT } from "../harness/programs.ts";

const LAST_SECOND = 253_402_300_799;
const seconds = fc.integer({ min: 0, max: LAST_SECOND });
/** Favours moments near the limits of the rule. */
const expiryAndNow = fc.oneof(
  fc.tuple(seconds, seconds),
  fc
    .tuple(seconds, fc.integer({ min: -9 * DAY_SECONDS, max: 9 * DAY_SECONDS }))
    .map(([now, ahead]) => [now + ahead, now] as const),
  fc.tuple(seconds, fc.integer({ min: -9, max: 9 })).map(([now, ahead]) => [now + ahead * DAY_SECONDS, now] as const),
);

describe("the expiry rule", () => {
  it("days left are the fewest whole days that reach the expiry", () => {
    fc.assert(
      fc.property(expiryAndNow, ([expiry, now]) => {
        const left = daysLeft(expiry, now);
        expect(Number.isInteger(left)).toBe(true);
        expect(now + left * DAY_SECONDS).toBeGreaterThanOrEqual(expiry);
        expect(now + (left - 1) * DAY_SECONDS).toBeLessThan(expiry);
      }),
    );
  });

  it("expired means before now, expiring means within seven days, and no date is both", () => {
    fc.assert(
      fc.property(expiryAndNow, ([expiry, now]) => {
        const ahead = expiry - now;
        expect(expiryState(expiry, now)).toBe(ahead < 0 ? "expired" : ahead <= 7 * DAY_SECONDS ? "expiring" : "normal");
      }),
    );
  });

  it("a renewal extends a running assignment from its end and an expired one from now", () => {
    fc.assert(
      fc.property(seconds, fc.nat(400 * DAY_SECONDS), fc.integer({ min: 1, max: 365 }), (now, apart, days) => {
        expect(extendedExpiry(now + apart, days, now)).toBe(now + apart + days * DAY_SECONDS);
        expect(extendedExpiry(now - apart, days, now)).toBe(now + days * DAY_SECONDS);
      }),
    );
  });
});

/** Moments with their expected text in each zone. */
const MOMENTS: readonly (readonly [moment: string, ...written: [string, string, string]])[] = [
  ["2026-12-31T16:00:00Z", "2026-12-31 16:00", "2027-01-01 00:00", "2026-12-31 11:00"],
  ["2027-01-31T15:59:59Z", "2027-01-31 15:59", "2027-01-31 23:59", "2027-01-31 10:59"],
  ["2028-03-01T04:59:00Z", "2028-03-01 04:59", "2028-03-01 12:59", "2028-02-29 23:59"],
  ["2027-03-14T06:59:00Z", "2027-03-14 06:59", "2027-03-14 14:59", "2027-03-14 01:59"],
  ["2027-03-14T07:00:00Z", "2027-03-14 07:00", "2027-03-14 15:00", "2027-03-14 03:00"],
  ["2027-11-07T05:30:00Z", "2027-11-07 05:30", "2027-11-07 13:30", "2027-11-07 01:30"],
  ["2027-11-07T06:30:00Z", "2027-11-07 06:30", "2027-11-07 14:30", "2027-11-07 01:30"],
  ["2027-11-07T07:30:00Z", "2027-11-07 07:30", "2027-11-07 15:30", "2027-11-07 02:30"],
  ["2027-01-01T00:00:00Z", "2027-01-01 00:00", "2027-01-01 08:00", "2026-12-31 19:00"],
];
const unix = (moment: string) => Math.floor(Date.parse(moment) / 1000);
/** This local time exists twice in New York and parses as the first. */
const SECOND_TIME = "2027-11-07T06:30:00Z";

describe("expiry dates in the console", () => {
  const now = unix("2027-03-13T12:00:00Z");
  let vite: ViteDevServer;

  beforeAll(async () => {
    // Vite knows the console's import aliases and JSX.
    vite = await createServer({
      configFile: join(ROOT, "vite.config.ts"),
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
      logLevel: "silent",
    });
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => vite.close());

  /** The console's functions, loaded afresh: its formatters keep the zone of the page. */
  async function consoleIn(zone: string) {
    vi.stubEnv("TZ", zone);
    vite.environments.ssr.moduleGraph.invalidateAll();
    return {
      ...(await vite.ssrLoadModule("/lib/format.ts")),
      ...(await vite.ssrLoadModule("/features/hosts/assignment.ts")),
      ...(await vite.ssrLoadModule("/features/renewals/renewal-rules.ts")),
    };
  }

  it.each(["UTC", "Asia/Shanghai", "America/New_York"])(
    "in %s are formatted in local time and parsed back, and periods and extensions are counted in seconds",
    async (zone) => {
      const shown = await consoleIn(zone);
      for (const [moment, utc, shanghai, newYork] of MOMENTS) {
        const seconds = unix(moment);
        const text = { UTC: utc, "Asia/Shanghai": shanghai, "America/New_York": newYork }[zone] ?? "";
        expect([shown.formatDate(seconds), shown.formatDateTime(seconds)]).toEqual([text.slice(0, 10), text]);

        const start = shown.dateTimeInput(seconds);
        const isSecond = zone === "America/New_York" && moment === SECOND_TIME;
        const readBack = Math.floor(seconds / 60) * 60 - (isSecond ? 3600 : 0);
        expect([moment, shown.parseDateTime(start)]).toEqual([moment, readBack]);
        const values = { ...shown.assignmentValues(), days: "30", start };
        expect(shown.validityPeriod(values)).toEqual({ start: readBack, end: readBack + 30 * DAY_SECONDS });

        const days = Math.abs(daysLeft(seconds, now));
        const timeLeft = seconds < now ? `已过期 ${days} 天` : `还有 ${days} 天`;
        expect(shown.formatTimeLeft(seconds, now)).toMatch(timeLeft);
        const renewal = { status: "pending", assignedExpireTime: seconds, requestedDuration: 30 };
        expect(shown.expiryAfter(renewal, now)).toBe(Math.max(seconds, now) + 30 * DAY_SECONDS);
      }
    },
  );
});
