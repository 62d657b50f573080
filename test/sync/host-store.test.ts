import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOrm } from "../../src/server/database/open.ts";
import { ProviderHost } from "../../src/server/provider/schemas.ts";
import {
  type HostChange,
  holdHosts,
  removeHosts,
  type SeenHost,
  writeHosts,
} from "../../src/server/sync/host-store.ts";
import { HAS_CONCURRENT_SESSIONS, openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { holdLock } from "../harness/hold-lock.ts";
import { silentLog } from "../harness/silent-log.ts";

const NOW = 1_900_000_000;
const PARTITION = { region: "hk", projectId: "org-1" };

let resources: AsyncDisposableStack;
let database: TestDatabase;
let orm: Awaited<ReturnType<typeof openOrm>>;
let config: string;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  database = resources.use(await openTestDatabase());
  orm = await openOrm({ connection: database.connection, log: silentLog });
  resources.defer(() => orm.close(true));
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
  await database.clear();
  config = await insertConfig();
});

async function insertConfig(): Promise<string> {
  const [row] = await database.query(
    `insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
     values (gen_random_uuid(), '主账号', 'key', '', 'https://api.example.com', 'hk', 1700000000) returning id`,
  );
  return String(row?.id);
}

function observedHost(id: string, item: Record<string, unknown> = {}, requestedAt = NOW): SeenHost {
  const record = { UHostId: id, Name: "网站", CPU: 4, IPSet: [{ Type: "Private", IP: "10.0.0.1" }], ...item };
  return { host: ProviderHost.parse(record), partition: PARTITION, requestedAt };
}

function write(hosts: readonly SeenHost[], configId = config): Promise<HostChange[]> {
  return writeHosts(orm.em.fork(), configId, hosts);
}

function rows(columns: string): Promise<Record<string, unknown>[]> {
  return database.query(`select ${columns} from hosts order by ucloud_id`);
}

async function missing() {
  const found = await rows("id::text");
  const fields = { ...PARTITION, heldAt: null, heldReason: null, isDismissed: false, reason: "empty" } as const;
  return found.map(({ id }) => ({ ...fields, id: String(id), ucloudId: "a" }));
}

