import { describe, expect, it } from "vitest";
import {
  type ComparedHost,
  compareHosts,
  judgeObservation,
  kindOfChange,
  type Observation,
  projectOf,
  type StoredMarks,
} from "../../src/server/modules/sync/judge-observation.ts";
import { ProviderHost } from "../../src/server/provider/schemas.ts";

const NOW = 1_900_000_000;
const OWN = "own";
const OTHER = "other";
const PLACE = { region: "hk", projectId: "org-1" };

function buildMarks(more: Partial<StoredMarks> = {}): StoredMarks {
  const absence = { goneAt: null, heldAt: null, dismissedAt: null };
  return {
    ...PLACE,
    configId: OWN,
    isConfigActive: true,
    changedAt: NOW - 100,
    ...absence,
    ...more,
  };
}

function buildObservation(more: Partial<Observation> = {}): Observation {
  return { configId: OWN, requestedAt: NOW - 10, isSame: true, now: NOW, ...more };
}

describe("an observation of a host", () => {
  it("is new when nothing is stored", () => {
    expect(judgeObservation(buildObservation(), undefined)).toBe("new");
  });

  const changed = { isSame: false };
  const ofOther = { configId: OTHER };
  it.each<[string, string, Partial<StoredMarks>, Partial<Observation>]>([
    ["the same", "unchanged", {}, {}],
    ["the same in the same second", "unchanged", { changedAt: NOW - 10 }, {}],
    ["different", "changed", {}, changed],
    ["different in the same second", "changed", { changedAt: NOW - 10 }, changed],
    ["requested before what is stored", "older", { changedAt: NOW - 9 }, changed],
    ["requested before it was gone", "older", { goneAt: NOW - 9, changedAt: NOW - 9 }, {}],
    ["requested after it was gone", "changed", { goneAt: NOW - 90, changedAt: NOW - 90 }, {}],
    ["the same while it is held", "changed", { heldAt: NOW - 50 }, {}],
    ["the same while a person keeps it", "changed", { dismissedAt: NOW - 50 }, {}],
    ["of another configuration", "not-ours", ofOther, changed],
    ["of another configuration, later", "not-ours", { ...ofOther, changedAt: NOW }, changed],
    ["of one that is switched off", "changed", { ...ofOther, isConfigActive: false }, {}],
    ["of one that is deleted", "changed", { configId: null, isConfigActive: false }, {}],
    ["of another one where it is gone", "changed", { ...ofOther, goneAt: NOW - 100 }, {}],
    ["stored by a clock that was ahead", "changed", { changedAt: NOW + 61 }, {}],
    ["stored by a clock as far ahead as clocks may be", "older", { changedAt: NOW + 60 }, {}],
    ["of another one, and stored ahead", "not-ours", { ...ofOther, changedAt: NOW + 61 }, {}],
  ])("that is %s is %s", (_what, judgement, marks, observation) => {
    expect(judgeObservation(buildObservation(observation), buildMarks(marks))).toBe(judgement);
  });
});

describe("the project of a host that is read in the default project", () => {
  it("is the one that is known of the same region", () => {
    expect(projectOf({ region: "hk", projectId: "" }, PLACE)).toBe("org-1");
  });

  it("is unknown in another region, and for a new host", () => {
    expect(projectOf({ region: "sg", projectId: "" }, PLACE)).toBe("");
    expect(projectOf({ region: "hk", projectId: "" }, undefined)).toBe("");
  });
});

describe("the changes of a host", () => {
  const record = {
    UHostId: "uhost-1",
    Name: "网站",
    Zone: "hk-01",
    ChargeType: "Month",
    CreateTime: 1,
    IPSet: [{ Type: "Private", IP: "10.0.0.1" }],
  };
  const host: ComparedHost = { ...ProviderHost.parse(record), ...PLACE, configId: OWN };

  it("are told field by field, and none when nothing differs", () => {
    const same = { ...host, ipSet: [{ IP: "10.0.0.1", Type: "Private" }] };
    const after = { ...host, name: "新", expireTime: 5, ipSet: [{ IP: "10.0.0.1", Type: "Bgp" }] };

    expect(compareHosts(host, same)).toEqual({ isSame: true, changes: [] });
    expect(compareHosts(host, after)).toEqual({
      isSame: false,
      changes: [
        { field: "name", from: "网站", to: "新" },
        { field: "expireTime", from: null, to: 5 },
        { field: "ipSet", from: host.ipSet, to: after.ipSet },
      ],
    });
  });

  const ipSet = [
    { Type: "Private", IP: "10.0.0.1" },
    { Type: "Bgp", IP: "203.0.113.9" },
  ];
  const hourly = { chargeType: "Dynamic", expireTime: 7_200 };

  it.each([
    ["addresses in another order", { ipSet }, { ipSet: ipSet.toReversed() }],
    ["the stored end of an hour", hourly, { ...hourly, expireTime: null }],
    [
      "the stored renewal of what is billed by the hour",
      { chargeType: "Dynamic", autoRenew: true },
      { chargeType: "Dynamic", autoRenew: null },
    ],
    ["automatic renewal that becomes known", { autoRenew: null }, { autoRenew: true }],
    ["automatic renewal that is known no longer", { autoRenew: false }, { autoRenew: null }],
  ])("tell nothing of %s, which is written", (_what, before, after) => {
    const comparison = compareHosts({ ...host, ...before }, { ...host, ...after });

    expect(comparison).toEqual({ isSame: false, changes: [] });
  });

  it("tell of an address that came, and of the end that comes with a charge type", () => {
    const [first] = ipSet;
    const before = { ...host, ...hourly, ipSet: first === undefined ? [] : [first] };
    const after = { ...host, chargeType: "Month", expireTime: 9_000, ipSet };

    expect(compareHosts(before, after).changes).toEqual([
      { field: "chargeType", from: "Dynamic", to: "Month" },
      { field: "expireTime", from: null, to: 9_000 },
      { field: "ipSet", from: before.ipSet, to: ipSet },
    ]);
  });

  it("tell no switch of the renewal that a host billed by the hour was left with", () => {
    const before = { ...host, chargeType: "Dynamic", autoRenew: true };
    const after = { ...host, chargeType: "Month", autoRenew: false };

    expect(compareHosts(before, after).changes).toEqual([
      { field: "chargeType", from: "Dynamic", to: "Month" },
    ]);
  });

  it("tell that automatic renewal was switched", () => {
    const { changes } = compareHosts({ ...host, autoRenew: true }, { ...host, autoRenew: false });

    expect(changes).toEqual([{ field: "autoRenew", from: true, to: false }]);
  });

  it.each([
    ["a changed one", false, { cpu: 8 }, "changed"],
    ["a moved one, by its project", false, { projectId: "org-2", cpu: 8 }, "moved"],
    ["a moved one, by its configuration", false, { configId: OTHER }, "moved"],
    ["one that came back", true, { configId: OTHER }, "returned"],
    ["one that came back as it was", true, {}, "returned"],
    ["one whose hold ended", false, {}, null],
  ])("make of %s an entry of its kind", (_what, wasGone, change, kind) => {
    const { changes } = compareHosts(host, { ...host, ...change });

    expect(kindOfChange(wasGone, changes)).toBe(kind);
  });
});
