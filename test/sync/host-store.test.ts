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
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
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
    const row = { ...{ region: "hk", project_id: "org-1", name: "网站", cpu: 4 }, config_id: config, changed_at: NOW };
    expect(await rows("region, project_id, name, cpu, config_id, changed_at::int")).toEqual([row, row]);
  });

  it("keeps a later observation when an older one arrives", async () => {
    await write([observedHost("a", { Name: "新" }, NOW)]);
    expect(await write([observedHost("a", { Name: "旧" }, NOW - 1)])).toEqual([]);
    expect(await rows("name")).toEqual([{ name: "新" }]);
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
});
