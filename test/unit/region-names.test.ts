import { expect, it } from "vitest";
import { zoneName } from "../../src/shared/regions.ts";

it.each([
  ["hk-02", "香港可用区B"],
  ["cn-new-01", "cn-new-01"],
  ["hk-00", "hk-00"],
  ["hk-27", "hk-27"],
  ["constructor-01", "constructor-01"],
])("the zone %s is shown as %s", (zone, name) => {
  expect(zoneName(zone)).toBe(name);
});
