import { expect } from "vitest";
import { RenewalStatus } from "../../../src/shared/renewal-status.ts";
import { assign, renewalIn, unassign } from "../../harness/data.ts";
import { assertOk, type RestClient, restClient } from "../../harness/rest.ts";
import { configure, type ServerFixture, signIn, syncAll } from "../../harness/server-fixture.ts";
import type { TestStorage } from "../../harness/storage.ts";

export const CLIENT = { username: "kehu", password: "Correct2Horse" } as const;
/** What a careless writer of files would spoil. */
const ODD_TEXT = "换行\n制表\t反斜杠\\n 引号\"' <b>&amp;</b> 😀 \u2028 ,;{}[] NULL \\x00";
/** Not kept in backups, or not ours. */
const EXCEPT = [
  "sessions",
  "login_failures",
  "known_addresses",
  "events",
  "clean_up",
  "schema_migrations",
];

/**
 * Puts something into every table, through the API. The first admin of a client is younger than the
 * client.
 */
export async function fillEveryTable(fixture: ServerFixture, url: string) {
  const root = await signIn(url);
  const client = await create(root, "/api/users", {
    ...CLIENT,
    name: ODD_TEXT.slice(0, 20),
    role: "client",
  });
  const contact = { email: "guanli@example.com", phone: "13800000001" };
  const person = { username: "guanli", password: "Correct3Horse", name: "管理员", ...contact };
  const admin = await create(root, "/api/users", { ...person, role: "admin" });
  await assertOk(root.put(`/api/users/${client}`, { adminId: admin }));
  await assertOk(root.put("/api/system-config", { show_network_info_to_client: true }));
  const configId = await configure(root, fixture.provider);
  await assertOk(root.put(`/api/hosts/configs/${configId}`, { remark: ODD_TEXT }));
  await configure(root, fixture.provider, { name: "备用" });
  expect(await syncAll(root)).toMatchObject({ status: "succeeded" });

  const { data } = await root.get("/api/hosts?limit=6");
  const hostIds: string[] = data.hosts.map(({ id }: { readonly id: string }) => id);
  for (const hostId of hostIds) await assign({ root }, hostId, client);
  await assertOk(unassign({ root }, hostIds.at(-1) ?? "", client));
  const own = await signIn(url, CLIENT);
  for (const [index, status] of RenewalStatus.options.entries()) {
    await renewalIn({ root }, { client: own, hostId: hostIds[index] ?? "" }, status);
  }
  // A failed sign-in is counted in a table of its own.
  expect(
    (await restClient(url).post("/api/auth/login", { ...CLIENT, password: "wrong" })).status,
  ).toBe(401);
  return { root, configId };
}

/**
 * Every row of every table that is not left out of backups, in an order that depends on the rows
 * alone.
 */
export async function allRows(
  storage: Pick<TestStorage, "query">,
): Promise<Record<string, unknown>> {
  const tables = await tableNames(storage);
  const kept = tables.filter((name) => !EXCEPT.includes(name));
  const rows = kept.map(async (name) => {
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
