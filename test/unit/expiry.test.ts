import { join } from "node:path";
import fc from "fast-check";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  localDate,
  localDateTime,
  localTime,
  localWeekday,
  monthsFrom,
  parseLocalTime,
} from "../../src/shared/shanghai.ts";
import { DAY_SECONDS, daysLeft, expiryState, extendedExpiry } from "../../src/shared/time.ts";
import { ROOT } from "../harness/programs.ts";

const LAST_SECOND = 253_402_300_799;
const seconds = fc.integer({ min: 0, max: LAST_SECOND });
const beforeYear10000 = fc.integer({ min: 0, max: LAST_SECOND - 8 * 3600 });
/** Favours moments near the limits of the rule. */
const expiryAndNow = fc.oneof(
  fc.tuple(seconds, seconds),
  fc
    .tuple(seconds, fc.integer({ min: -9 * DAY_SECONDS, max: 9 * DAY_SECONDS }))
    .map(([now, ahead]) => [now + ahead, now] as const),
  fc
    .tuple(seconds, fc.integer({ min: -9, max: 9 }))
    .map(([now, ahead]) => [now + ahead * DAY_SECONDS, now] as const),
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
        expect(expiryState(expiry, now)).toBe(
          ahead < 0 ? "expired" : ahead <= 7 * DAY_SECONDS ? "expiring" : "normal",
        );
      }),
    );
  });

  it("a renewal extends a running assignment from its end and an expired one from now", () => {
    fc.assert(
      fc.property(
        seconds,
        fc.nat(400 * DAY_SECONDS),
        fc.integer({ min: 1, max: 365 }),
        (now, apart, days) => {
          expect(extendedExpiry(now + apart, days, now)).toBe(now + apart + days * DAY_SECONDS);
          expect(extendedExpiry(now - apart, days, now)).toBe(now + days * DAY_SECONDS);
        },
      ),
    );
  });
});

/**
 * Moments with the local time of Shanghai: ends of days, months and years, and changes of clocks in
 * New York.
 */
const MOMENTS: readonly (readonly [moment: string, shanghai: string])[] = [
  ["2026-12-31T16:00:00Z", "2027-01-01 00:00"],
  ["2026-12-31T15:59:59Z", "2026-12-31 23:59"],
  ["2027-01-31T15:59:59Z", "2027-01-31 23:59"],
  ["2028-02-28T16:00:00Z", "2028-02-29 00:00"],
  ["2027-03-14T07:00:00Z", "2027-03-14 15:00"],
  ["2027-11-07T05:30:00Z", "2027-11-07 13:30"],
  ["2027-11-07T06:30:00Z", "2027-11-07 14:30"],
  ["1970-01-01T00:00:00Z", "1970-01-01 08:00"],
];
const unix = (moment: string) => Math.floor(Date.parse(moment) / 1000);
const ZONES = ["UTC", "Asia/Shanghai", "America/New_York"];

