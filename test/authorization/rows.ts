import { v7 as newId } from "uuid";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { Account, TestApp } from "../harness/app.ts";
import {
  assign,
  buildChannel,
  decide,
  insertNotice,
  insertRun,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import type { Queryable } from "../harness/database.ts";
import { insertFormerAssignments } from "../harness/former-rows.ts";
import { assertOk } from "../harness/rest.ts";
import { insertSecondFactor } from "../harness/second-factor.ts";
import type { Live } from "./callers.ts";

/** A row with the texts that identify it in an answer. */
export interface Row {
  readonly id: string;
  readonly markers: readonly string[];
}

type PersonRow = Exclude<Live, "superAdmin">;
type HostRow =
  | "host"
  | "quietHost"
  | "sharedHost"
  | "siblingHost"
  | "foreignHost"
  | "spareHost"
  | "goneHost";
type NoticeRow =
  | "superAdminNotice"
  | "adminNotice"
  | "otherAdminNotice"
  | "notice"
  | "readNotice"
  | "siblingNotice"
  | "foreignNotice";
type RequestRow = "request" | "decidedRequest" | "foreignRequest";
export type RowName =
  | PersonRow
  | HostRow
  | RequestRow
  | NoticeRow
  | "token"
  | "config"
  | "otherConfig"
  | "run"
  | "liveRun"
  | "channel";

/** Hosts with the clients who have them; `quietHost` has no pending request. */
const HOSTS: readonly (readonly [host: HostRow, holders: readonly PersonRow[]])[] = [
  ["host", ["client"]],
  ["quietHost", ["client"]],
  ["sharedHost", ["client", "otherClient"]],
  ["siblingHost", ["sibling"]],
  ["foreignHost", ["otherClient"]],
  ["spareHost", []],
  ["goneHost", ["client"]],
];

/** The rows each caller may see. */
export const VISIBLE_ROWS: Readonly<Record<PersonRow, readonly RowName[]>> = {
  admin: [
    "admin",
    "client",
    "sibling",
    "host",
    "quietHost",
    "sharedHost",
    "siblingHost",
    "goneHost",
    "request",
    "decidedRequest",
    "adminNotice",
  ],
  otherAdmin: [
    "otherAdmin",
    "otherClient",
    "sharedHost",
    "foreignHost",
    "foreignRequest",
    "otherAdminNotice",
  ],
  client: [
    "admin",
    "client",
    "token",
    "host",
    "quietHost",
    "sharedHost",
    "goneHost",
    "request",
    "decidedRequest",
    "notice",
    "readNotice",
  ],
  sibling: ["admin", "sibling", "siblingHost", "siblingNotice"],
  otherClient: [
    "otherAdmin",
    "otherClient",
    "sharedHost",
    "foreignHost",
    "foreignRequest",
    "foreignNotice",
  ],
};

/** Creates a synced configuration, one with a run of another replica, and the clients' rows. */
export async function makeRows(
  app: TestApp,
  people: Readonly<Record<PersonRow | "superAdmin", Account>>,
  now: number,
) {
  const { database, root } = app;
  const rows = new Map<RowName, Row>();
  const add = (name: RowName, id: unknown, ...markers: unknown[]): string => {
    rows.set(name, { id: String(id), markers: markers.map(String) });
    return String(id);
  };
  for (const name of ["admin", "otherAdmin", "client", "sibling", "otherClient"] as const) {
    const { id, username } = people[name];
    add(name, id, id, username);
  }
  const token = { name: "q7z_monthly", scope: "read", expiresAt: now + 30 * DAY_SECONDS };
  const { data: made } = await assertOk(people.client.post("/api/auth/tokens", token));
  add("token", made.id, made.id, token.name);
  /** Admins see the configuration's id and only super admins its name. */
  const addConfig = async (row: RowName, name: string) =>
    add(row, await app.config({ name, remark: "季度核对", balanceAlert: 100 }), name);
  const config = await addConfig("config", "主配置");
  const otherConfig = await addConfig("otherConfig", "备用配置");
  const { data: synced } = await assertOk(root.post(`/api/hosts/sync?configId=${config}&wait=25`));
  add("run", synced.runs[0].id, synced.runs[0].id);

  const found = await database.query("select id, ucloud_id from hosts order by ucloud_id");
  for (const [index, [name, holders]] of HOSTS.entries()) {
    const hostId = add(name, found[index]?.id, found[index]?.id, found[index]?.ucloud_id);
    for (const holder of holders) await assign(app, hostId, people[holder].id);
  }
  const quietHost = rows.get("quietHost")?.id ?? "";
  await unassign(app, quietHost, people.client.id);
  await assign(app, quietHost, people.client.id);
  await insertFormerAssignments(database);

  const addRequest = async (row: RowName, client: Account, host: HostRow) => {
    const id = await requestRenewal(client, rows.get(host)?.id ?? "");
    add(row, id, id);
    return id;
  };
  await decide(app, await addRequest("decidedRequest", people.client, "sharedHost"), "rejected");
  await addRequest("request", people.client, "host");
  await addRequest("foreignRequest", people.otherClient, "foreignHost");

  const channel = buildChannel({ config: { url: app.simulator.url } });
  const { data } = await assertOk(root.post("/api/notice-channels", channel));
  add("channel", data.id, data.id, channel.name);

  const liveRun = await insertRun(app, otherConfig, { started_at: now });
  add("liveRun", liveRun, liveRun);
  await database.query("delete from notices");
  for (const [name, owner] of NOTICES) {
    const id = newId();
    await insertNotice(app, people[owner], { id, created_at: now });
    add(name, id, id);
  }
  await fillNullableColumns(app, rows, now);
  await setProviderEnds(app, rows, now);
  return rows;
}

const NOTICES = [
  ["superAdminNotice", "superAdmin"],
  ["adminNotice", "admin"],
  ["otherAdminNotice", "otherAdmin"],
  ["notice", "client"],
  ["readNotice", "client"],
  ["siblingNotice", "sibling"],
  ["foreignNotice", "otherClient"],
] as const;

/**
 * Gives the columns that are null after these calls a value. A host is either held, kept or gone.
 */
async function fillNullableColumns(
  { database }: TestApp,
  rows: ReadonlyMap<RowName, Row>,
  now: number,
) {
  const id = (name: RowName) => rows.get(name)?.id;
  await database.query(
    `update configs
     set sync_interval_minutes = 1440, schedule_chosen_at = $1, schedule_resumed_at = $1`,
    [now],
  );
  await database.query(
    "update api_tokens set last_used_at = $1, last_used_address = '203.0.113.7', allowed_addresses = $2",
    [now, JSON.stringify(["203.0.113.0/24"])],
  );
  await database.query("update assignments set remark = '合同 2026-17'");
  await database.query("update renewals set remark = '请续到年底'");
  await database.query("update host_acts set remark = '合同 2026-17' where remark is null");
  await database.query(
    "update host_changes set (actor_id, actor_name) = (select id, name from users where username = 'root')",
  );
  await database.query(
    "update hosts set missing_since = $2, held_reason = 'empty', held_run_id = $3 where id = $1",
    [id("host"), now - 4_211, id("run")],
  );
  await database.query("update hosts set dismissed_at = $2 where id = $1", [
    id("quietHost"),
    now - 4_211,
  ]);
  await database.query("update hosts set gone_at = $2, removal_confirmed_at = $2 where id = $1", [
    id("goneHost"),
    now - 4_211,
  ]);
  await database.query("update hosts set status_since = $1", [now]);
  await database.query(
    "update hosts set tags = jsonb_build_array('生产', ucloud_id), note = '内部 ' || ucloud_id",
  );
  await database.query("update users set note = '欠款 ' || username");
  await database.query(
    "update audit_entries set token_id = id, token_name = '部署脚本', failure_key = id",
  );
  await database.query("update notices set read_at = $2 where id = $1", [id("readNotice"), now]);
  await insertSecondFactor(database, rows.get("sibling")?.id ?? "", { confirmedAt: now });
  await database.query("update notice_channels set paused_until = $1", [now]);
  await database.query(
    `insert into notice_deliveries (id, channel_id, channel_name, batch_id, notice_id, type,
       group_message, status, attempts, next_attempt_at, last_attempt_at, error, created_at)
     select gen_random_uuid(), id, name, gen_random_uuid(), gen_random_uuid(), 'sync.failing',
       '{"userIds": [], "subjects": []}', 'failed', 1, $1, $1, '对方暂时不可用', $1
     from notice_channels`,
    [now],
  );
  await database.query("update reminder_settings set covered_day = 1");
  await insertReminders(database);
}

/** To each client, of each of its hosts, on another day. */
async function insertReminders(database: Queryable): Promise<void> {
  await database.query(
    `insert into reminder_hosts
       (id, reminder_id, recipient_id, host_id, host_name, assignment_id, expire_time, mark, day)
     select gen_random_uuid(), a.user_id, a.user_id, a.host_id, h.name, a.id, 1, 7, 1
     from assignments a join hosts h on h.id = a.host_id where a.ended_at is null`,
  );
  await database.query(
    `insert into reminders (id, type, recipient_id, recipient_name, batch_id, notice_id, mark,
       host_count, created_at, sent_by_id, sent_by_name)
     select distinct user_id, 'assignment.expiring', user_id, user_name, user_id, user_id, 7, 1, 1,
       user_id, '系统管理员'
     from assignments where ended_at is null`,
  );
}

/**
 * `host` and `foreignHost` end at the provider within a week, before their assignments; no other
 * does.
 */
async function setProviderEnds(
  { database }: TestApp,
  rows: ReadonlyMap<RowName, Row>,
  now: number,
) {
  const soon = [rows.get("host")?.id, rows.get("foreignHost")?.id];
  await database.query(
    `update hosts set charge_type = 'Month', auto_renew = false, expire_time = case when id = any($1::uuid[]) then $2::bigint else $3 end`,
    [soon, now + 3 * DAY_SECONDS, now + 90 * DAY_SECONDS],
  );
}
