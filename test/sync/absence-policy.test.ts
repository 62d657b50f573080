import { describe, expect, it } from "vitest";
import { decideAbsences, type MissingHost } from "../../src/server/sync/absence/decide.ts";
import {
  EMPTY_CONFIRM_SECONDS,
  isMassRemoval,
  judgeMissingHost,
  type LookUp,
  type Reading,
  type Verdict,
} from "../../src/server/sync/absence/policy.ts";

const NOW = 1_900_000_000;
const LONG_AGO = NOW - EMPTY_CONFIRM_SECONDS;

type Verdicts = readonly [new: Verdict, held: Verdict];
const KEEP: Verdicts = ["keep", "keep"];
const HOLD: Verdicts = ["hold", "hold"];
const GONE: Verdicts = ["gone", "gone"];

/** By reading and look-up: the verdict on a host that is not held, and on one that is held for ten minutes. */
const TABLE: Record<Reading, Record<LookUp, Verdicts>> = {
  complete: { absent: GONE, found: KEEP, inconclusive: KEEP, "not-asked": KEEP },
  empty: { absent: ["hold", "gone"], found: KEEP, inconclusive: KEEP, "not-asked": KEEP },
  incomplete: { absent: KEEP, found: KEEP, inconclusive: KEEP, "not-asked": KEEP },
  unavailable: { absent: HOLD, found: HOLD, inconclusive: HOLD, "not-asked": HOLD },
};
const READINGS: readonly Reading[] = ["complete", "empty", "incomplete", "unavailable"];
const LOOK_UPS: readonly LookUp[] = ["absent", "found", "inconclusive", "not-asked"];

describe("a host that is missing from its partition", () => {
  const rows = READINGS.flatMap((reading) =>
    LOOK_UPS.flatMap((lookUp) =>
      [null, LONG_AGO].map((missingSince, column) => ({
        reading,
        lookUp,
        missingSince,
        state: missingSince === null ? "not held" : "held for ten minutes",
        verdict: TABLE[reading][lookUp][column],
      })),
    ),
  );

  it.each(rows)("reading $reading, look-up $lookUp, $state: $verdict", ({ reading, lookUp, missingSince, verdict }) => {
    expect(judgeMissingHost({ reading, lookUp, missingSince, now: NOW })).toBe(verdict);
  });

  it("is still held when its partition was empty for less than ten minutes", () => {
    const evidence = { reading: "empty", lookUp: "absent", now: NOW } as const;
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
  });
  const missing = [host("1", "hk"), host("2", "hk"), host("3", "sg"), host("4", "closed"), host("5", "unread")];
  const readings = new Map<string, Reading>([
    ["hk org-1", "complete"],
    ["sg org-1", "empty"],
    ["closed org-1", "unavailable"],
  ]);

  it("judges each by its own partition, and looks up only where the answer can decide", async () => {
    const lookUps: unknown[] = [];
    const decision = await decideAbsences(missing, {
      readings,
      presentBefore: 100,
      now: NOW,
      async lookUp({ region }, ucloudIds) {
        lookUps.push([region, ...ucloudIds]);
        return "absent";
      },
    });
    expect(lookUps).toEqual([
      ["hk", "uhost-1", "uhost-2"],
      ["sg", "uhost-3"],
    ]);
    expect(decision.gone.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(decision.held.map(({ id }) => id).toSorted()).toEqual(["3", "4"]);
    expect(decision.massRemoval).toEqual([]);
  });

  it("holds all when those of every partition together are a mass removal", async () => {
    const regions = ["hk", "sg"];
    const six = regions.flatMap((region) => [1, 2, 3].map((n) => host(`${region}${n}`, region)));
    const decision = await decideAbsences(six, {
      readings: new Map<string, Reading>(regions.map((region) => [`${region} org-1`, "complete"])),
      presentBefore: 19,
      now: NOW,
      lookUp: async () => "absent",
    });
    expect(decision).toMatchObject({ gone: [], held: [] });
    expect(decision.massRemoval).toHaveLength(6);
  });
});
