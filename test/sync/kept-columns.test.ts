import { expect, it, onTestFinished } from "vitest";
import { PROVIDER_FIELD_NAMES } from "../../src/server/modules/hosts/provider-fields.ts";
import { columnOf } from "../../src/server/platform/database/postgres-names.ts";
import { useSync } from "./sync-fixture.ts";

const { app, sync } = useSync();

/** What sync writes. A column that is missing here belongs to a person, and sync must keep it. */
const OWNED_BY_SYNC = [
  ...["id", "ucloud_id", "config_id", "project_id", "region"],
  ...PROVIDER_FIELD_NAMES.map(columnOf),
  ...["changed_at", "present_since", "gone_at", "removal_confirmed_at", "status_since"],
  ...["missing_since", "held_reason", "held_run_id", "dismissed_at"],
];

/** A value of each type that a column of a host may have. */
const VALUES: Readonly<Record<string, string>> = {
  bigint: "1799999111",
  boolean: "true",
  integer: "17",
  jsonb: `'["合同 2026-17"]'`,
  text: "'合同 2026-17'",
  uuid: "'0198a000-0000-7000-8000-000000000017'",
};

/** Stands for the columns that people will fill, so that the test proves something without one. */
const NOTE = "note_of_a_person";

async function addNoteColumn(): Promise<void> {
  const { database } = app;
  await database.query(`alter table hosts add column ${NOTE} text`);
  onTestFinished(async () => void (await database.query(`alter table hosts drop column ${NOTE}`)));
}

/** Columns of hosts that sync does not own, with their types. */
async function keptColumns(): Promise<{ name: string; type: string }[]> {
  const columns = await app.database.query(`
    select column_name as name, data_type as type
    from information_schema.columns
    where table_schema = 'public' and table_name = 'hosts' and is_generated = 'NEVER'`);
  const kept = columns.map(({ name, type }) => ({ name: String(name), type: String(type) }));
  return kept.filter(({ name }) => !OWNED_BY_SYNC.includes(name));
}

/** Gives every kept column of every host a value. */
async function fill(columns: readonly { name: string; type: string }[]): Promise<void> {
  const filled = columns.map(({ name, type }) => {
    if (VALUES[type] === undefined)
      throw new Error(`give the type ${type} of hosts.${name} a value in VALUES`);
    return `${name} = ${VALUES[type]}`;
  });
  await app.database.query(`update hosts set ${filled.join(", ")}`);
}

it("a synced host keeps every column that sync does not own, also when it was gone", async () => {
  await addNoteColumn();
  const configId = await app.config();
  await sync(configId);
  const columns = await keptColumns();
  await fill(columns);
  const names = columns.map(({ name }) => name).join(", ");
  const kept = () => app.database.query(`select ucloud_id, ${names} from hosts order by ucloud_id`);
  const before = await kept();
  const { control } = app.simulator;
  const [changed = "", gone = "", refreshed = ""] = before.map(({ ucloud_id }) =>
    String(ucloud_id),
  );

  control.updateHosts({ ids: [changed] }, { Name: "改名" });
  control.removeHosts({ ids: [gone] });
  expect(await sync(configId)).toMatchObject({ updated: 1, gone: 1, unchanged: 58 });
  expect(await kept()).toEqual(before);

  control.restoreHosts();
  control.updateHosts({ ids: [refreshed] }, { Name: "改名" });
  const [row] = await app.database.query("select id from hosts where ucloud_id = $1", [refreshed]);
  expect((await app.root.post(`/api/hosts/${row?.id}/sync`)).data.name).toBe("改名");
  expect(await sync(configId)).toMatchObject({ updated: 1, gone: 0, unchanged: 59 });
  expect(await kept()).toEqual(before);
});
