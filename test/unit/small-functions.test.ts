import { describe, expect, it } from "vitest";
import { formatNumber } from "../../src/client/lib/format-number.ts";
import { networkOf } from "../../src/server/core/network-of.ts";
import { zoneName } from "../../src/shared/regions.ts";

describe("networkOf", () => {
  it.each([
    ["203.0.113.5", "203.0.113.5"],
    ["::ffff:203.0.113.5", "203.0.113.5"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:DB8:1:2::ffff", "2001:db8:1:2::"],
    ["2001:db8:1:3::1", "2001:db8:1:3::"],
    ["fe80::1%eth0", "fe80::"],
    ["::1", "::"],
    ["", ""],
  ])("%s counts as %s in limits", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe("zoneName", () => {
  it.each([
    ["hk-02", "香港可用区B"],
    ["cn-new-01", "cn-new-01"],
    ["hk-00", "hk-00"],
    ["hk-27", "hk-27"],
    ["constructor-01", "constructor-01"],
  ])("%s is shown as %s", (zone, name) => {
    expect(zoneName(zone)).toBe(name);
  });
});

describe("formatNumber", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1,000"],
    [1_234_567, "1,234,567"],
    [-123_456, "-123,456"],
    [1_234.56789, "1,234.56789"],
  ])("formats %d like the browser's own formatter, %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
    expect(new Intl.NumberFormat("zh-CN", { maximumFractionDigits: 5 }).format(value)).toBe(text);
  });
});
