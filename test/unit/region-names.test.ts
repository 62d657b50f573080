import { expect, it } from "vitest";
import { knownRegions, shortZoneName, zoneName } from "../../src/shared/regions.ts";

it.each([
  ["hk-02", "香港可用区B"],
  ["cn-new-01", "cn-new-01"],
  ["hk-00", "hk-00"],
  ["hk-27", "hk-27"],
  ["constructor-01", "constructor-01"],
])("the zone %s is shown as %s", (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});

it.each([
  ["cn-bj2-05", "北京2·E"],
  ["hk-02", "香港·B"],
  ["cn-new-01", "cn-new-01"],
])("the zone %s is %s where room is short", (zone, name) => {
  expect(shortZoneName(zone)).toBe(name);
});

it("no two regions have the same short name", () => {
  const names = knownRegions().map((region) => shortZoneName(`${region}-01`));

  expect(new Set(names).size).toBe(names.length);
});
