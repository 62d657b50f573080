import { expect } from "vitest";
import { backupTables } from "../../../src/server/operations/schema.ts";
import { RenewalStatus } from "../../../src/shared/renewal-status.ts";
import { makeToken } from "../../harness/api-tokens.ts";
import { buildAssignment, insertHost, now, renewalIn, unassign } from "../../harness/data.ts";
import { type Queryable, schemaOrm } from "../../harness/database.ts";
import { assertOk, type RestClient } from "../../harness/rest.ts";
import { enableSecondFactor } from "../../harness/second-factor.ts";
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
  const { secret } = await enableSecondFactor(await signIn(url, person), now(), person.password);
  const required = { secondFactorRequiredRoles: ["admin"] };
  await assertOk(root.put("/api/security-settings", required));

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
  const annotations = { tags: ["生产", "Web"], note: ODD_TEXT };
  await assertOk(root.put(`/api/hosts/${hostIds[0]}/annotations`, annotations));
  await assertOk(root.put(`/api/users/${client}`, { note: ODD_TEXT }));
  const own = await signIn(url, CLIENT);
  await assertOk(own.put("/api/auth/preferences", { email: false }));
  for (const [index, status] of RenewalStatus.options.entries()) {
    await renewalIn({ root }, { client: own, hostId: hostIds[index] ?? "" }, status);
  }

  const program = await makeToken(url, own, { name: ODD_TEXT, allowedAddresses: ["127.0.0.0/8"] });
  await assertOk(program.client.get("/api/hosts"));

  // Off, so that no job of this server reminds anybody while tables are compared.
  const reminders = {
    isActive: false,
    assignmentMarks: [14],
    hostMarks: [],
    sendAt: "08:30",
    recipients: { client: false, admin: false, superAdmin: false },
  };
  await assertOk(root.put("/api/reminder-settings", reminders));
  await assertOk(root.post("/api/reminders/send", { hostIds: hostIds.slice(0, 1) }));
  await fillColumnsOfReminders(fixture.storage);

  await fillColumnsOfSync(fixture.storage, hostIds);
  await assertOk(own.post("/api/notices/read", { all: true }));
  await fillChannels(fixture, root);
  return { root, configId, withFactor: { ...person, secret } };
}

/** What only the job fills. */
async function fillColumnsOfReminders({ query }: Queryable): Promise<void> {
  await query("update reminder_settings set covered_day = 1");
  await query("update reminders set mark = 7");
  await query("update reminder_hosts set mark = 7");
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
  await query(
    "update audit_entries set token_id = id, token_name = $1, failure_key = id, count = 2",
    [ODD_TEXT],
  );
}

/** A channel that is switched off, and what became of two messages through it. */
async function fillChannels({ provider, storage }: Filled, root: RestClient): Promise<void> {
  const url = provider.url;
  const channel = { type: "webhook", config: { url, secret: `whsec_${"A".repeat(32)}` } };
  const types = ["sync.failing"];
  const id = await create(root, "/api/notice-channels", {
    ...channel,
    name: ODD_TEXT.slice(0, 20),
    types,
    isActive: false,
  });
  await storage.query("update notice_channels set paused_until = 1 where id = $1", [id]);
  await storage.query(
    `insert into notice_deliveries (id, channel_id, channel_name, batch_id, notice_id, type,
       group_message, status, attempts, next_attempt_at, last_attempt_at, error, created_at)
     select gen_random_uuid(), id, name, gen_random_uuid(), gen_random_uuid(), 'sync.failing',
       null::jsonb, 'failed', 3, null, 1, $2, 1
     from notice_channels where id = $1
     union all
     select gen_random_uuid(), id, name, gen_random_uuid(), null, 'host.expired',
       '{"userIds": [], "subjects": []}', 'sent', 1, 253402300799, 1, null, 1
     from notice_channels where id = $1`,
    [id, ODD_TEXT],
  );
}

/** A restore adds an entry of its own. */
const WITHOUT_RESTORE = "(select * from audit_entries where action <> 'command.restore')";

/**
 * Every row of every table that is not left out of backups, in an order that depends on the rows
 * alone.
 */
export async function allRows(
  storage: Pick<TestStorage, "query">,
): Promise<Record<string, unknown>> {
  const rows = BACKUP_TABLES.map(async (name) => {
    const kept = name === "audit_entries" ? WITHOUT_RESTORE : name;
    const [found] = await storage.query(
      `select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as rows from ${kept} t`,
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
