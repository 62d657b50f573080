import { describe, expect, it } from "vitest";
import { periodNote } from "../../src/client/components/hosts/period-note.ts";
import { gapWarnings, type PromisedHost } from "../../src/client/components/hosts/provider-gap.ts";
import { providerPeriod } from "../../src/shared/host-ends.ts";
import { Host } from "../../src/shared/hosts.ts";

const DAY = 86_400;
/** 2026-11-29T12:00 in Shanghai. */
const NOW = Date.parse("2026-11-29T12:00+08:00") / 1000;

interface Ends {
  name?: string;
  /** Days from now. */
  provider: number;
  until: number;
  autoRenew?: boolean | null;
  chargeType?: string;
}

function promise(ends: Ends): PromisedHost {
  const { name = "web-01", provider, until, autoRenew = null, chargeType = "Month" } = ends;
  const host = Host.parse({
    id: "019a9f00-0000-7000-8000-000000000001",
    name,
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
    chargeType,
    createTime: NOW - 30 * DAY,
    expireTime: NOW + provider * DAY,
    autoRenew,
    ipSet: [],
    users: [],
    openRenewal: null,
    configId: null,
    syncedAt: NOW,
    isStale: false,
    goneAt: null,
    tags: [],
    note: null,
  });
  return { host, until: NOW + until * DAY };
}

describe("the warning before a host is promised to a client", () => {
  it.each<[string, Ends, string | null]>([
    [
      "names the days of an end at the provider that is earlier",
      { provider: 40, until: 64 },
      "warning 该主机的云端到期时间是 2027-01-08，比用户到期早 24 天。请在此之前到云服务商处续费，否则用户将无法继续使用。",
    ],
    [
      "says that the provider's period is over",
      { provider: -7, until: 64 },
      "danger 云端已于 2026-11-22 过期。请尽快到云服务商处续费，否则用户将无法继续使用。",
    ],
    [
      "says that an automatic renewal did not happen",
      { provider: -7, until: 64, autoRenew: true },
      "danger 云端已于 2026-11-22 过期，自动续费未成功。请尽快到云服务商处续费，否则用户将无法继续使用。",
    ],
    [
      "does not say a day of ends on one date",
      { provider: 64, until: 64.25 },
      "warning 该主机的云端到期时间是 2027-02-01，比用户到期早不到 1 天。请在此之前到云服务商处续费，否则用户将无法继续使用。",
    ],
    ["is not given where the provider renews", { provider: 3, until: 64, autoRenew: true }, null],
    ["is not given where the provider ends later", { provider: 70, until: 64 }, null],
    ["is not given by time", { provider: 1, until: 64, chargeType: "Dynamic" }, null],
  ])("%s", (_title, ends, expected) => {
    const warnings = gapWarnings([promise(ends)], NOW);

    expect(warnings.map(({ tone, text }) => `${tone} ${text}`)).toEqual(
      expected === null ? [] : [expected],
    );
  });

  it("counts those that are over and those that are early, and names the worst", () => {
    const hosts = [
      promise({ name: "a", provider: 60, until: 64 }),
      promise({ name: "b", provider: 40, until: 64 }),
      promise({ name: "c", provider: -7, until: 64 }),
      promise({ name: "d", provider: 3, until: 64, autoRenew: true }),
    ].map(({ host, until }, index) => ({ host: { ...host, id: String(index) }, until }));

    const warnings = gapWarnings(hosts, NOW);

    expect(warnings.map(({ text }) => text.replace(/。.*/, ""))).toEqual([
      "其中 1 台主机的云端已过期（如 c：云端已于 2026-11-22 过期）",
      "其中 2 台主机的云端到期早于用户到期（如 b：云端 2027-01-08 早 24 天）",
    ]);
  });
});

describe("what stands beside the provider's end", () => {
  it.each<[string, Ends, string | null]>([
    ["the days that it is early", { provider: 40, until: 64 }, "早 24 天"],
    ["that it is early on the same date", { provider: 64, until: 64.25 }, "早不到 1 天"],
    ["that it is early by a part of a day", { provider: 64, until: 64.75 }, "早 1 天"],
    ["that it is renewed", { provider: 3, until: 64, autoRenew: true }, "自动续费"],
    ["that it was not renewed", { provider: -3, until: 64, autoRenew: true }, "自动续费未成功"],
    ["nothing where it is over", { provider: -3, until: 64 }, null],
    ["nothing where it is later", { provider: 70, until: 64 }, null],
  ])("is %s", (_title, ends, text) => {
    const { host, until } = promise(ends);
    const period = providerPeriod(host, NOW);

    const note = period === null ? null : periodNote(period, until, NOW);

    expect(note?.text ?? null).toBe(text);
  });
});
