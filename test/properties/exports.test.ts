import fc from "fast-check";
import { v7 } from "uuid";
import { beforeEach, expect, it } from "vitest";
import {
  AUDIT_ACTOR_LABELS,
  AUDIT_OUTCOME_LABELS,
  AUDIT_SUBJECT_LABELS,
  auditActionLabel,
} from "../../src/shared/audit.ts";
import { chargeTypeLabel, HOST_STATUS_LABELS } from "../../src/shared/hosts.ts";
import { regionName } from "../../src/shared/regions.ts";
import { RENEWAL_STATUS_LABELS } from "../../src/shared/renewal-status.ts";
import { ROLE_LABELS } from "../../src/shared/roles.ts";
import { localDateTime } from "../../src/shared/shanghai.ts";
import { restoreFormula } from "../../src/shared/spreadsheet.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock, START } from "../harness/clocks.ts";
import { readCsv } from "../harness/csv.ts";
import { buildHost, type Team, twoAdmins } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import type { RestClient } from "../harness/rest.ts";
import { insertSecondFactor } from "../harness/second-factor.ts";
import { restoreSnapshot, takeSnapshot } from "../harness/snapshot.ts";
import { within } from "../harness/time-limits.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
const RUNS = 3 * MORE_RUNS;
const SEED = process.env.PROPERTY_SEED;
const FOREVER = 1_000_000_000;
const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });

let team: Team;

beforeEach(async () => {
  team = await twoAdmins(app);
});

const HOSTS = 4;
const NAMES = ["web-01", "=1+1", '甲"乙,', "多\n行", "@导出", "－1", "'=2"];

const anyName = fc.constantFrom(...NAMES);
const anyHolder = fc.constantFrom<"client" | "otherClient">("client", "otherClient");

const anyAssignment = fc.record({
  host: fc.nat(HOSTS - 1),
  holder: anyHolder,
  start: fc.constantFrom(-DAY_SECONDS, 0, 1),
  end: fc.constantFrom(-1, 2 * DAY_SECONDS, 3 * DAY_SECONDS),
  isEnded: fc.boolean(),
  request: fc.option(fc.constantFrom("pending", "rejected", "completed")),
  isDecided: fc.boolean(),
});

const anyEntry = fc.record({
  second: fc.nat(1),
  name: anyName,
  outcome: fc.constantFrom("ok", "denied", "failed"),
  action: fc.constantFrom("users.update", "hosts.assign", "hosts.list"),
  isOfToken: fc.boolean(),
});

const anyWorld = fc.record({
  hostNames: fc.array(anyName, { minLength: HOSTS, maxLength: HOSTS }),
  assignments: fc.uniqueArray(anyAssignment, {
    minLength: 3,
    maxLength: 8,
    selector: ({ host, holder }) => `${host} ${holder}`,
  }),
  people: fc.array(fc.record({ name: anyName, isActive: fc.boolean() }), { maxLength: 4 }),
  entries: fc.array(anyEntry, { maxLength: 6 }),
  showsNetwork: fc.boolean(),
});
type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

const anyOrder = fc.constantFrom("", "order=asc", "order=desc");
const anySearch = fc.constantFrom("", "", "search=1", "search=甲", "search=client");

/** What each list is asked with; what is not for the caller's role is refused by both. */
const anyQueries = fc.record({
  users: queryOf(
    fc.constantFrom("", "sort=name", "sort=hostCount", "sort=nextEnd"),
    fc.constantFrom("", "", "role=client", "isActive=true", "secondFactorEnabled=true"),
  ),
  hosts: queryOf(
    fc.constantFrom("", "sort=assignedExpireTime", "sort=expireTime", "sort=createTime"),
    fc.constantFrom("", "", "assigned=true", "assignedExpired=false", "expiring=30"),
  ),
  renewals: queryOf(
    fc.constantFrom("", "sort=expireTime"),
    fc.constantFrom("", "", "status=pending", "status=completed"),
  ),
  audit: fc
    .tuple(anySearch, fc.constantFrom("", "outcome=ok", "action=users.update", "action=hosts"))
    .map((parts) => parts.filter((part) => part !== "").join("&")),
});
type Queries = typeof anyQueries extends fc.Arbitrary<infer Value> ? Value : never;

function queryOf(sort: fc.Arbitrary<string>, filter: fc.Arbitrary<string>) {
  return fc
    .tuple(sort, anyOrder, anySearch, filter)
    .map((parts) => parts.filter((part) => part !== "").join("&"));
}

