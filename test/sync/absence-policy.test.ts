import { describe, expect, it } from "vitest";
import {
  EMPTY_CONFIRM_SECONDS,
  holdMassRemoval,
  isMassRemoval,
  judgeAbsences,
  judgeMissingHost,
  type MissingHost,
  type Reading,
  type RemovalWindow,
  type Verdict,
} from "../../src/server/modules/sync/absence.ts";
import {
  MAX_PARTITION_HOSTS,
  readPartition,
} from "../../src/server/modules/sync/read-partition.ts";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import { ProviderHost } from "../../src/server/provider/schemas.ts";
import type { HostPage } from "../../src/server/provider/uhost-api.ts";
import { MASS_REMOVAL } from "../../src/shared/sync.ts";

const NOW = 1_900_000_000;
const LONG_AGO = NOW - EMPTY_CONFIRM_SECONDS;

type Answer = HostPage | ProviderFailure;
type Answers = Readonly<Record<number, readonly Answer[]>>;

const NONE: HostPage["rejected"] = [];

function windowOf(more: Partial<RemovalWindow>): RemovalWindow {
  return { now: NOW, isFirstDay: false, hosts: 0, removed: 0, present: 0, ...more };
}

function buildMissing(more: Partial<MissingHost> = {}): MissingHost {
  const { id = "1" } = more;
  return {
    id,
    ucloudId: `uhost-${id}`,
    region: "hk",
    projectId: "org-1",
    presentSince: LONG_AGO,
    heldAt: null,
    heldReason: null,
    isDismissed: false,
    ...more,
  };
}

/** So many absent hosts, with their own ids. */
function buildAbsent(count: number, more: Partial<MissingHost> = {}): MissingHost[] {
  const prefix = more.id ?? "";
  return Array.from({ length: count }, (_, i) => buildMissing({ ...more, id: `${prefix}${i}` }));
}

function page({ total = 150, from = 0, count = 0, rejected = NONE }): HostPage {
  const hosts = Array.from({ length: count }, (_, i) =>
    ProviderHost.parse({ UHostId: `uhost-${from + i}` }),
  );
  return { total, requestedAt: 1, hosts, rejected };
}

/**
 * Reads a partition whose pages are answered like this, in the order of the calls for one offset;
 * the last answer repeats.
 */
async function read(answers: Answers) {
  const offsets: number[] = [];
  const reading = await readPartition(async (offset) => {
    const earlier = offsets.filter((each) => each === offset).length;
    offsets.push(offset);
    const answer =
      answers[offset]?.[earlier] ?? answers[offset]?.at(-1) ?? new ProviderFailure("malformed");
    if (answer instanceof ProviderFailure) throw answer;
    return answer;
  });
  return { ...reading, offsets };
}

