import { expect } from "vitest";
import { backupTables } from "../../../src/server/operations/schema.ts";
import { RenewalStatus } from "../../../src/shared/renewal-status.ts";
import { buildAssignment, insertHost, renewalIn, unassign } from "../../harness/data.ts";
import { type Queryable, schemaOrm } from "../../harness/database.ts";
import { assertOk, type RestClient } from "../../harness/rest.ts";
import { configure, signIn, syncAll } from "../../harness/server-fixture.ts";
import type { TestStorage } from "../../harness/storage.ts";

export const CLIENT = { username: "kehu", password: "Correct2Horse" } as const;
/** What a careless writer of files would spoil. */
const ODD_TEXT = "换行\n制表\t反斜杠\\n 引号\"' <b>&amp;</b> 😀 \u2028 ,;{}[] NULL \\x00";
export const BACKUP_TABLES = backupTables(schemaOrm);

/** A server of either kind, with its database and its provider. */
interface Filled {
  readonly provider: { readonly url: string };
  readonly storage: Queryable;
}

/**
 * Puts something into every table and every column that a backup holds, through the API where a
 * person does it. The first admin of a client is younger than the client.
 */
export async function fillEveryTable(fixture: Filled, url: string) {
  const root = await signIn(url);
  const contact = { email: "yonghu@example.com", phone: "13800000001" };
  const client = await create(root, "/api/users", {
    ...CLIENT,
    ...contact,
    name: ODD_TEXT.slice(0, 20),
    role: "client",
  });
  const person = { username: "guanli", password: "Correct3Horse", name: "管理员", ...contact };
  const admin = await create(root, "/api/users", { ...person, role: "admin" });
  await assertOk(root.put(`/api/users/${client}`, { adminId: admin }));
  const former = { ...person, username: "qianren", role: "admin" };
  const formerAdmin = await create(root, "/api/users", former);
  await assertOk(root.post(`/api/users/${formerAdmin}/reset-password`));
  await assertOk(root.put(`/api/users/${formerAdmin}`, { isActive: false }));
  await assertOk(root.put("/api/system-config", { show_network_info_to_client: true }));

  const configId = await configure(root, fixture.provider);
  await assertOk(
    root.put(`/api/hosts/configs/${configId}`, { remark: ODD_TEXT, balanceAlert: 100 }),
  );
  // All hosts belong to the first one, so that the second lets none go when it is narrowed.
  expect(await syncAll(root)).toMatchObject({ status: "succeeded" });
  const spare = await configure(root, fixture.provider, { name: "备用" });
  expect(await syncAll(root)).toMatchObject({ status: "succeeded" });
  const unused = { isActive: false, projectIds: ["org-1"], defaultRegion: "cn-gd" };
  await assertOk(root.put(`/api/hosts/configs/${spare}`, unused));

  const { data } = await root.get("/api/hosts?limit=6");
  const hostIds: string[] = data.hosts.map(({ id }: { readonly id: string }) => id);
  for (const hostId of hostIds) {
    const assignment = { ...buildAssignment(hostId, client), remark: ODD_TEXT };
    await assertOk(root.post("/api/hosts/assign", assignment));
  }
  await assertOk(unassign({ root }, hostIds.at(-1) ?? "", client));
  const own = await signIn(url, CLIENT);
  for (const [index, status] of RenewalStatus.options.entries()) {
    await renewalIn({ root }, { client: own, hostId: hostIds[index] ?? "" }, status);
  }

  await fillColumnsOfSync(fixture.storage, hostIds);
  return { root, configId };
}

/** What only syncs that went wrong would fill: the next one finds these hosts again. */
async function fillColumnsOfSync(
  { query }: Queryable,
  [held, kept]: readonly string[],
): Promise<void> {
  await query(
    `update hosts set missing_since = 1, held_reason = 'empty',
       held_run_id = (select id from sync_runs limit 1)
     where id = $1`,
    [held],
  );
  await query("update hosts set dismissed_at = 1 where id = $1", [kept]);
  await insertHost({ database: { query } }, { gone_at: 1_800_000_000 });
  await query("update hosts set removal_confirmed_at = gone_at where gone_at is not null");
  await query("update sync_runs set updated = 1, gone = 1, rejected = 1, errors = $1", [
    JSON.stringify([{ region: "cn-bj2", projectId: null, code: "refused", message: ODD_TEXT }]),
  ]);
  await query("update configs set schedule_resumed_at = 1, is_access_untried = true");
  await query("update renewals set remark = $1", [ODD_TEXT]);
  await query(
    `update host_changes set changes = '[{"field": "cpu", "from": 1, "to": 2}]',
       (actor_id, actor_name) = (select id, name from users limit 1)`,
  );
}

/**
 * Every row of every table that is not left out of backups, in an order that depends on the rows
 * alone.
 */
export async function allRows(
  storage: Pick<TestStorage, "query">,
): Promise<Record<string, unknown>> {
  const rows = BACKUP_TABLES.map(async (name) => {
    const [found] = await storage.query(
      `select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows from ${name} t`,
    );
    return [name, found?.rows];
  });
  return Object.fromEntries(await Promise.all(rows));
}

export async function eventPosition({ query }: Pick<TestStorage, "query">): Promise<number> {
  const [row] = await query("select last_value::float8 as n from events_id_seq");
  return Number(row?.n);
}

export async function tableNames({ query }: Pick<TestStorage, "query">): Promise<string[]> {
  const rows = await query(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  );
  return rows.map(({ tablename }) => String(tablename));
}

async function create(caller: RestClient, path: string, body: object): Promise<string> {
  return String((await assertOk(caller.post(path, body))).data.id);
}
