import { describe, expect, it } from "vitest";
import {
  decideAbsences,
  EMPTY_CONFIRM_SECONDS,
  isMassRemoval,
  judgeMissingHost,
  type Lookup,
  type MissingHost,
  type Reading,
  type Verdict,
} from "../../src/server/sync/absence.ts";

const NOW = 1_900_000_000;
const LONG_AGO = NOW - EMPTY_CONFIRM_SECONDS;

type Verdicts = readonly [new: Verdict, held: Verdict];
const KEEP: Verdicts = ["keep", "keep"];
const HOLD: Verdicts = ["hold", "hold"];
const GONE: Verdicts = ["gone", "gone"];

/** By reading and lookup: the verdict on a host that is not held, and on one that is held for ten minutes. */
const TABLE: Record<Reading, Record<Lookup, Verdicts>> = {
  complete: { absent: GONE, found: KEEP, inconclusive: KEEP, skipped: KEEP },
  empty: { absent: ["hold", "gone"], found: KEEP, inconclusive: KEEP, skipped: KEEP },
  incomplete: { absent: KEEP, found: KEEP, inconclusive: KEEP, skipped: KEEP },
  unavailable: { absent: HOLD, found: HOLD, inconclusive: HOLD, skipped: HOLD },
};
const READINGS: readonly Reading[] = ["complete", "empty", "incomplete", "unavailable"];
const LOOKUPS: readonly Lookup[] = ["absent", "found", "inconclusive", "skipped"];

describe("a host that is missing from its partition", () => {
  const rows = READINGS.flatMap((reading) =>
    LOOKUPS.flatMap((lookup) =>
      [null, LONG_AGO].map((missingSince, column) => ({
        reading,
        lookup,
        missingSince,
        state: missingSince === null ? "not held" : "held for ten minutes",
        verdict: TABLE[reading][lookup][column],
      })),
    ),
  );

  it.each(rows)("reading $reading, lookup $lookup, $state: $verdict", ({ reading, lookup, missingSince, verdict }) => {
    expect(judgeMissingHost({ reading, lookup, missingSince, now: NOW })).toBe(verdict);
  });

  it("is still held when its partition was empty for less than ten minutes", () => {
    const evidence = { reading: "empty", lookup: "absent", now: NOW } as const;
    expect(judgeMissingHost({ ...evidence, missingSince: LONG_AGO + 1 })).toBe("hold");
  });
});

it.each([
  [4, 4, false],
  [5, 5, true],
  [5, 16, true],
  [5, 17, false],
  [30, 100, false],
  [31, 100, true],
  [0, 0, false],
])("%i of %i hosts at once are a mass removal: %s", (gone, presentBefore, expected) => {
  expect(isMassRemoval(gone, presentBefore)).toBe(expected);
});

describe("the decision about all missing hosts of a configuration", () => {
  const host = (id: string, region: string): MissingHost => ({
    id,
    ucloudId: `uhost-${id}`,
    region,
    projectId: "org-1",
    missingSince: null,
    isDismissed: false,
  });
  const missing = [host("1", "hk"), host("2", "hk"), host("3", "sg"), host("4", "closed"), host("5", "unread")];
  const readings = new Map<string, { reading: Reading }>([
    ["hk org-1", { reading: "complete" }],
    ["sg org-1", { reading: "empty" }],
    ["closed org-1", { reading: "unavailable" }],
  ]);

  it("judges each by its own partition, and requests ids only where the answer can decide", async () => {
    const verified: unknown[] = [];
    const decision = await decideAbsences(missing, {
      readings,
      presentBefore: 100,
      now: NOW,
      async verifyById({ region }, ucloudIds) {
        verified.push([region, ...ucloudIds]);
        return "absent";
      },
    });
    expect(verified).toEqual([
      ["hk", "uhost-1", "uhost-2"],
      ["sg", "uhost-3"],
    ]);
    expect(decision.gone.map(({ id }) => id)).toEqual(["1", "2"]);
    const held = decision.held.map(({ id, reason }) => [id, reason]);
    expect(held.toSorted()).toEqual([
      ["3", "empty"],
      ["4", "unavailable"],
    ]);
  });

  it("neither removes nor holds hosts that a person chose to keep", async () => {
    const decision = await decideAbsences(
      missing.map((one) => ({ ...one, isDismissed: true })),
      { readings, presentBefore: 100, now: NOW, verifyById: async () => "absent" },
    );
    expect(decision).toMatchObject({ gone: [], held: [] });
    expect(decision.dismissed.map(({ id }) => id).toSorted()).toEqual(["1", "2", "3", "4"]);
  });

  it("holds all when those of every partition together are a mass removal", async () => {
    const regions = ["hk", "sg"];
    const six = regions.flatMap((region) => [1, 2, 3].map((n) => host(`${region}${n}`, region)));
    const decision = await decideAbsences(six, {
      readings: new Map(regions.map((region) => [`${region} org-1`, { reading: "complete" }])),
      presentBefore: 19,
      now: NOW,
      verifyById: async () => "absent",
    });
    expect(decision).toMatchObject({ gone: [], held: six.map(({ id }) => ({ id, reason: "mass-removal" })) });
  });
});
