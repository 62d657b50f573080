import { expect, it } from "vitest";
import { migrate, openOrm } from "../src/server/core/database.ts";
import { createLog } from "../src/server/core/log.ts";
import { ENTITIES, MIGRATIONS } from "../src/server/entities.ts";
import { openTestDatabase, type TestDatabase } from "./harness/database.ts";
import { insertHosts } from "./hosts/host-rows.ts";

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

async function migrateTo({ connection }: TestDatabase, migrations: typeof MIGRATIONS): Promise<void> {
  const log = createLog({ level: "silent", pretty: false });
  const orm = await openOrm({ connection, entities: ENTITIES, migrations, log, poolSize: 1 });
  try {
    await migrate(orm, connection, migrations);
  } finally {
    await orm.close(true);
  }
}

async function counts(database: TestDatabase): Promise<object> {
  const [row] = await database.query(
    `select (select present::int from hosts_version) as present,
       (select count(*)::int from hosts where gone_at is null) as counted`,
  );
  return row ?? {};
}