describe("the reading of a partition", () => {
  const FIRST = page({ count: 100 });
  const LAST = page({ from: 100, count: 50 });
  const SHORT = page({ from: 100, count: 49 });
  const CLOSED = new ProviderFailure("not-opened");
  const unreadable = (ucloudId: string | null) => [{ ucloudId, reason: "CPU" }];

  it.each<[expected: Reading, condition: string, answers: Answers]>([
    ["complete", "every announced host came", { 0: [FIRST], 100: [LAST] }],
    [
      "complete",
      "pages overlap and every announced host came",
      { 0: [FIRST], 100: [page({ from: 99, count: 51 })] },
    ],
    ["complete", "more hosts came than were announced", { 0: [page({ total: 99, count: 100 })] }],
    [
      "complete",
      "an unreadable record has an id",
      { 0: [page({ total: 1, rejected: unreadable("uhost-1") })] },
    ],
    [
      "complete",
      "the second attempt brings the host that was missing",
      { 0: [FIRST], 100: [SHORT, LAST] },
    ],
    ["empty", "nothing is announced", { 0: [page({ total: 0 })] }],
    ["incomplete", "a host is missing twice", { 0: [FIRST], 100: [SHORT] }],
    [
      "incomplete",
      "a host came twice in place of another",
      { 0: [FIRST], 100: [page({ from: 99, count: 50 })] },
    ],
    ["incomplete", "a record has no id", { 0: [page({ total: 1, rejected: unreadable(null) })] }],
    ["incomplete", "hosts are announced and none came", { 0: [page({ total: 3 })] }],
    [
      "incomplete",
      "a later page announces more",
      { 0: [FIRST], 100: [page({ total: 151, from: 100, count: 50 })] },
    ],
    ["incomplete", "a page failed", { 0: [FIRST], 100: [new ProviderFailure("unavailable")] }],
    ["incomplete", "the key may not read it", { 0: [new ProviderFailure("forbidden")] }],
    ["incomplete", "a later page reports a closed region", { 0: [FIRST], 100: [CLOSED] }],
    [
      "incomplete",
      "the second attempt reports a closed region",
      { 0: [FIRST, CLOSED], 100: [SHORT] },
    ],
    ["unavailable", "the region is closed", { 0: [CLOSED] }],
    ["unavailable", "the project is unknown", { 0: [new ProviderFailure("project-missing")] }],
  ])("is %s when %s", async (expected, _condition, answers) => {
    expect((await read(answers)).reading).toBe(expected);
  });

  it("is repeated once when hosts are missing from it", async () => {
    expect((await read({ 0: [FIRST], 100: [SHORT] })).offsets).toEqual([0, 100, 0, 100]);
  });

  it("ends when a partition announces more hosts than the limit", async () => {
    const total = MAX_PARTITION_HOSTS + 1;

    const { offsets, reading, failures } = await read({ 0: [page({ total, count: 100 })] });

    expect([offsets, reading]).toEqual([[0], "incomplete"]);
    expect(failures).toMatchObject([
      { kind: "too-large", message: expect.stringContaining(String(total)) },
    ]);
  });

  it("ends when each page announces more hosts than the one before", async () => {
    let total = 0;
    const readPage = async () => {
      total += 500;
      if (total > 2 * MAX_PARTITION_HOSTS) throw new Error("endless");
      return page({ total, count: 100 });
    };

    expect(await readPartition(readPage)).toMatchObject({
      reading: "incomplete",
      failures: [{ kind: "too-large" }],
    });
  });
});

describe("a host that is missing from its partition", () => {
  it.each<[Reading, isAbsent: Verdict, isAbsentAndHeldForADay: Verdict, otherwise: Verdict]>([
    ["complete", "absent", "absent", "present"],
    ["empty", "held", "absent", "present"],
    ["incomplete", "present", "present", "present"],
    ["unavailable", "held", "held", "held"],
  ])("in a reading that is %s: %s when not found by id, then %s after a day, else %s", (...row) => {
    const [reading, ifAbsent, ifAbsentAndHeld, otherwise] = row;
    const judge = (isAbsent: boolean, heldAt: number | null) =>
      judgeMissingHost({ reading, isAbsent, heldAt, now: NOW });

    expect([judge(true, null), judge(true, LONG_AGO)]).toEqual([ifAbsent, ifAbsentAndHeld]);
    expect([judge(false, null), judge(false, LONG_AGO)]).toEqual([otherwise, otherwise]);
  });

  it("is still held when its partition was empty for less than a day", () => {
    const evidence = { reading: "empty", isAbsent: true, now: NOW } as const;
    expect(judgeMissingHost({ ...evidence, heldAt: LONG_AGO + 1 })).toBe("held");
  });

  it("is judged by its own partition, and asked for by id only where that decides", async () => {
    const missing = [
      buildMissing({ id: "1", region: "hk" }),
      buildMissing({ id: "2", region: "hk" }),
      buildMissing({ id: "3", region: "sg" }),
      buildMissing({ id: "4", region: "closed" }),
      buildMissing({ id: "5", region: "unread" }),
    ];
    const verified: unknown[] = [];
    const judgement = await judgeAbsences(missing, {
      readings: new Map([
        ["hk org-1", { reading: "complete" }],
        ["sg org-1", { reading: "empty" }],
        ["closed org-1", { reading: "unavailable" }],
      ]),
      now: NOW,
      async isAbsent({ region }, ucloudIds) {
        verified.push([region, ...ucloudIds]);
        return true;
      },
    });
    expect(verified).toEqual([
      ["hk", "uhost-1", "uhost-2"],
      ["sg", "uhost-3"],
    ]);
    expect(judgement.absent.map(({ id }) => id)).toEqual(["1", "2"]);
    const held = judgement.held.map(({ id, reason }) => [id, reason]);
    expect(held.toSorted()).toEqual([
      ["3", "empty"],
      ["4", "unavailable"],
    ]);
  });

  it.each<Reading>(["empty", "unavailable"])(
    "of a mass removal stays held for it in a reading that is %s",
    async (reading) => {
      const missing = [buildMissing({ heldAt: NOW - 60, heldReason: MASS_REMOVAL })];
      const readings = new Map([["hk org-1", { reading }]]);
      const judgement = await judgeAbsences(missing, {
        readings,
        now: NOW,
        isAbsent: async () => true,
      });
      const decision = holdMassRemoval(judgement, windowOf({ hosts: 100 }));

      expect(decision).toMatchObject({ gone: [], held: [{ id: "1", reason: MASS_REMOVAL }] });
    },
  );
});

