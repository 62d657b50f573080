import { beforeEach, describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/server/modules/hosts/fingerprint.ts";
import {
  confirmPartitions,
  holdHosts,
  removeHosts,
  type SeenHost,
} from "../../src/server/modules/sync/host-store.ts";
import { writeHosts } from "../../src/server/modules/sync/write-hosts.ts";
import { inTransaction } from "../../src/server/platform/database/transaction.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { ProviderHost } from "../../src/server/provider/schemas.ts";
import type { HeldReason } from "../../src/shared/held-hosts.ts";
import { useApp } from "../harness/app.ts";
import { MISSING } from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";

const NOW = 1_900_000_000;
const PARTITION = { region: "hk", projectId: "org-1" };

const app = useApp();
let config: string;

beforeEach(async () => {
  config = await app.config();
});

function observedHost(id: string, item: Record<string, unknown> = {}, requestedAt = NOW): SeenHost {
  const record = {
    UHostId: id,
    Name: "网站",
    CPU: 4,
    IPSet: [{ Type: "Private", IP: "10.0.0.1" }],
    ...item,
  };
  return { host: ProviderHost.parse(record), partition: PARTITION, requestedAt };
}

function write(hosts: readonly SeenHost[], configId = config) {
  return inTransaction({ em: app.orm.em, bus: createLocalBus() }, (em) =>
    writeHosts(em, { configId, runId: null, hosts, now: NOW }),
  );
}

function rows(columns: string): Promise<Record<string, unknown>[]> {
  return app.database.query(`select ${columns} from hosts order by ucloud_id`);
}

type RemovalOptions = { configId?: string; before?: number; at?: number; reason?: HeldReason };

/** Of every host, as the arguments of removing and of holding. */
async function removal(more: RemovalOptions = {}) {
  const missing = {
    ...PARTITION,
    ucloudId: "a",
    presentSince: 0,
    heldAt: null,
    heldReason: null,
    isDismissed: false,
  };
  const hosts = (await rows("id")).map(({ id }) => ({
    ...missing,
    id: String(id),
    reason: more.reason ?? "empty",
  }));
  return {
    configId: config,
    hosts,
    before: NOW,
    at: NOW + 9,
    cause: "run",
    runId: null,
    ...more,
  } as const;
}

describe("writing a batch of hosts", () => {
  it("gives each new host a UUIDv7 and returns the ids", async () => {
    const changes = await write([observedHost("a"), observedHost("b")]);
    expect(changes.map(({ kind }) => kind)).toEqual(["created", "created"]);
    expect(changes.map(({ id }) => id.charAt(14))).toEqual(["7", "7"]);
    expect((await rows("id")).map(({ id }) => id).toSorted()).toEqual(
      changes.map(({ id }) => id).toSorted(),
    );
    const row = {
      region: "hk",
      project_id: "org-1",
      name: "网站",
      cpu: 4,
      config_id: config,
      changed_at: NOW,
    };
    const found = await rows("region, project_id, name, cpu, config_id, changed_at::int, ip_set");
    expect(found).toEqual(Array(2).fill({ ...row, ip_set: [{ IP: "10.0.0.1", Type: "Private" }] }));
  });

  it("keeps a later observation when an older one arrives", async () => {
    await write([observedHost("a", { Name: "新" }, NOW)]);
    expect(await write([observedHost("a", { Name: "旧" }, NOW - 1)])).toEqual([]);
    expect(await rows("name")).toEqual([{ name: "新" }]);
  });

  it("updates region and project of a host that appears in another partition", async () => {
    await write([observedHost("a")]);
    await write([{ ...observedHost("a"), partition: { region: "sg", projectId: "" } }]);
    expect(await rows("region, project_id")).toEqual([{ region: "sg", project_id: "" }]);
  });

  it("leaves the project of a host as it is known when read in the default project", async () => {
    await write([observedHost("a")]);
    const partition = { ...PARTITION, projectId: "" };
    expect(await write([{ ...observedHost("a"), partition }])).toEqual([]);
    expect(await rows("project_id")).toEqual([{ project_id: "org-1" }]);
    await write([{ ...observedHost("b"), partition }]);
    expect((await rows("project_id")).at(-1)).toEqual({ project_id: "" });
  });

  it("stores quotes, backslashes, braces and control characters as they are", async () => {
    const names = [
      '"引号"\\反斜线',
      "\\n不是换行",
      "换行\n制表\t",
      "{花括号,逗号}",
      "NULL",
      "'单引号'",
      "🖥️",
      "\u0001\u001f",
    ];
    for (const written of [names, names.toReversed()]) {
      await write(written.map((Name, i) => observedHost(`host-${i}`, { Name })));
      expect((await rows("name")).map(({ name }) => name)).toEqual(written);
    }
  });

  it.each([
    ["keeps its configuration while that is active", null],
    [
      "is adopted when its configuration was switched off",
      "update configs set is_active = false where id = $1",
    ],
    ["is adopted when its configuration was deleted", "delete from configs where id = $1"],
    ["is adopted when it was gone", "update hosts set gone_at = 1 where config_id = $1"],
  ])("a host that another configuration sees %s", async (_case, change) => {
    await write([observedHost("a")]);
    if (change !== null) await app.database.query(change, [config]);
    const other = await app.config();
    expect(await write([observedHost("a", { Name: "另一个名字" })], other)).toHaveLength(
      change === null ? 0 : 1,
    );
    const owned =
      change === null
        ? { config_id: config, name: "网站" }
        : { config_id: other, name: "另一个名字" };
    expect(await rows("config_id, name")).toEqual([owned]);
  });
});

const ADDRESSES = [
  { Type: "Private", IP: "10.0.0.1" },
  { Type: "Bgp", IP: "203.0.113.9", Weight: 50 },
];

/** Texts, numbers and addresses that are easily written in two ways. */
const ODD_HOSTS = [
  { Name: '"引号"\\反斜线', OsName: "\\x41", Zone: "{花括号,逗号}" },
  { Name: "\u0001\u001f\u007f\b\f", OsName: "换行\n制表\t\r", OsType: "🖥️" },
  { Name: "1:a", OsName: "", State: "Install Fail", ChargeType: "Year" },
  { CPU: 0, Memory: "16384", TotalDiskSpace: 2_147_483_647, CreateTime: 0, ExpireTime: null },
  { CreateTime: 1_700_000_000, ExpireTime: 253_402_300_799, IPSet: [] },
  { ChargeType: "Month", AutoRenew: "Yes" },
  { ChargeType: "Month", AutoRenew: "No" },
  {
    IPSet: [
      { Type: null, IP: 'a"b\\c\u0002/é' },
      { Type: "internation", IP: "::1" },
    ],
  },
];

describe("the fingerprint of a host", () => {
  it("computes the fingerprint that the database stores, whatever the host is like", async () => {
    const hosts = ODD_HOSTS.map((item, i) => observedHost(`host-${i}`, item));

    await write(hosts);

    const stored = await rows("fingerprint");
    expect(stored).toEqual(hosts.map(({ host }) => ({ fingerprint: fingerprintOf(host) })));
  });

  it("lets an unchanged host cost no write and no history", async () => {
    const hosts = ODD_HOSTS.map((item, i) => observedHost(`host-${i}`, item));
    await write(hosts);
    const before = await rows("xmin, ctid");

    const later = hosts.map((seen) => ({ ...seen, requestedAt: NOW + 5 }));
    expect(await write(later)).toEqual([]);

    expect(await rows("xmin, ctid")).toEqual(before);
    const kinds = await app.database.query("select distinct kind from host_changes");
    expect(kinds).toEqual([{ kind: "created" }]);
  });

  it.each([
    ["addresses in the provider's order", "ip_set = jsonb_build_array(ip_set->1, ip_set->0)"],
    ["the end of an hour", "charge_type = 'Dynamic', expire_time = 1900003600"],
    ["the renewal of what is billed by the hour", "charge_type = 'Dynamic', auto_renew = true"],
  ])("writes %s anew without a change to tell", async (_what, stored) => {
    const item = { ChargeType: "Dynamic", IPSet: ADDRESSES };
    await write([observedHost("a", item)]);
    const [before] = await rows("ip_set, expire_time, auto_renew");
    await app.database.query(`update hosts set ${stored}`);

    expect(await write([observedHost("a", item, NOW + 5)])).toEqual([]);

    expect(await rows("ip_set, expire_time, auto_renew, changed_at::int")).toEqual([
      { ...before, changed_at: NOW + 5 },
    ]);
    const kinds = await app.database.query("select kind from host_changes");
    expect(kinds).toEqual([{ kind: "created" }]);
  });

  it("changes with what a replica of an earlier version wrote", async () => {
    await write([observedHost("a", { Name: "一" })]);
    await app.database.query("update hosts set name = '二'");

    expect(await write([observedHost("a", { Name: "一" })])).toMatchObject([{ kind: "updated" }]);

    expect(await rows("name")).toEqual([{ name: "一" }]);
  });
});

it("confirms more partitions at once than a statement may have parameters", async () => {
  const partitions = Array.from({ length: 17_000 }, (_, i) => ({
    region: `region-${i % 100}`,
    projectId: `org-${i}`,
  }));
  const confirm = (readAt: number) =>
    confirmPartitions(app.orm.em.fork(), { configId: config, readAt }, partitions);
  await confirm(NOW);

  await confirm(NOW + 9);

  const confirmed =
    "select read_at::int as at, count(*)::int as partitions from sync_partitions group by 1";
  expect(await app.database.query(confirmed)).toEqual([{ at: NOW + 9, partitions: 17_000 }]);
});

describe("removing and holding hosts", () => {
  beforeEach(() => write([observedHost("a")]));

  const remove = async (more?: RemovalOptions) =>
    removeHosts(app.orm.em.fork(), await removal(more));
  const hold = async (more?: RemovalOptions) => holdHosts(app.orm.em.fork(), await removal(more));

  it("marks a host gone once", async () => {
    expect(await remove()).toHaveLength(1);
    expect(await rows("gone_at::int, changed_at::int")).toEqual([
      { gone_at: NOW + 9, changed_at: NOW + 9 },
    ]);
    expect(await remove({ before: NOW + 20 })).toEqual([]);
  });

  it.each([
    ["held", () => hold()],
    ["kept", () => app.database.query("update hosts set dismissed_at = 1")],
  ])("tells of a %s host that it was seen, also when it is as it was", async (_what, miss) => {
    await miss();

    const changes = await write([observedHost("a", {}, NOW + 20)]);

    expect(changes).toMatchObject([{ kind: "updated" }]);
  });

  it("keeps the time at which a hold began, and notes the newest reason", async () => {
    expect(await hold({ at: NOW + 1 })).toBe(true);
    expect(await hold({ at: NOW + 2 })).toBe(false);
    expect(await hold({ at: NOW + 3, reason: "unavailable" })).toBe(true);
    const held = { missing_since: NOW + 1, held_reason: "unavailable", gone_at: null };
    expect(await rows("missing_since::int, held_reason, gone_at")).toEqual([held]);
    expect(await hold({ at: NOW + 5, reason: "empty" })).toBe(true);
    expect(await rows("missing_since::int, held_reason")).toEqual([
      { missing_since: NOW + 5, held_reason: "empty" },
    ]);
  });

  it.each([
    ["was observed later", { before: NOW - 1 }],
    ["a person chose to keep", {}, "update hosts set dismissed_at = 1"],
    ["belongs to another configuration", { configId: MISSING }],
  ])("leaves a host alone that %s", async (_case, more, change = "select") => {
    await app.database.query(change);
    expect(await remove(more)).toEqual([]);
    await hold(more);
    expect(await rows("gone_at, missing_since")).toEqual([{ gone_at: null, missing_since: null }]);
  });

  itOnPostgresql.each([
    ["overwrite", () => write([observedHost("a", { Name: "旧" }, NOW + 1)])],
    ["remove", remove],
  ])(
    "does not %s a host that another transaction observes at the same time",
    async (_what, act) => {
      await using other = await holdLock(
        app.database,
        "update hosts set name = '新', changed_at = $1",
        [NOW + 5],
      );
      const acting = act();
      await other.awaited();

      await other.release();

      expect(await acting).toEqual([]);
      expect(await rows("name, gone_at")).toEqual([{ name: "新", gone_at: null }]);
    },
  );
});
