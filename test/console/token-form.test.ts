import fc from "fast-check";
import { expect, it } from "vitest";
import { readEnd, TOKEN_ENDS } from "@/features/account/token-form";
import { MAX_API_TOKEN_DAYS } from "../../src/shared/api-tokens.ts";
import { localDate } from "../../src/shared/shanghai.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";

/** 2026-11-29 00:30 in Shanghai, which is the day before in UTC. */
const NOW = Date.parse("2026-11-28T16:30:00Z") / 1000;
const LATEST = NOW + MAX_API_TOKEN_DAYS * DAY_SECONDS;

function endOf(endDate: string) {
  return readEnd({ ends: "date", endDate }, NOW);
}

it("a token ends so many days from now, or with the last second of its last day", () => {
  expect(readEnd({ ends: "30", endDate: "" }, NOW)).toEqual({
    kind: "end",
    at: NOW + 30 * DAY_SECONDS,
  });
  expect(endOf("2026-11-29")).toEqual({
    kind: "end",
    at: Date.parse("2026-11-29T23:59:59+08:00") / 1000,
  });
  expect(endOf(localDate(LATEST))).toEqual({ kind: "end", at: LATEST });
});

it.each([
  ["", "请选择到期日"],
  ["incomplete", "到期日不完整"],
  ["2026-11-28", "到期日不能早于今天"],
  ["2027-12-01", "到期日最晚是 2027-11-30"],
])("the last day %j is refused: %s", (endDate, message) => {
  expect(endOf(endDate)).toEqual({ kind: "problem", message });
});

it("an end that the form accepts is one that the server accepts", () => {
  const days = fc.integer({ min: -2, max: MAX_API_TOKEN_DAYS + 2 });
  const fields = fc.record({
    ends: fc.constantFrom(...TOKEN_ENDS),
    endDate: days.map((count) => localDate(NOW + count * DAY_SECONDS)),
  });

  fc.assert(
    fc.property(fields, (typed) => {
      const end = readEnd(typed, NOW);
      if (end.kind === "problem") return;

      expect(end.at).toBeGreaterThan(NOW);
      expect(end.at).toBeLessThanOrEqual(LATEST);
    }),
  );
});