describe("local times of Shanghai", () => {
  it("are those of its time zone since 1992", () => {
    const zone = new Intl.DateTimeFormat("sv-SE", {
      timeZone: "Asia/Shanghai",
      dateStyle: "short",
      timeStyle: "short",
    });
    const recent = fc.integer({
      min: unix("1992-01-01T00:00:00Z"),
      max: unix("9999-12-31T15:59:59Z"),
    });
    fc.assert(
      fc.property(recent, (seconds) => {
        expect(localTime(seconds)).toBe(zone.format(seconds * 1000).replace(" ", "T"));
        expect(localDate(seconds)).toBe(localTime(seconds).slice(0, 10));
        expect(localDateTime(seconds).slice(0, 16)).toBe(localTime(seconds).replace("T", " "));
      }),
    );
  });

  it("are read back to the minute", () => {
    fc.assert(
      fc.property(beforeYear10000, (moment) => {
        expect(parseLocalTime(localTime(moment))).toBe(moment - (moment % 60));
      }),
    );
  });

  it.each([
    "",
    "2027-02-30T08:00",
    "2027-13-01T08:00",
    "2027-01-01",
    "2027-01-01T24:00",
    "incomplete",
  ])("are not read from %j", (text) => {
    expect(parseLocalTime(text)).toBeNull();
  });

  it.each([
    ["2027-01-31T15:59:59Z", 0],
    ["2027-01-31T16:00:00Z", 1],
    ["2027-02-06T12:00:00Z", 6],
    ["1970-01-01T00:00:00Z", 4],
  ])("say the weekday of %s", (moment, weekday) => {
    expect(localWeekday(unix(moment))).toBe(weekday);
  });

  it("begin the months with that of the moment", () => {
    expect(monthsFrom(unix("2026-10-31T16:00:00Z"), 3)).toEqual(["2026-11", "2026-12", "2027-01"]);
    expect(monthsFrom(unix("2026-10-31T15:59:59Z"), 1)).toEqual(["2026-10"]);
  });
});

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

  /** The console's functions, loaded afresh in a browser of that zone. */
  async function consoleIn(zone: string) {
    vi.stubEnv("TZ", zone);
    vite.environments.ssr.moduleGraph.invalidateAll();
    return {
      ...(await vite.ssrLoadModule("/lib/format.ts")),
      ...(await vite.ssrLoadModule("/lib/browser-zone.ts")),
      ...(await vite.ssrLoadModule("/components/assignments/period.ts")),
      ...(await vite.ssrLoadModule("/features/renewals/renewal-rules.ts")),
      ...(await vite.ssrLoadModule("/components/renewals/waiting-time.ts")),
    };
  }

  it.each(ZONES)("in %s are written and read as in Shanghai", async (zone) => {
    const shown = await consoleIn(zone);
    for (const [moment, text] of MOMENTS) {
      const seconds = unix(moment);
      expect(shown.formatDate(seconds)).toBe(text.slice(0, 10));
      expect(shown.formatDateTime(seconds)).toBe(text);
      expect(shown.parseDateTime(shown.dateTimeInput(seconds))).toBe(seconds - (seconds % 60));
    }
  });

  it.each(ZONES)("in %s are counted in seconds from a start", async (zone) => {
    const shown = await consoleIn(zone);
    for (const [moment] of MOMENTS) {
      const start = shown.dateTimeInput(unix(moment));
      const fields = { ends: "days", days: "30", endDate: "", start };
      const period = shown.readPeriod(fields);
      expect(period.end - period.start).toBe(30 * DAY_SECONDS);

      const renewal = {
        status: "pending",
        assignedExpireTime: unix(moment),
        requestedDuration: 30,
      };
      expect(shown.expiryAfter(renewal, now)).toBe(Math.max(unix(moment), now) + 30 * DAY_SECONDS);
    }
  });

  it.each(ZONES)("in %s are as many days away as the rule says", async (zone) => {
    const shown = await consoleIn(zone);
    for (const [moment] of MOMENTS) {
      const days = new Intl.NumberFormat("en").format(Math.abs(daysLeft(unix(moment), now)));
      const timeLeft = unix(moment) < now ? `已过期 ${days} 天` : `还有 ${days} 天`;
      expect(shown.formatTimeLeft(unix(moment), now)).toBe(timeLeft);
    }
  });

  it.each(ZONES)("in %s a request waits on the working days of Shanghai", async (zone) => {
    const { waitingSince } = await consoleIn(zone);
    // From Friday 23:30 to Monday 00:30 in Shanghai; in New York it is still Sunday.
    const since = unix("2027-03-12T15:30:00Z");
    const waited = waitingSince(since, unix("2027-03-14T16:30:00Z"));
    expect(waited.state).toBe("fresh");
    const dayAfter = waitingSince(since, unix("2027-03-15T15:30:00Z"));
    expect(dayAfter.text).toBe("已等待 1 个工作日");
  });

  it.each([
    ["Asia/Shanghai", ""],
    ["Asia/Singapore", ""],
    ["Asia/Tokyo", "（北京时间）"],
    ["Australia/Perth", ""],
    ["America/New_York", "（北京时间）"],
  ])("are said to be those of Beijing in %s only where it differs", async (zone, suffix) => {
    expect((await consoleIn(zone)).ZONE_SUFFIX).toBe(suffix);
  });
});
