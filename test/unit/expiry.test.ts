import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { isAssignablePeriod } from "../../src/shared/hosts.ts";
import { DAY_SECONDS as DAY, daysLeft, expiryState, extendedExpiry } from "../../src/shared/time.ts";
import { startProgram } from "../harness/programs.ts";
import type { InZone, ZoneInput } from "./expiry-in-zone.ts";

const ZONES = ["UTC", "Asia/Shanghai", "America/New_York"] as const;
type Zone = (typeof ZONES)[number];
const LAST_SECOND = 253_402_300_799;
const seconds = fc.integer({ min: 0, max: LAST_SECOND });
/** Favours moments near the limits of the rule. */
const expiryAndNow = fc.oneof(
  fc.tuple(seconds, seconds),
  fc.tuple(seconds, fc.integer({ min: -9 * DAY, max: 9 * DAY })).map(([now, ahead]) => [now + ahead, now] as const),
  fc.tuple(seconds, fc.integer({ min: -9, max: 9 })).map(([now, ahead]) => [now + ahead * DAY, now] as const),
);

describe("the expiry rule", () => {
  it("days left are the fewest whole days that reach the expiry", () => {
    fc.assert(
      fc.property(expiryAndNow, ([expiry, now]) => {
        const left = daysLeft(expiry, now);
        expect(Number.isInteger(left)).toBe(true);
        expect(now + left * DAY).toBeGreaterThanOrEqual(expiry);
        expect(now + (left - 1) * DAY).toBeLessThan(expiry);
      }),
    );
  });

  it("days left on the day of expiry are 0 and not -0", () => {
    expect(daysLeft(1_800_000_000, 1_800_000_001)).toBe(0);
  });

  it("expired means before now, expiring means within seven days, and no date is both", () => {
    fc.assert(
      fc.property(expiryAndNow, ([expiry, now]) => {
        const ahead = expiry - now;
        expect(expiryState(expiry, now)).toBe(ahead < 0 ? "expired" : ahead <= 7 * DAY ? "expiring" : "normal");
      }),
    );
  });

  it("one day later there is one day less, and the state moves only from normal to expiring to expired", () => {
    const order = ["normal", "expiring", "expired"];
    fc.assert(
      fc.property(expiryAndNow, fc.nat(20 * DAY), ([expiry, now], passed) => {
        expect(daysLeft(expiry, now + DAY)).toBe(daysLeft(expiry, now) - 1);
        const [before, after] = [expiryState(expiry, now), expiryState(expiry, now + passed)];
        expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(before));
      }),
    );
  });

  it("a renewal extends a running assignment from its end and an expired one from now", () => {
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: 1, max: 400 * DAY }),
        fc.integer({ min: 1, max: 365 }),
        (now, apart, days) => {
          expect(extendedExpiry(now + apart, days, now)).toBe(now + apart + days * DAY);
          expect(extendedExpiry(now - apart, days, now)).toBe(now + days * DAY);
          expect(extendedExpiry(now, days, now)).toBe(now + days * DAY);
        },
      ),
    );
  });

  it("an assignment may last 1 to 365 whole days, with exactly the defined tolerance", () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: -2, max: 400 }), fc.nat(300), (start, days, slack) => {
        const isAllowed = days >= 1 && days <= 365;
        expect(isAssignablePeriod(start, start + days * DAY)).toBe(isAllowed);
        if (isAllowed) expect(isAssignablePeriod(start, start + days * DAY + slack, slack)).toBe(true);
        expect(isAssignablePeriod(start, start + 365 * DAY + slack + 1, slack)).toBe(false);
        expect(isAssignablePeriod(start, start + DAY - slack - 1, slack)).toBe(false);
      }),
    );
  });
});

/** Moments with their expected text in each zone. */
const MOMENTS: readonly (readonly [moment: string, ...written: [string, string, string]])[] = [
  ["2026-12-31T16:00:00Z", "2026-12-31 16:00", "2027-01-01 00:00", "2026-12-31 11:00"],
  ["2027-01-31T15:59:59Z", "2027-01-31 15:59", "2027-01-31 23:59", "2027-01-31 10:59"],
  ["2027-02-28T16:00:00Z", "2027-02-28 16:00", "2027-03-01 00:00", "2027-02-28 11:00"],
  ["2028-02-28T16:00:00Z", "2028-02-28 16:00", "2028-02-29 00:00", "2028-02-28 11:00"],
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

async function consoleIn(zone: Zone, input: ZoneInput): Promise<InZone[]> {
  const args = [join(import.meta.dirname, "expiry-in-zone.ts"), JSON.stringify(input)];
  await using program = startProgram({ args, env: { TZ: zone } });
  await program.exited;
  return JSON.parse(program.stdout.join(""));
}

describe("expiry dates in the console", () => {
  const now = unix("2027-03-13T12:00:00Z");
  const input: ZoneInput = { moments: MOMENTS.map(([moment]) => unix(moment)), now, days: 30 };
  let shownIn: Readonly<Record<Zone, InZone[]>>;

  beforeAll(async () => {
    const [utc, shanghai, newYork] = await Promise.all([
      consoleIn("UTC", input),
      consoleIn("Asia/Shanghai", input),
      consoleIn("America/New_York", input),
    ]);
    shownIn = { UTC: utc, "Asia/Shanghai": shanghai, "America/New_York": newYork };
  });

  it.each(ZONES)("in %s the console formats dates in local time and parses them back", (zone) => {
    const shown = shownIn[zone];
    const written = MOMENTS.map((row) => row[1 + ZONES.indexOf(zone)]);
    expect(shown.map(({ dateTime }) => dateTime)).toEqual(written);
    expect(shown.map(({ date }) => date)).toEqual(written.map((text) => text?.slice(0, 10)));
    MOMENTS.forEach(([moment], index) => {
      const isFirst = !(zone === "America/New_York" && moment === SECOND_TIME);
      const whole = Math.floor(unix(moment) / 60) * 60;
      expect([moment, shown[index]?.readBack]).toEqual([moment, isFirst ? whole : whole - 3600]);
    });
  });

  it("the console counts days, periods and extensions in seconds across daylight-saving changes", () => {
    const { UTC: utc, ...more } = shownIn;
    const others = Object.values(more);
    for (const shown of others) {
      expect(shown.map(({ timeLeft }) => timeLeft)).toEqual(utc.map(({ timeLeft }) => timeLeft));
      expect(shown.map(({ extended }) => extended)).toEqual(utc.map(({ extended }) => extended));
    }
    for (const { period, readBack } of [utc, ...others].flat()) {
      expect(period).toEqual({ start: readBack, end: (readBack ?? 0) + 30 * DAY });
    }
    const extended = input.moments.map((moment) => Math.max(moment, now) + 30 * DAY);
    expect(utc.map((each) => each.extended)).toEqual(extended);
  });
});
