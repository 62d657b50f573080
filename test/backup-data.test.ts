import { expect, it } from "vitest";
import { useApp } from "./harness/app.ts";
import { BACKUP_TABLES, fillEveryTable } from "./slow/operations/backup-data.ts";

const PLACE =
  "fillEveryTable in test/slow/operations/backup-data.ts: a backup could lose it unseen";

/** Columns that may be left out, and what they hold then; without those that are computed. */
const COLUMNS = `
  select table_name as table, column_name as column, coalesce(column_default, 'null') as default
  from information_schema.columns
  where table_schema = 'public' and is_generated = 'NEVER'
    and (is_nullable = 'YES' or column_default is not null)
    and coalesce(column_default, '') not like 'nextval%'
  order by table_name, ordinal_position`;

const app = useApp();

it("the data of the backup tests fill every table and column that is backed up", async () => {
  const { database, simulator, url } = app;
  await fillEveryTable({ provider: simulator, storage: database }, url);
  const isThere = async (rows: string) =>
    (await database.query(`select from ${rows} limit 1`)).length > 0;

  const unfilled: string[] = [];
  for (const table of BACKUP_TABLES) {
    if (!(await isThere(table))) unfilled.push(`${table} is empty: ${PLACE}`);
  }
  for (const { table, column, default: preset } of await database.query(COLUMNS)) {
    if (!BACKUP_TABLES.includes(String(table))) continue;
    const isFilled = await isThere(`${table} where ${column} is distinct from ${preset}`);
    if (!isFilled) unfilled.push(`${table}.${column} is ${preset} everywhere: ${PLACE}`);
  }

  expect(unfilled).toEqual([]);
});
