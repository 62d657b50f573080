import { createHash } from "node:crypto";
import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { migrate } from "../src/server/core/database.ts";
import { createLog } from "../src/server/core/log.ts";
import { ENTITIES, MIGRATIONS } from "../src/server/entities.ts";
import { connectBeside, openTestDatabase, type Queryable, type TestDatabase } from "./harness/database.ts";
import { insertHosts } from "./hosts/host-rows.ts";

/** Digests of what each of them asks of the database, but for white space. */
const SHIPPED: Readonly<Record<string, string>> = {
  Initial: "00fc68b0f18629bc",
  PresentHosts: "cd7cdf448cd7c592",
  ConfigsOfHosts: "af74e31be34b2951",
  HostsOfRequests: "02ccc180c7e02f1b",
};

it("a migration that databases out there have behind them stays as it is: what is to change comes as another one", () => {
  const digests = MIGRATIONS.map((migration) => [migration.name, digestOf(migration.class)]);
  expect(Object.fromEntries(digests)).toEqual(SHIPPED);
});

/** Writes a row as it is, which meets itself. */
const UPSERT = `
  insert into hosts (id, ucloud_id, config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type, status,
    provider_status, charge_type, ip_set, changed_at)
  select id, ucloud_id, config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type, status,
    provider_status, charge_type, ip_set, changed_at from hosts where id = $1
  on conflict (ucloud_id) do`;

it("hosts of an older schema are counted when it is brought up to date, and with every way of writing them since", async () => {
  await using database = await openTestDatabase();
  await database.query("drop schema public cascade");
  await database.query("create schema public");
  await migrateTo(database, MIGRATIONS.slice(0, 1));
  const [first, second] = await insertHosts({ database }, [{ name: "a" }, { name: "b" }, { name: "c", gone_at: 5 }]);
  await migrateTo(database, MIGRATIONS);
  expect(await counts(database)).toEqual({ present: 2, counted: 2 });

  const steps: readonly (readonly [sql: string, parameters: readonly unknown[], present: number])[] = [
    ["update hosts set gone_at = 7 where id = $1", [first], 1],
    ["update hosts set gone_at = null", [], 3],
    ["update hosts set name = 'd' where id = $1", [second], 3],
    [`${UPSERT} update set gone_at = 9`, [second], 2],
    ["delete from hosts where id = $1", [first], 1],
    ["delete from hosts where false", [], 1],
    ["truncate hosts cascade", [], 0],
  ];
  for (const [sql, parameters, present] of steps) {
    await database.query(sql, parameters);
    expect([sql, await counts(database)]).toEqual([sql, { present, counted: present }]);
  }
  await insertHosts({ database }, [{ name: "e" }]);
  expect(await counts(database)).toEqual({ present: 1, counted: 1 });
});

describe("a host refers to a configuration that exists", () => {
  it("whichever way it is written, and to none once that is deleted", async () => {
    await using database = await openTestDatabase();
    const [kept, deleted] = [await insertConfig(database), await insertConfig(database)];
    const [first, second] = await insertHosts({ database }, [{ config_id: kept }, { config_id: deleted }, {}]);

    const refused = { code: "23503", table: "hosts" };
    await expect(insertHosts({ database }, [{ config_id: kept }, { config_id: v7() }])).rejects.toMatchObject(refused);
    await expect(database.query("update hosts set config_id = $1", [v7()])).rejects.toMatchObject(refused);
    const otherwise = `${UPSERT} update set config_id = $2`;
    await expect(database.query(otherwise, [first, v7()])).rejects.toMatchObject(refused);
    expect(await configsOf(database)).toEqual([kept, deleted, null]);

    await database.query("delete from configs where id = $1", [deleted]);
    expect(await configsOf(database)).toEqual([kept, null, null]);
    await database.query("update hosts set config_id = $1 where id = $2", [kept, second]);
    expect(await configsOf(database)).toEqual([kept, kept, null]);
  });

  it("also when one is written while the configuration is deleted", async () => {
    await using database = await openTestDatabase();
    await using other = await connectBeside(database);
    const config = await insertConfig(database);

    await other.query("begin");
    await insertHosts({ database: other }, [{ config_id: config }]);
    const deletion = database.query("delete from configs where id = $1", [config]);
    await other.query("commit");
    await deletion;
    expect(await configsOf(database)).toEqual([null]);
  });

  it("also when the configuration is deleted while one is written", async () => {
    await using database = await openTestDatabase();
    await using other = await connectBeside(database);
    const config = await insertConfig(database);

    await other.query("begin");
    await other.query("delete from configs where id = $1", [config]);
    const insertion = expect(insertHosts({ database }, [{ config_id: config }])).rejects.toMatchObject({
      code: "23503",
    });
    await other.query("commit");
    await insertion;
    expect(await configsOf(database)).toEqual([]);
  });
});

async function insertConfig({ query }: Queryable): Promise<unknown> {
  const [config] = await query(
    `insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
     values (gen_random_uuid(), '主账号', 'key', '', 'https://api.example.com', 'cn-bj2', 1700000000) returning id`,
  );
  return config?.id;
}

async function configsOf({ query }: Queryable): Promise<unknown[]> {
  return (await query("select config_id from hosts order by id")).map(({ config_id }) => config_id);
}

async function migrateTo({ connection }: TestDatabase, migrations: typeof MIGRATIONS): Promise<void> {
  const log = createLog({ level: "silent", pretty: false });
  await migrate({ connection, entities: ENTITIES, migrations, log });
}

async function counts(database: TestDatabase): Promise<object> {
  const [row] = await database.query(
    `select (select present::int from hosts_version) as present,
       (select count(*)::int from hosts where gone_at is null) as counted`,
  );
  return row ?? {};
}

function digestOf({ prototype }: (typeof MIGRATIONS)[number]["class"]): string {
  const statements: string[] = [];
  prototype.up.call({ addSql: (sql: string) => statements.push(sql.replaceAll(/\s+/g, " ")) });
  return createHash("sha256").update(statements.join(";")).digest("hex").slice(0, 16);
}