describe("a mass removal", () => {
  it.each([
    [4, 4, false],
    [5, 5, true],
    [5, 16, true],
    [5, 17, false],
    [30, 100, false],
    [31, 100, true],
  ])("is %i of the %i hosts of a day ago: %s", (removing, hosts, expected) => {
    expect(isMassRemoval(removing, windowOf({ hosts }))).toBe(expected);
  });

  it.each([
    [1, 29, false],
    [1, 30, true],
    [30, 1, true],
    [5, 0, false],
  ])(
    "is %i of 100 hosts when %i others were removed within the day: %s",
    (removing, removed, expected) => {
      expect(isMassRemoval(removing, windowOf({ hosts: 100, removed }))).toBe(expected);
    },
  );
});

describe("the hosts that a mass removal counts", () => {
  const YOUNG = { presentSince: LONG_AGO + 1 };
  const HELD = { heldAt: NOW - 60, heldReason: MASS_REMOVAL };

  function decide(absent: readonly MissingHost[], window: Partial<RemovalWindow>) {
    const { gone, held } = holdMassRemoval({ absent, held: [], kept: [] }, windowOf(window));
    return { gone: gone.length, held: held.length };
  }

  it("are not younger than a day", () => {
    const absent = [...buildAbsent(30), ...buildAbsent(50, { id: "young-", ...YOUNG })];

    expect(decide(absent, { hosts: 100 })).toEqual({ gone: 80, held: 0 });
  });

  it("are not younger than a day, whatever was removed before", () => {
    const absent = buildAbsent(1, YOUNG);

    expect(decide(absent, { hosts: 100, removed: 40 })).toEqual({ gone: 1, held: 0 });
  });

  it("are held together with the younger ones that are missing with them", () => {
    const absent = [...buildAbsent(31), ...buildAbsent(5, { id: "young-", ...YOUNG })];

    expect(decide(absent, { hosts: 100 })).toEqual({ gone: 0, held: 36 });
  });

  it("are of any age where the configuration had none a day ago", () => {
    const absent = buildAbsent(31, YOUNG);

    expect(decide(absent, { hosts: 100, isFirstDay: true })).toEqual({ gone: 0, held: 31 });
  });

  it("are taken for old when a wrong clock has dated them in the future", () => {
    const absent = buildAbsent(31, { presentSince: NOW + 61 });

    expect(decide(absent, { hosts: 100 })).toEqual({ gone: 0, held: 31 });
  });

  it("are not held by an earlier one: those stay held, and single ones are gone", () => {
    const absent = [...buildAbsent(40, { id: "held-", ...HELD }), ...buildAbsent(1)];

    expect(decide(absent, { hosts: 60 })).toEqual({ gone: 1, held: 40 });
  });
});