/** Every field that some role does not see has a value that no other field has. */
async function build(world: World): Promise<void> {
  const { database } = app;
  const hosts = world.hostNames.map((name, index) =>
    buildHost({
      name,
      expire_time: START + 10 * DAY_SECONDS + index,
      create_time: START - 50 * DAY_SECONDS - index,
      ip_set: [{ Type: "Private", IP: `10.77.0.${index}` }],
      project_id: `org-${index}`,
      auto_renew: true,
    }),
  );
  const annotated = hosts.map((host, index) => ({
    ...host,
    tags: [`标签${index}`, "生产"],
    note: `主机备注${index}`,
  }));
  await insertRows(database, "hosts", annotated);

  const people = world.people.map(({ name, isActive }, index) => ({
    id: v7(),
    username: `person_${index}`,
    password_hash: "x",
    name,
    role: "client",
    is_active: isActive,
    admin_id: index % 2 === 0 ? team.admin.id : null,
    email: index % 2 === 0 ? null : `person${index}@example.com`,
    phone: `1380000000${index}`,
    created_at: START - index,
    note: `用户备注${index}`,
  }));
  if (people.length > 0) await insertRows(database, "users", people);
  await insertSecondFactor(database, team.client.id);

  for (const [index, assignment] of world.assignments.entries()) {
    await insertAssignment(assignment, index, String(hosts[assignment.host]?.id));
  }

  const entries = world.entries.map((entry, index) => ({
    id: v7(),
    at: START - DAY_SECONDS - entry.second,
    actor_type: entry.isOfToken ? "token" : "user",
    actor_id: team.client.id,
    actor_name: entry.name,
    token_id: entry.isOfToken ? v7() : null,
    token_name: entry.isOfToken ? `令牌${index}` : null,
    action: entry.action,
    subject_type: "host",
    subject_id: v7(),
    subject_label: NAMES[index % NAMES.length],
    outcome: entry.outcome,
    ip: `203.0.113.${index}`,
    user_agent: `program/${index}`,
    request_id: `request-${index}`,
    changes: JSON.stringify([]),
    count: index + 1,
  }));
  if (entries.length > 0) await insertRows(database, "audit_entries", entries);

  await database.query("update settings set show_network_info_to_client = $1", [
    world.showsNetwork,
  ]);
}

async function insertAssignment(
  { holder, start, end, isEnded, request, isDecided }: World["assignments"][number],
  index: number,
  hostId: string,
): Promise<void> {
  const client = team[holder];
  const id = v7();
  await insertRows(app.database, "assignments", [
    {
      id,
      host_id: hostId,
      user_id: client.id,
      user_name: "当时的姓名",
      user_username: client.username,
      assigned_at: START + start - 60 - index,
      assigned_expire_time: START + end + index,
      assigned_by: app.root.id,
      assigned_by_name: `分配人${index}`,
      remark: `分配备注${index}`,
      created_at: START - DAY_SECONDS,
      ended_at: isEnded ? START - 1 : null,
    },
  ]);
  if (request === null) return;

  const isOpen = request === "pending";
  await insertRows(app.database, "renewals", [
    {
      id: v7({ msecs: (START - index) * 1_000 }),
      assignment_id: id,
      host_id: hostId,
      user_id: client.id,
      user_name: "当时的姓名",
      user_username: client.username,
      user_email: "then@example.com",
      user_phone: null,
      host_name: `当时的名称${index}`,
      host_cpu: 2,
      host_memory: 2_048,
      host_expire_time: START + 20 * DAY_SECONDS + index,
      requested_duration: index + 1,
      status: isOpen && isEnded ? "cancelled" : request,
      remark: `申请备注${index}`,
      admin_remark: isDecided ? `处理意见${index}` : null,
      created_at: START - index,
      processed_at: isOpen ? null : START - 30 - index,
      processed_by: isOpen ? null : app.root.id,
      processed_by_name: isOpen ? null : `处理人${index}`,
    },
  ]);
}

interface Exported {
  /** The field of the answer that holds the rows. */
  readonly rows: string;
  /** What tells one row from another: in the file, and in the answer of the list. */
  readonly keyOfRecord: (record: Readonly<Record<string, string>>) => string;
  // biome-ignore lint/suspicious/noExplicitAny: a row of any list
  readonly keyOfRow: (row: any) => string;
}

