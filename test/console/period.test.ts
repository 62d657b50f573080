import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  endDateLimits,
  endOfDay,
  type PeriodFields,
  periodInput,
  readPeriod,
} from "@/components/assignments/period";
import { dateTimeInput, formatDate } from "@/lib/format";
import {
  findPeriodProblem,
  resolvePeriod,
  type StoredPeriod,
} from "../../src/server/modules/hosts/assigned-period.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { insertHost } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { hostAssigned } from "./store-assignment.ts";

/** What a form holds, of which assignment, at which moment. */
interface Filled {
  readonly now: number;
  readonly stored: StoredPeriod | undefined;
  readonly fields: PeriodFields;
}

const DAY = DAY_SECONDS;

/** Whole days and the seconds beside them, in which most mistakes are made. */
function around(days: number): fc.Arbitrary<number> {
  const wholeDays = fc.integer({ min: -days, max: days });
  const beside = fc.constantFrom(-1, 0, 1, 30, DAY / 2, DAY - 1);
  return fc.tuple(wholeDays, beside).map(([count, seconds]) => count * DAY + seconds);
}

function storedAt(now: number): fc.Arbitrary<StoredPeriod | undefined> {
  const period = fc.record({ begins: around(400), lasts: around(800) }).map(({ begins, lasts }) => {
    const assignedAt = now + begins;
    return { assignedAt, assignedExpireTime: assignedAt + DAY + Math.abs(lasts) };
  });
  return fc.option(period, { nil: undefined });
}

function fieldsAt(now: number, stored: StoredPeriod | undefined): fc.Arbitrary<PeriodFields> {
  const keptStart = stored === undefined ? "" : dateTimeInput(stored.assignedAt);
  const keptEnd = stored === undefined ? "" : formatDate(stored.assignedExpireTime);
  return fc.record({
    ends: fc.constantFrom("days", "date"),
    days: fc.oneof(fc.integer({ min: -1, max: 400 }).map(String), fc.constantFrom("", " 30 ", "x")),
    endDate: fc.oneof(
      around(800).map((ahead) => formatDate(now + ahead)),
      fc.constantFrom(keptEnd, "", "incomplete", "2027-02-30"),
    ),
    start: fc.oneof(
      fc.constantFrom("", keptStart),
      around(400).map((ahead) => dateTimeInput(now + ahead)),
    ),
  });
}

const MOMENTS = fc.integer({ min: 1_767_225_600, max: 1_893_456_000 });
const filledAt = (moments: fc.Arbitrary<number>): fc.Arbitrary<Filled> =>
  moments.chain((now) =>
    storedAt(now).chain((stored) =>
      fieldsAt(now, stored).map((fields) => ({ now, stored, fields })),
    ),
  );

describe("the period that the dialog of an assignment shows", () => {
  it("is the one that the server makes of what the dialog sends", () => {
    fc.assert(
      fc.property(filledAt(MOMENTS), ({ now, stored = null, fields }) => {
        const shown = readPeriod(fields, stored ?? undefined, now);
        fc.pre(shown.kind === "period");

        const input = periodInput(fields, stored ?? undefined, now);

        const { start, end } = shown;
        expect(findPeriodProblem(input, stored, now)).toBeNull();
        expect(resolvePeriod(input, stored, now)).toEqual({ start, end });
      }),
      { numRuns: 2_000 },
    );
  });

  it("may end on the first and the last day that the field offers, and not after it", () => {
    fc.assert(
      fc.property(filledAt(MOMENTS), ({ now, stored, fields }) => {
        const begun = readPeriod({ ...fields, ends: "days", days: "1" }, stored, now);
        fc.pre(begun.kind === "period");
        const { min, max } = endDateLimits(begun.start, now);
        const ending = (endDate: string) =>
          readPeriod({ ...fields, ends: "date", endDate }, stored, now);

        expect(ending(min).kind).toBe("period");
        expect(ending(max).kind).toBe("period");
        const dayAfter = formatDate((endOfDay(max) ?? 0) + 1);
        const isStoredEnd = dayAfter === formatDate(stored?.assignedExpireTime);
        expect(ending(dayAfter).kind).toBe(isStoredEnd ? "period" : "problem");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("through the public door", () => {
  const clock = fixedClock();
  const app = useApp({ overrides: { clock } });

  it("the period that the dialog shows is stored", async () => {
    const client = await app.account("client");
    const samples = fc.sample(filledAt(fc.constant(clock.now())), 15);
    const accepted = samples.filter(
      ({ now, stored, fields }) => readPeriod(fields, stored, now).kind === "period",
    );

    for (const { now, stored, fields } of accepted) {
      const hostId =
        stored === undefined ? await insertHost(app) : await hostAssigned(app, client.id, stored);
      const input = { hostId, userId: client.id, ...periodInput(fields, stored, now) };
      const { data } = await assertOk(app.root.post("/api/hosts/assign", input));

      const { assignedAt: start, assignedExpireTime: end } = data.users[0];
      expect({ kind: "period", start, end }).toEqual(readPeriod(fields, stored, now));
    }
  });
});