describe("writing a batch of hosts", () => {
  it("inserts new hosts and returns their ids", async () => {
    const changes = await write([observedHost("a"), observedHost("b")]);
    expect(changes.map(({ kind }) => kind)).toEqual(["created", "created"]);
    expect((await rows("id")).map(({ id }) => id).toSorted()).toEqual(changes.map(({ id }) => id).toSorted());
    const row = {
      region: "hk",
      project_id: "org-1",
      name: "网站",
      cpu: 4,
      ip_set: [{ IP: "10.0.0.1", Type: "Private" }],
      config_id: config,
      changed_at: NOW,
    };
    expect(await rows("region, project_id, name, cpu, ip_set, config_id, changed_at::int")).toEqual([row, row]);
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

  it("leaves the project of a host as it is known when it is read in the default project", async () => {
    await write([observedHost("a")]);
    const partition = { ...PARTITION, projectId: "" };
    expect(await write([{ ...observedHost("a"), partition }])).toEqual([]);
    expect(await rows("project_id")).toEqual([{ project_id: "org-1" }]);
    await write([{ ...observedHost("b"), partition }]);
    expect((await rows("project_id")).at(-1)).toEqual({ project_id: "" });
  });

  it("stores quotes, backslashes, braces and control characters as they are, new and changed", async () => {
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

  it("ends a hold and brings a gone host back as the same row", async () => {
    await write([observedHost("a"), observedHost("b")]);
    const before = await rows("id");
    await database.query("update hosts set missing_since = 1, held_reason = 'empty' where ucloud_id = 'a'");
    await database.query("update hosts set gone_at = $1, changed_at = $1 where ucloud_id = 'b'", [NOW + 5]);
    const changes = await write([observedHost("a"), observedHost("b")]);
    expect(changes.map(({ kind }) => kind)).toEqual(["updated", "updated"]);
    expect(changes.filter(({ wasHeld }) => wasHeld)).toHaveLength(1);
    expect(await rows("id")).toEqual(before);
    const present = { missing_since: null, held_reason: null, gone_at: null };
    expect(await rows("missing_since, held_reason, gone_at")).toEqual([present, present]);
  });

  it.each([
    ["keeps its configuration while that is active", null],
    ["is adopted when its configuration was switched off", "update configs set is_active = false where id = $1"],
    ["is adopted when its configuration was deleted", "delete from configs where id = $1"],
    ["is adopted when it was gone", "update hosts set gone_at = 1 where config_id = $1"],
  ])("a host that another configuration sees %s", async (_case, change) => {
    await write([observedHost("a")]);
    if (change !== null) await database.query(change, [config]);
    const other = await insertConfig();
    expect(await write([observedHost("a", { Name: "另一个名字" })], other)).toHaveLength(change === null ? 0 : 1);
    const owned = change === null ? { config_id: config, name: "网站" } : { config_id: other, name: "另一个名字" };
    expect(await rows("config_id, name")).toEqual([owned]);
  });
});

describe("removing and holding hosts", () => {
  beforeEach(() => write([observedHost("a")]));

  it("marks a host gone once", async () => {
    const removal = { configId: config, hosts: await missing(), before: NOW, at: NOW + 9 };
    expect(await removeHosts(orm.em.fork(), removal)).toHaveLength(1);
    expect(await rows("gone_at::int, changed_at::int")).toEqual([{ gone_at: NOW + 9, changed_at: NOW + 9 }]);
    expect(await removeHosts(orm.em.fork(), { ...removal, before: NOW + 20 })).toEqual([]);
  });

  it("keeps the time at which a hold began, and notes the newest reason", async () => {
    const hold = async (at: number, reason: "empty" | "unavailable") => {
      const hosts = (await missing()).map((host) => ({ ...host, reason }));
      return await holdHosts(orm.em.fork(), { configId: config, hosts, before: NOW, at, runId: null });
    };
    expect(await hold(NOW + 1, "empty")).toBe(true);
    expect(await hold(NOW + 2, "empty")).toBe(false);
    expect(await hold(NOW + 3, "unavailable")).toBe(true);
    expect(await rows("missing_since::int, held_reason, gone_at")).toEqual([
      { missing_since: NOW + 1, held_reason: "unavailable", gone_at: null },
    ]);
  });

  it.each([
    ["was observed later", { before: NOW - 1 }],
    ["a person chose to keep", {}, "update hosts set dismissed_at = 1"],
    ["belongs to another configuration", { configId: "0198a000-0000-7000-8000-000000000000" }],
  ])("leaves a host alone that %s", async (_case, more, change = "select") => {
    await database.query(change);
    const removal = { configId: config, hosts: await missing(), before: NOW, at: NOW + 9, ...more };
    expect(await removeHosts(orm.em.fork(), removal)).toEqual([]);
    await holdHosts(orm.em.fork(), { ...removal, runId: null });
    expect(await rows("gone_at, missing_since")).toEqual([{ gone_at: null, missing_since: null }]);
  });

  it.runIf(HAS_CONCURRENT_SESSIONS).each([
    ["overwrite", () => write([observedHost("a", { Name: "旧" }, NOW + 1)])],
    [
      "remove",
      async () => removeHosts(orm.em.fork(), { configId: config, hosts: await missing(), before: NOW, at: NOW + 9 }),
    ],
  ])("does not %s a host that another transaction observes at the same time", async (_what, act) => {
    await using other = await holdLock(database, "update hosts set name = '新', changed_at = $1", [NOW + 5]);
    const acting = act();
    await other.awaited();
    await other.release();
    expect(await acting).toEqual([]);
    expect(await rows("name, gone_at")).toEqual([{ name: "新", gone_at: null }]);
  });
});
