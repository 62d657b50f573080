import { expect, it } from "vitest";
import { firstHostNames } from "@/features/notices/first-host-names";

function buildNotice(hostNames: readonly string[], hostCount = hostNames.length) {
  const items = hostNames.map((hostName) => {
    return { hostId: hostName, hostName, expireTime: null, daysLeft: null };
  });
  return { items, hostCount };
}

it("names the one host of a notice", () => {
  expect(firstHostNames(buildNotice(["web-01"]))).toEqual({ names: ["web-01"], total: null });
});

it("names both of two hosts, without a count", () => {
  const both = firstHostNames(buildNotice(["web-01", "web-02"]));

  expect(both).toEqual({ names: ["web-01", "web-02"], total: null });
});

it("names the first of many hosts, and how many there are", () => {
  // The server names fewer than there are.
  const many = firstHostNames(buildNotice(["web-01", "web-02", "web-03"], 11));

  expect(many).toEqual({ names: ["web-01", "web-02"], total: 11 });
});

it("names nothing where every host was taken back", () => {
  expect(firstHostNames(buildNotice([]))).toBeNull();
});