const LISTS: Readonly<Record<keyof Queries, Exported>> = {
  users: {
    rows: "users",
    keyOfRecord: (record) => record.用户名 ?? "",
    keyOfRow: ({ username }) => username,
  },
  hosts: {
    rows: "hosts",
    keyOfRecord: (record) => record["资源 ID"] ?? "",
    keyOfRow: ({ ucloudId }) => ucloudId,
  },
  renewals: {
    rows: "requests",
    keyOfRecord: (record) => record.备注 ?? "",
    keyOfRow: ({ remark }) => remark,
  },
  audit: {
    rows: "entries",
    keyOfRecord: (record) => record.请求编号 ?? "",
    keyOfRow: ({ requestId }) => requestId ?? "",
  },
};

async function readRows(reader: RestClient, name: keyof Queries, query: string) {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const answer = await reader.get(`/api/${name}?${query}&limit=5&page=${page}`);
    if (answer.status !== 200) return { status: answer.status, rows };

    rows.push(...answer.data[LISTS[name].rows]);
    if (page >= answer.data.pagination.totalPages) return { status: 200, rows };
  }
}

const LABELS: Readonly<Record<string, string>> = {
  ...HOST_STATUS_LABELS,
  ...RENEWAL_STATUS_LABELS,
  ...ROLE_LABELS,
  ...AUDIT_ACTOR_LABELS,
  ...AUDIT_OUTCOME_LABELS,
  ...AUDIT_SUBJECT_LABELS,
};

/** Every way in which a value of an answer may be written in a cell. */
function textsOf(value: unknown): string[] {
  if (typeof value === "boolean") return value ? ["启用", "已开启"] : ["停用", "未开启"];
  if (typeof value === "number") return [`${value}`, `${value / 1_024}`, localDateTime(value)];
  if (typeof value === "string") {
    const labels = [chargeTypeLabel(value), regionName(value), auditActionLabel(value)];
    return [value, LABELS[value] ?? value, ...labels];
  }
  if (typeof value !== "object" || value === null) return [""];

  const parts = Object.values(value).flatMap(textsOf);
  const person =
    "username" in value && "name" in value ? [`${value.name}（${value.username}）`] : [];
  return [...parts, ...person];
}

/** The cells, as they would be without the guard against formulas, that no value of the row makes. */
function strayCells(
  record: Readonly<Record<string, string>>,
  row: object,
  apart: readonly string[],
): [string, string][] {
  const texts = new Set(["", "已消失", "未知", "未开启", ...textsOf(row)]);
  return Object.entries(record).filter(([header, cell]) => {
    if (apart.includes(header)) return false;
    const text = restoreFormula(cell);
    return !texts.has(text) && !text.split("; ").every((part) => texts.has(part));
  });
}

/** Columns that follow from what the answer has; and two that super admins alone have. */
const DERIVED = ["变化", "续费后到期时间"];
const FOR_SUPER_ADMINS = ["云账号", "项目"];

async function expectSame(reader: Account, name: keyof Queries, query: string): Promise<void> {
  const { keyOfRecord, keyOfRow } = LISTS[name];
  const where = `${reader.username} GET /api/${name}?${query}`;

  const file = await reader.get(`/api/${name}/export?${query}`);
  const list = await readRows(reader, name, query);

  expect(file.status, where).toBe(list.status);
  if (file.status !== 200) return;

  const records = readCsv(String(file.body));
  expect(records.map(keyOfRecord), where).toEqual(list.rows.map(keyOfRow));
  const apart = reader === app.root ? [...DERIVED, ...FOR_SUPER_ADMINS] : DERIVED;
  const stray = records.flatMap((record, index) => strayCells(record, list.rows[index], apart));
  expect(stray, where).toEqual([]);
}

it(
  "an export has the rows of its list in their order, and no value that the list hides",
  async () => {
    const before = await takeSnapshot(app.database);

    const property = fc.asyncProperty(anyWorld, anyQueries, async (world, queries) => {
      await restoreSnapshot(app.database, before);
      await build(world);

      for (const reader of [app.root, team.admin, team.otherAdmin, team.client]) {
        for (const name of ["users", "hosts", "renewals", "audit"] as const) {
          await expectSame(reader, name, queries[name]);
        }
      }
    });

    const seed = SEED === undefined ? {} : { seed: Number(SEED) };
    await fc.assert(property, { numRuns: RUNS, ...seed });
  },
  within(90_000 * MORE_RUNS),
);
