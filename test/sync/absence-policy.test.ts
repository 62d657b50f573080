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

describe("a host that is missing from its partition", () => {
  it.each<[Reading, Lookup, isNotHeld: Verdict, isHeldForTenMinutes: Verdict]>([
    ["complete", "absent", "gone", "gone"],
    ["complete", "found", "keep", "keep"],
    ["complete", "inconclusive", "keep", "keep"],
    ["complete", "skipped", "keep", "keep"],
    ["empty", "absent", "hold", "gone"],
    ["empty", "found", "keep", "keep"],
    ["empty", "inconclusive", "keep", "keep"],
    ["empty", "skipped", "keep", "keep"],
    ["incomplete", "absent", "keep", "keep"],
    ["incomplete", "found", "keep", "keep"],
    ["incomplete", "inconclusive", "keep", "keep"],
    ["incomplete", "skipped", "keep", "keep"],
    ["unavailable", "absent", "hold", "hold"],
    ["unavailable", "found", "hold", "hold"],
    ["unavailable", "inconclusive", "hold", "hold"],
    ["unavailable", "skipped", "hold", "hold"],
  ])("reading %s, lookup %s: %s, and %s when it is held for ten minutes", (reading, lookup, isNotHeld, isHeld) => {
    expect(judgeMissingHost({ reading, lookup, missingSince: null, now: NOW })).toBe(isNotHeld);
    expect(judgeMissingHost({ reading, lookup, missingSince: LONG_AGO, now: NOW })).toBe(isHeld);
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
  const absent = async (): Promise<Lookup> => "absent";

  it("judges each by its own partition, and requests ids only where the answer can decide", async () => {
    const missing = [host("1", "hk"), host("2", "hk"), host("3", "sg"), host("4", "closed"), host("5", "unread")];
    const verified: unknown[] = [];
    const decision = await decideAbsences(missing, {
      readings: new Map([
        ["hk org-1", { reading: "complete" }],
        ["sg org-1", { reading: "empty" }],
        ["closed org-1", { reading: "unavailable" }],
      ]),
      presentBefore: 100,
      now: NOW,
      verifyById({ region }, ucloudIds) {
        verified.push([region, ...ucloudIds]);
        return absent();
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

  it("holds all when those of every partition together are a mass removal", async () => {
    const regions = ["hk", "sg"];
    const six = regions.flatMap((region) => [1, 2, 3].map((n) => host(`${region}${n}`, region)));
    const decision = await decideAbsences(six, {
      readings: new Map(regions.map((region) => [`${region} org-1`, { reading: "complete" }])),
      presentBefore: 19,
      now: NOW,
      verifyById: absent,
    });
    expect(decision).toMatchObject({ gone: [], held: six.map(({ id }) => ({ id, reason: "mass-removal" })) });
  });
});
