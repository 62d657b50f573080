import { expect, it } from "vitest";
import { networkOf } from "../../src/server/platform/network-of.ts";

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
