import { expect, it } from "vitest";
import { isTagged } from "../../src/client/components/batch/is-done.ts";
import { Host } from "../../src/shared/hosts.ts";

function buildHost(tags: readonly string[]): Host {
  return Host.parse({
    id: "019a9f00-0000-7000-8000-000000000001",
    name: "web-01",
    ucloudId: "uhost-1",
    cpu: 4,
    memory: 8192,
    disk: 40,
    osName: "",
    osType: "Linux",
    region: "hk",
    zone: "hk-01",
    zoneName: "香港可用区A",
    status: "Running",
    statusSince: null,
    providerStatus: "Running",
    chargeType: "Month",
    createTime: 1,
    expireTime: 2,
    autoRenew: null,
    ipSet: [],
    users: [],
    openRenewal: null,
    configId: null,
    syncedAt: 1,
    isStale: false,
    goneAt: null,
    tags,
    note: null,
  });
}

it.each([
  { tags: ["核心", "生产"], isDone: true },
  { tags: ["core", "核心"], isDone: false },
  { tags: ["生产", "旧"], isDone: false },
  { tags: ["核心", "生产", "OLD"], isDone: false },
  { tags: ["核心", "生产", "DB"], isDone: true },
])("of 核心 and 生产 added, and old removed, %j tells whether it was done", ({ tags, isDone }) => {
  const host = buildHost(tags);

  expect(isTagged({ add: ["核心", "生产"], remove: ["old"] })(host, host)).toBe(isDone);
});
