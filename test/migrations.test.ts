import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { Migration } from "@mikro-orm/migrations";
import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DATABASE, MIGRATIONS } from "../mikro-orm.config.ts";
import { recordMissingActs } from "../src/server/modules/history-records/record-missing-acts.ts";
import { fingerprintOf } from "../src/server/modules/hosts/fingerprint.ts";
import { migrate } from "../src/server/platform/database/migrate.ts";
import {
  closeOrm,
  type DatabaseDefinition,
  openOrm,
} from "../src/server/platform/database/open.ts";
import { createLocalBus } from "../src/server/platform/local-bus.ts";
import { ProviderHost } from "../src/server/provider/schemas.ts";
import { type HostColumns, insertHosts, insertRun } from "./harness/data.ts";
import {
  HAS_CONCURRENT_SESSIONS,
  insertRows,
  openTestDatabase,
  type Queryable,
  type TestDatabase,
} from "./harness/database.ts";
import { holdLock, itOnPostgresql } from "./harness/hold-lock.ts";
import { useLogLines } from "./harness/log-lines.ts";
import { assertOk, type RestClient, restClient } from "./harness/rest.ts";
import { PASSWORD } from "./harness/root-user.ts";
import { silentLog } from "./harness/silent-log.ts";
import { startApp } from "./harness/start-app.ts";
import { within } from "./harness/time-limits.ts";

/** Digests of each migration's statements without white space. */
const SHIPPED: Readonly<Record<string, string>> = {
  Initial: "ae555bca82a4fd82",
  PresentHosts: "e3b0c44298fc1c14",
  ConfigsOfHosts: "e3b0c44298fc1c14",
  HostsOfRequests: "02ccc180c7e02f1b",
  PlainSchema: "1574f4a5a47d7731",
  SignInLimits: "560762ad8a897af6",
  HeldHosts: "65a0c20d4698ee4e",
  HeldRemovals: "3ca98ec544aa1c72",
  DropUnusedIndex: "30a7a96f0ca553b8",
  EndCompatibility: "7a5ef4ba0e423502",
  DropSearchIndexes: "99921b825197ce8d",
  RemovalWindow: "c2dc7736e0fa57aa",
  RunRetention: "650f6bb63de604bc",
  OpenRenewals: "74a8bf17d8bf6f0d",
  NameOrder: "676560ecc79e42ac",
  HostHistory: "8f2162c4aeea04da",
  SyncSchedules: "64ad94b81ccc20a4",
  PrepaidEnds: "3a1812a4a3da6394",
  CountedRemovals: "07f1773abb9239e2",
  HostActs: "732f14e1d9582da9",
  CleanUp: "35f17f97a59c3313",
  EventMarks: "b4b09267ea73b1c8",
  UntriedAccess: "d17778372e8e637c",
  SearchIndex: "d0b7f97413b52b44",
  AutoRenewal: "a98ecb7ea3fc9b7a",
  Balances: "4d8995381c48484b",
  StatusSince: "0fc6a461e4bf2320",
  Notices: "1303664b45b274c4",
  Reminders: "2d85d73ab0dc6af0",
  NoticeChannels: "4094f9acb7d88e41",
  MailPreference: "2da33c81fe949750",
  SecondFactor: "802f2bc1824a1654",
  ApiTokens: "c2e96efdab6aa4ae",
  AuditLog: "fdb200c98063037a",
  Annotations: "78a4ad107c9a51e8",
};

it("released migrations are never edited", () => {
  const digests = MIGRATIONS.map((migration) => [migration.name, digestOf(migration.class)]);

  expect(
    Object.fromEntries(digests),
    "SHIPPED in test/migrations.test.ts has each migration",
  ).toEqual(SHIPPED);
});

/** Each test begins with `migrateAnew`, which empties it. */
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.[Symbol.asyncDispose]());

/** The embedded database is made without them. */
const HAS_SEARCH_INDEXES = HAS_CONCURRENT_SESSIONS;
const SEARCH_INDEXES = ["audit_entries_search", "hosts_search"];
const CREATE_SEARCH_INDEXES = [
  "create index audit_entries_search on audit_entries using gin (search_text gin_trgm_ops);",
  "create index hosts_search on hosts using gin (search_text gin_trgm_ops);",
];

/** MikroORM reads the whole catalogue, which takes the embedded database seconds. */
const SCHEMA_LIMIT = { timeout: within(60_000) };

it("entities describe the schema that the migrations make", SCHEMA_LIMIT, async () => {
  await migrateAnew(MIGRATIONS.length);
  await using orm = await openProductOrm(database);

  const statements = await missingStatements(orm);

  const isExpected = (statement: string) =>
    !HAS_SEARCH_INDEXES && CREATE_SEARCH_INDEXES.includes(statement);
  expect(statements.filter((each) => !isExpected(each)).map(nameEntityFile)).toEqual([]);
});

/** MikroORM compares such indexes by their names alone. */
it(
  "indexes that an entity writes as SQL are those that the migrations make",
  SCHEMA_LIMIT,
  async () => {
    await migrateAnew(MIGRATIONS.length);
    await using orm = await openProductOrm(database);
    const entities = [...orm.getMetadata().getAll().values()];
    const written = entities.flatMap(({ tableName, indexes }) =>
      indexes.flatMap(({ name = "", expression }) =>
        typeof expression === "string" ? [{ tableName, name, expression }] : [],
      ),
    );

    const differing: string[] = [];
    for (const { tableName, name, expression } of written) {
      await database.query(expression.replace(new RegExp(`\\b${name}\\b`), "written_in_entity"));
      const ofEntity = await definitionOf(database, "written_in_entity");
      const isLeftOut = SEARCH_INDEXES.includes(name) && !HAS_SEARCH_INDEXES;
      const ofMigrations = isLeftOut ? ofEntity : await definitionOf(database, name);
      await database.query("drop index written_in_entity");
      if (ofEntity === ofMigrations) continue;
      differing.push(`${entityFileOf(tableName)}: ${name} is ${ofMigrations}`);
    }

    expect(written.length).toBeGreaterThan(0);
    expect(differing).toEqual([]);
  },
);

/** Columns of hosts that later migrations add or repair. */
const CHANGED = [
  "config_id",
  "missing_since",
  "held_reason",
  "held_run_id",
  "dismissed_at",
  "present_since",
  "removal_confirmed_at",
  "fingerprint",
  "address_text",
  "auto_renew",
  "status_since",
  "tags",
  "tag_keys",
  "note",
];

const BEFORE_CLEAN_UP = MIGRATIONS.findIndex(({ name }) => name === "CleanUp");

describe("upgrading a database with data", () => {
  describe("whose hosts name a configuration that does not exist", () => {
    let config: string;
    let before: unknown[];

    const rows = () =>
      database.query("select to_jsonb(h) - $1::text[] as host from hosts h order by id", [CHANGED]);

    beforeAll(async () => {
      await migrateAnew(4);
      config = await insertConfig(database);
      await insertHosts({ database }, [{ config_id: config }, { gone_at: 5 }]);
      await makeWithdrawn(database);
      await insertHosts({ database }, [{ config_id: v7() }]);
      before = await rows();

      await migrateTo(database, MIGRATIONS);
    });

    it("keeps every host, and none is held", async () => {
      const advice = "CHANGED in test/migrations.test.ts has each later column";

      expect(await rows(), advice).toEqual(before);
      expect(await database.query("select distinct missing_since from hosts")).toEqual([
        { missing_since: null },
      ]);
    });

    it("repairs the reference of a host to its configuration", async () => {
      expect(await configsOf(database)).toEqual([config, null, null]);
    });

    it("drops what withdrawn migrations made", async () => {
      const triggers = await database.query(
        "select tgname as name from pg_trigger where not tgisinternal",
      );
      expect(triggers).toEqual([{ name: "date_status" }]);
      expect(await database.query("select to_regclass('hosts_version')::text as name")).toEqual([
        { name: null },
      ]);
    });

    it("leaves the indexes of the present schema", async () => {
      const indexes = await database.query(
        "select indexname from pg_indexes where tablename = 'hosts' order by 1",
      );

      expect(indexes.map(({ indexname }) => indexname)).toEqual([
        "hosts_by_name",
        "hosts_by_tag",
        "hosts_gone",
        "hosts_held",
        "hosts_partition",
        "hosts_pkey",
        ...(HAS_SEARCH_INDEXES ? ["hosts_search"] : []),
        "hosts_ucloud_id_key",
        "hosts_unsettled",
      ]);
    });

    it("refuses a host of a configuration that does not exist from then on", async () => {
      const refused = { code: "23503", table: "hosts" };

      const update = database.query("update hosts set config_id = $1", [v7()]);
      await expect(update).rejects.toMatchObject(refused);
      const insert = insertHosts({ database }, [{ config_id: v7() }]);
      await expect(insert).rejects.toMatchObject(refused);
    });

    it("keeps the hosts of a configuration that is deleted from then on", async () => {
      await database.query("delete from configs where id = $1", [config]);

      expect(await configsOf(database)).toEqual([null, null, null]);
    });
  });

  it.each([
    ["with its newest event", "events", 1_700_000_000],
    ["with its newest run", "sync_runs", 1_700_000_000],
    ["with the present, when the newest lies in the future", "events", 4_000_000_000],
  ])("the clean-up begins %s", async (_what, table, at) => {
    await migrateAnew(BEFORE_CLEAN_UP);
    const config = await insertConfig(database);
    if (table === "events") await insertEvent(database, at);
    else await insertRun({ database }, config, { started_at: at });

    await migrateTo(database, MIGRATIONS);

    const [row] = await database.query(
      `select cleaned_up_to::int as "cleanedUpTo", extract(epoch from now())::int as now
       from clean_up`,
    );
    const now = Number(row?.now);
    // The migrations ran some seconds ago.
    expect(row?.cleanedUpTo).toBeGreaterThanOrEqual(Math.min(at, now - 60));
    expect(row?.cleanedUpTo).toBeLessThanOrEqual(Math.min(at, now));
  });

  it("takes the reason of a hold from the newest run that names the partition", async () => {
    await migrateAnew(7);
    const config = await insertConfig(database);
    const held = ["cn-bj2", "hk", "sg"].map((region) => ({
      config_id: config,
      region,
      name: region,
    }));
    await insertHosts({ database }, [
      ...held,
      { config_id: config, region: "hk", name: "present" },
    ]);
    await database.query("update hosts set missing_since = 5 where name <> 'present'");
    const errorsOfRuns = [
      [{ region: "hk", code: "empty" }],
      [
        { region: "hk", code: "unavailable" },
        { region: "sg", code: "timeout" },
      ],
      [{ region: null, code: "mass-removal" }],
    ];
    for (const found of errorsOfRuns) {
      const errors = found.map((error) => ({ ...error, projectId: "org-1" }));
      await insertRun({ database }, config, { status: "partial", started_at: 1, errors });
    }

    await migrateTo(database, MIGRATIONS);

    const rows = await database.query(
      "select name, held_reason, missing_since::int from hosts order by name",
    );
    expect(rows).toEqual([
      { name: "cn-bj2", held_reason: "mass-removal", missing_since: 5 },
      { name: "hk", held_reason: "unavailable", missing_since: 5 },
      { name: "present", held_reason: null, missing_since: null },
      { name: "sg", held_reason: "mass-removal", missing_since: 5 },
    ]);
  });

  it("fills in what replicas of earlier versions left empty", async () => {
    await migrateAnew(9);
    const [host] = await insertHosts({ database }, [{ name: "a", cpu: 4 }]);
    await database.query("update hosts set missing_since = 5");
    const id = v7();
    const user_id = v7();
    const person = { user_id, user_name: "", user_username: "", created_at: 1 };
    const by = {
      assigned_at: 1,
      assigned_expire_time: 2,
      assigned_by: user_id,
      assigned_by_name: "",
    };
    await insertRows(database, "assignments", [{ id, host_id: host, ...person, ...by }]);
    const request = {
      id: v7(),
      assignment_id: id,
      host_id: host,
      requested_duration: 30,
      status: "pending",
    };
    await insertRows(database, "renewals", [{ ...request, ...person }]);

    await migrateTo(database, MIGRATIONS);

    const [row] = await database.query(
      "select held_reason, host_name, host_cpu from hosts h, renewals r",
    );
    expect(row).toEqual({ held_reason: "mass-removal", host_name: "a", host_cpu: 4 });
  });
});

describe("hosts that an earlier version holds as a mass removal", () => {
  const DAY = 86_400;
  const LONG_AGO = 1_700_000_000;
  const NOW = 1_800_000_000;
  let config: string;

  beforeEach(async () => {
    await migrateAnew(17);
    config = await insertConfig(database);
  });

  /** So many hosts with names that begin alike, as the version before stores them. */
  async function insertOldHosts(prefix: string, count: number, columns: object): Promise<void> {
    const hosts = Array.from({ length: count }, (_, i) => ({
      config_id: config,
      name: `${prefix}-${i}`,
    }));
    const ids = await insertHosts({ database }, hosts);
    const values = { present_since: LONG_AGO, ...columns };
    await database.query(
      `update hosts
       set (present_since, gone_at, missing_since, held_reason, held_run_id) =
         (select present_since, gone_at, missing_since, held_reason, held_run_id
          from jsonb_populate_record(null::hosts, $2::jsonb))
       where id = any($1)`,
      [ids, JSON.stringify(values)],
    );
  }

  /** A run that held these at `at`. */
  async function holdBefore(prefix: string, count: number, at: number, columns: object = {}) {
    const held_run_id = await insertRun({ database }, config, {
      status: "partial",
      started_at: at,
      finished_at: at,
    });
    const hold = { missing_since: at, held_reason: "mass-removal", held_run_id };
    await insertOldHosts(prefix, count, { ...hold, ...columns });
  }

  async function stillHeld(): Promise<unknown[]> {
    const rows = await database.query(
      `select split_part(name, '-', 1) as name, count(*)::int as hosts
       from hosts where held_reason is not null and missing_since is not null group by 1 order by 1`,
    );
    return rows.map(({ name, hosts }) => [name, hosts]);
  }

  it("stay held when they were one together", async () => {
    await insertOldHosts("present", 60, {});
    await holdBefore("mass", 40, NOW);

    await migrateTo(database, MIGRATIONS);

    expect(await stillHeld()).toEqual([["mass", 40]]);
  });

  it("stay held when they were one with those removed within the day before", async () => {
    await insertOldHosts("present", 60, {});
    await insertOldHosts("removed", 25, { gone_at: NOW - 3_600 });
    await holdBefore("mass", 15, NOW);

    await migrateTo(database, MIGRATIONS);

    expect(await stillHeld()).toEqual([["mass", 15]]);
  });

  it("are released when they were single ones beside a mass removal", async () => {
    await insertOldHosts("present", 55, {});
    await holdBefore("mass", 40, NOW - 5 * DAY);
    for (let day = 1; day <= 5; day++) await holdBefore(`single${day}`, 1, NOW - day * DAY);

    await migrateTo(database, MIGRATIONS);

    expect(await stillHeld()).toEqual([["mass", 40]]);
  });

  it("are released when they were few of the hosts that were there", async () => {
    await insertOldHosts("present", 54, {});
    await holdBefore("mass", 40, NOW - 2 * DAY);
    await holdBefore("six", 6, NOW);

    await migrateTo(database, MIGRATIONS);

    expect(await stillHeld()).toEqual([["mass", 40]]);
  });

  it("are released when they lived for less than a day", async () => {
    await insertOldHosts("present", 11, {});
    for (let hour = 1; hour <= 43; hour++) {
      const at = NOW + hour * 3_600;
      await holdBefore(`young${hour}`, 1, at, { present_since: at - 7_200 });
    }

    await migrateTo(database, MIGRATIONS);

    expect(await stillHeld()).toEqual([]);
  });

  it("stay held when they were held on the first day", async () => {
    await insertOldHosts("present", 40, { present_since: NOW - 3_600 });
    await holdBefore("mass", 20, NOW, { present_since: NOW - 3_600 });

    await migrateTo(database, MIGRATIONS);

    expect(await stillHeld()).toEqual([["mass", 20]]);
  });

  it("count as new once they are released, so that a run does not hold them again", async () => {
    await insertOldHosts("present", 11, {});
    await holdBefore("single", 1, NOW);

    await migrateTo(database, MIGRATIONS);

    const rows = await database.query(
      `select gone_at, present_since > extract(epoch from now()) - 60 as is_new
       from hosts where name like 'single-%'`,
    );
    expect(rows).toEqual([{ gone_at: null, is_new: true }]);
  });
});

describe("open requests of an earlier version", () => {
  const remark = "同一主机只能有一个未完成的续费申请，系统升级时已取消重复的申请";

  it("are reduced to one for a client and host: the newest approved, else the newest", async () => {
    await migrateAnew(11);
    const first = await insertHolding(database);
    const second = await insertHolding(database);
    const third = await insertHolding(database);
    const statuses = { a: "approved", b: "approved", c: "pending", d: "rejected" } as const;
    const ofFirst = await insertRequests(database, first, statuses);
    const ofSecond = await insertRequests(database, second, { e: "pending" });
    const ofThird = await insertRequests(database, third, { f: "completed", g: "approved" });

    await migrateTo(database, MIGRATIONS);

    const names = new Map([...ofFirst, ...ofSecond, ...ofThird]);
    const rows = await database.query("select id, status, admin_remark from renewals order by id");
    expect(
      rows.map(({ id, status, admin_remark }) => [names.get(String(id)), status, admin_remark]),
    ).toEqual([
      ["a", "cancelled", remark],
      ["b", "approved", null],
      ["c", "cancelled", remark],
      ["d", "rejected", null],
      ["e", "pending", null],
      ["f", "completed", null],
      ["g", "approved", null],
    ]);
  });

  it("are cancelled when their assignment has ended, as of that end", async () => {
    await migrateAnew(11);
    const holding = await insertHolding(database, { ended_at: 1_800_000_000 });
    await insertRequests(database, holding, { a: "approved", b: "completed" });

    await migrateTo(database, MIGRATIONS);

    const rows = await database.query(
      "select status, processed_at::int, processed_by from renewals order by id",
    );
    expect(rows).toMatchObject([
      { status: "cancelled", processed_at: 1_800_000_000, processed_by: null },
      { status: "completed" },
    ]);
  });

  it("are not doubled by a replica of that version", async () => {
    await migrateAnew(11);
    const holding = await insertHolding(database);
    await insertRequests(database, holding, { a: "approved" });
    await migrateTo(database, MIGRATIONS);

    const second = insertRequests(database, holding, { b: "pending" });

    await expect(second).rejects.toMatchObject({ code: "23505" });
  });
});

describe("acts of an earlier version", () => {
  /** Before the acts were rows. */
  const FORMER = MIGRATIONS.findIndex(({ name }) => name === "HostActs");
  const admin = { processed_by: v7(), processed_by_name: "管理员" };
  const times = { created_at: 100, processed_at: 200 };

  const acts = () =>
    database.query(
      `select kind, at::int, actor_name as by, user_name as client, remark, changes
       from host_acts order by at, seq`,
    );

  it("are recorded from assignments and requests, as far as these still tell them", async () => {
    await migrateAnew(FORMER);
    const client = { user_name: "客户", created_at: 50 };
    const holding = await insertHolding(database, { ...client, remark: "合同", ended_at: 300 });
    const request = { ...holding, ...times, ...admin, user_name: "客户" };
    const remarks = { remark: "请续", admin_remark: "已核对" };
    await insertRows(database, "renewals", [
      { ...REQUEST, id: v7(), status: "rejected", ...request, ...remarks },
    ]);

    await migrateTo(database, MIGRATIONS);

    const known = { by: null, client: "客户", remark: null, changes: [] };
    const days = [{ field: "requestedDuration", from: null, to: 30 }];
    expect(await acts()).toEqual([
      { ...known, kind: "assigned", at: 50 },
      { ...known, kind: "renewal_created", at: 100, by: "客户", remark: "请续", changes: days },
      { ...known, kind: "renewal_rejected", at: 200, by: "管理员", remark: "已核对" },
      { ...known, kind: "unassigned", at: 300 },
    ]);
  });

  it.each([
    ["pending", []],
    ["approved", [{ kind: "renewal_approved", by: "管理员", remark: "已核对" }]],
    ["completed", [{ kind: "renewal_completed", by: "管理员", remark: null }]],
    ["cancelled", [{ kind: "renewal_cancelled", by: null, remark: null }]],
  ])("of a request that is %s are told without a guess", async (status, decisions) => {
    await migrateAnew(FORMER);
    const holding = await insertHolding(database);
    const decision = status === "pending" ? {} : { ...admin, admin_remark: "已核对" };
    await insertRows(database, "renewals", [
      { ...REQUEST, id: v7(), status, ...holding, ...times, ...decision },
    ]);

    await migrateTo(database, MIGRATIONS);

    const decided = await database.query(
      `select kind, actor_name as by, remark from host_acts
       where kind not in ('assigned', 'renewal_created')`,
    );
    expect(decided).toEqual(decisions);
  });

  it("of one second have the order of a hand-over, and an end after its own start", async () => {
    await migrateAnew(FORMER);
    const client = (user_name: string, created_at: number, ended_at: number | null) =>
      insertHolding(database, { user_name, created_at, ended_at });
    await client("下一个", 200, null);
    await client("原来的", 100, 200);
    await client("一秒", 200, 200);

    await migrateTo(database, MIGRATIONS);

    const rows = await acts();
    const told = rows.map(({ kind, client }) => `${client} ${kind}`);
    expect(told.filter((each) => !each.startsWith("一秒"))).toEqual([
      "原来的 assigned",
      "原来的 unassigned",
      "下一个 assigned",
    ]);
    expect(told.filter((each) => each.startsWith("一秒"))).toEqual([
      "一秒 assigned",
      "一秒 unassigned",
    ]);
  });

  it("of a replica of that version are recorded later, once, and others never twice", async () => {
    await migrateAnew(MIGRATIONS.length);
    await using replica = await startApp(database.connection);
    const root = await signInAsRoot(replica.url);
    const person = { username: "kehu", name: "客户", role: "client", password: PASSWORD };
    const { data: client } = await assertOk(root.post("/api/users", person));
    const [ofReplica] = await insertHosts({ database }, [{ name: "a" }]);
    const assignment = { hostId: ofReplica, userId: client.id };
    await assertOk(root.post("/api/hosts/assign", { ...assignment, days: 30 }));
    await assertOk(root.post("/api/hosts/unassign", assignment));
    const now = Math.floor(Date.now() / 1000);
    const holding = await insertHolding(database, { user_name: "旧版", created_at: now - 60 });
    const decided = { ...holding, ...admin, created_at: now - 50, processed_at: now - 40 };
    const request = { ...REQUEST, id: v7(), status: "approved", ...decided, user_name: "旧版" };
    await insertRows(database, "renewals", [request]);
    const deps = { em: replica.orm.em.fork(), bus: createLocalBus() };

    await Promise.all([recordMissingActs(deps), recordMissingActs(deps)]);
    await database.query("update assignments set ended_at = $1 where ended_at is null", [now - 30]);
    await recordMissingActs(deps);
    await recordMissingActs(deps);

    const rows = await acts();
    expect(rows.map(({ kind, by, client: name }) => [name, kind, by])).toEqual([
      ["旧版", "assigned", null],
      ["旧版", "renewal_created", "旧版"],
      ["旧版", "renewal_approved", "管理员"],
      ["旧版", "unassigned", null],
      ["客户", "assigned", "系统管理员"],
      ["客户", "unassigned", "系统管理员"],
    ]);
  });

  it("leave room for changes that a replica of that version writes, in their order", async () => {
    await migrateAnew(FORMER);
    const change = () => ({ id: v7(), host_id: v7(), kind: "created", at: 5 });
    await insertRows(database, "host_changes", [change()]);
    await migrateTo(database, MIGRATIONS);

    await insertRows(database, "host_changes", [change()]);

    const rows = await database.query("select seq is null as old from host_changes order by id");
    expect(rows).toEqual([{ old: true }, { old: false }]);
  });
});

describe("ends of hosts that are billed by the hour", () => {
  const HOUR_END = 1_780_003_600;
  const PERIOD_END = 1_900_000_000;
  const ADDRESSES = [
    { Type: "Bgp", IP: "106.75.3.9" },
    { Type: "Private", IP: "10.9.0.7" },
  ];
  const HOSTS = [
    { name: "a", charge_type: "Month", expire_time: PERIOD_END },
    { name: "b", charge_type: "Year", expire_time: PERIOD_END, gone_at: 5 },
    { name: "c", charge_type: "Dynamic", expire_time: HOUR_END },
    { name: "d", charge_type: "Preemptive", expire_time: HOUR_END, gone_at: 5 },
    { name: "e", charge_type: "Trial", expire_time: HOUR_END },
    { name: "f", charge_type: "Postpay", expire_time: null },
    { name: "g", charge_type: "", expire_time: HOUR_END },
  ];
  const endsByName = async (column: string, from: string) => {
    const rows = await database.query(
      `select h.name, ${column}::int as at from ${from} order by 1`,
    );
    return rows.map(({ name, at }) => [name, at]);
  };
  const kept = ["a", "b", "c", "d", "e", "f", "g"].map((name) => {
    return [name, name < "c" ? PERIOD_END : null];
  });

  it("are forgotten, with those in requests; the rest of a year's data stays", async () => {
    await migrateAnew(17);
    for (const host of HOSTS) {
      const holding = await insertHolding(database, {}, { ...host, ip_set: ADDRESSES });
      await insertRequests(database, holding, { [host.name]: "rejected" });
    }
    await database.query(
      `update renewals r set host_expire_time = h.expire_time from hosts h where h.id = r.host_id`,
    );
    // What the version before told of such a host in each hour.
    const told = [{ field: "expireTime", from: HOUR_END - 3_600, to: HOUR_END }];
    await database.query(
      `insert into host_changes (id, host_id, kind, at, changes)
       select gen_random_uuid(), id, 'changed', $1, $2 from hosts`,
      [HOUR_END, JSON.stringify(told)],
    );
    const before = [await hostsWithoutEnds(), await changes()];

    await migrateTo(database, MIGRATIONS);

    expect(await endsByName("expire_time", "hosts h")).toEqual(kept);
    const requests = "renewals r join hosts h on h.id = r.host_id";
    expect(await endsByName("host_expire_time", requests)).toEqual(kept);
    expect([await hostsWithoutEnds(), await changes()]).toEqual(before);
  });

  const hostsWithoutEnds = () =>
    database.query("select to_jsonb(h) - $1::text[] as host from hosts h order by id", [
      [...CHANGED, "expire_time"],
    ]);
  const changes = () =>
    database.query("select id, host_id, kind, at, run_id, changes from host_changes order by id");
});

describe("the search of hosts", () => {
  const BEFORE = MIGRATIONS.findIndex(({ name }) => name === "SearchIndex");

  it("has the addresses of hosts from before, and of those a replica of before writes", async () => {
    await migrateAnew(BEFORE);
    await insertHosts({ database }, [
      { name: "a", ip_set: [{ IP: "2001:DB8::1" }, { IP: "10.0.0.7" }] },
      { name: "b", ip_set: [] },
    ]);

    await migrateTo(database, MIGRATIONS);
    await insertHosts({ database }, [{ name: "c", ip_set: [{ Type: "Bgp", IP: "106.0.0.1" }] }]);

    const rows = await database.query("select address_text from hosts order by name");
    expect(rows.map(({ address_text }) => address_text)).toEqual([
      '["2001:db8::1", "10.0.0.7"]',
      "[]",
      '["106.0.0.1"]',
    ]);
  });

  itOnPostgresql("goes on without the extension, which each start says", SCHEMA_LIMIT, async () => {
    await migrateAnew(BEFORE);
    await database.query("drop extension pg_trgm");
    await migrateTo(database, MIGRATIONS);
    await insertHosts({ database }, [{ name: "web-1" }]);

    const { log, lines } = useLogLines();
    await using replica = await startApp(database.connection, { overrides: { log } });
    const root = await signInAsRoot(replica.url);
    const found = await root.get("/api/hosts?search=web");

    expect(found.data.pagination.total).toBe(1);
    expect(lines.filter((line) => line.includes("searches read every host"))).toHaveLength(1);
    await using orm = await openProductOrm(database);
    expect((await missingStatements(orm)).toSorted()).toEqual(CREATE_SEARCH_INDEXES);
  });
});

describe("automatic renewal", () => {
  const BEFORE = MIGRATIONS.findIndex(({ name }) => name === "AutoRenewal");
  const fields = { Name: "a", ChargeType: "Month", AutoRenew: "Yes" };

  it("is unknown of hosts from before, and of those a replica of before writes", async () => {
    const ends = { charge_type: "Month", expire_time: 1_800_000_000 };
    await migrateAnew(BEFORE);
    await insertHosts({ database }, [
      { name: "a", ...ends },
      { name: "b", charge_type: "Dynamic", expire_time: null },
    ]);

    await migrateTo(database, MIGRATIONS);
    await insertHosts({ database }, [{ name: "c", ...ends }]);
    await database.query("update hosts set status = 'Stopped' where name = 'a'");

    const rows = await database.query(
      "select name, charge_type, expire_time::int, auto_renew from hosts order by name",
    );
    expect(rows).toEqual([
      { name: "a", ...ends, auto_renew: null },
      { name: "b", charge_type: "Dynamic", expire_time: null, auto_renew: null },
      { name: "c", ...ends, auto_renew: null },
    ]);
  });

  it("is part of the fingerprint of hosts from before, once it is read", async () => {
    const described = ProviderHost.parse({ UHostId: "a", ...fields });
    await migrateAnew(BEFORE);
    await insertHosts({ database }, [
      {
        ...{ ucloud_id: "a", name: "a", zone: "", os_name: "", os_type: "", ip_set: [] },
        ...{ cpu: 0, memory: 0, disk: 0, status: "Unknown", provider_status: "" },
        ...{ create_time: null, expire_time: null },
      },
    ]);

    await migrateTo(database, MIGRATIONS);

    const stored = () => database.query("select fingerprint from hosts");
    expect(await stored()).toEqual([
      { fingerprint: fingerprintOf({ ...described, autoRenew: null }) },
    ]);
    await database.query("update hosts set auto_renew = true");
    expect(await stored()).toEqual([{ fingerprint: fingerprintOf(described) }]);
  });
});

describe("the time since when a host has its status", () => {
  const BEFORE = MIGRATIONS.findIndex(({ name }) => name === "StatusSince");
  const stored = () =>
    database.query("select name, status_since::int as since from hosts order by name");

  it("is unknown of hosts from before, and of those a replica of before inserts", async () => {
    await migrateAnew(BEFORE);
    await insertHosts({ database }, [{ name: "a" }]);

    await migrateTo(database, MIGRATIONS);
    await insertHosts({ database }, [{ name: "b" }]);

    expect(await stored()).toEqual([
      { name: "a", since: null },
      { name: "b", since: null },
    ]);
  });

  it("follows a replica of before that changes the status and changes it back", async () => {
    await migrateAnew(MIGRATIONS.length);
    await insertHosts({ database }, [{ name: "a", status: "Running", changed_at: 100 }]);
    await database.query("update hosts set status_since = 100");
    const write = (status: string, at: number) =>
      database.query("update hosts set status = $1, changed_at = $2", [status, at]);

    await write("Running", 200);
    expect(await stored()).toEqual([{ name: "a", since: 100 }]);
    await write("Stopped", 300);
    await write("Running", 400);

    expect(await stored()).toEqual([{ name: "a", since: 400 }]);
  });
});

it("a balance is unknown of configurations from before, and of those of an old replica", async () => {
  await migrateAnew(MIGRATIONS.findIndex(({ name }) => name === "Balances"));
  const before = await insertConfig(database);

  await migrateTo(database, MIGRATIONS);
  const after = await insertConfig(database);
  await database.query("update configs set name = '改名' where id = $1", [before]);

  const rows = await database.query(`
    select id, balance_available_fen, balance_amount_fen, balance_at, balance_alert_fen
    from configs`);
  const unknown = {
    balance_available_fen: null,
    balance_amount_fen: null,
    balance_at: null,
    balance_alert_fen: null,
  };
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: before, ...unknown },
      { id: after, ...unknown },
    ]),
  );
});

it("nobody has or needs a second factor from before, nor do users of an old replica", async () => {
  await migrateAnew(MIGRATIONS.findIndex(({ name }) => name === "SecondFactor"));
  const user = { password_hash: "", name: "", role: "super_admin", is_active: true, created_at: 1 };
  await insertRows(database, "users", [{ ...user, id: v7(), username: "before" }]);

  await migrateTo(database, MIGRATIONS);
  await insertRows(database, "users", [{ ...user, id: v7(), username: "after" }]);

  const rows = await database.query(`
    select u.username, f.id as factor, s.second_factor_required_roles as required
    from users u left join second_factors f on f.user_id = u.id, settings s
    order by u.username`);
  expect(rows).toEqual([
    { username: "after", factor: null, required: [] },
    { username: "before", factor: null, required: [] },
  ]);
});

it("API tokens begin with none, leave sessions alone, and end with their user", async () => {
  await migrateAnew(MIGRATIONS.findIndex(({ name }) => name === "ApiTokens"));
  const user = { id: v7(), username: "yonghu", password_hash: "", name: "", role: "client" };
  await insertRows(database, "users", [{ ...user, created_at: 1 }]);
  const times = { created_at: 1, last_used_at: 1, expires_at: 2 };
  const session = {
    id: v7(),
    user_id: user.id,
    token_hash: "\\x01",
    ip: "",
    user_agent: "",
    ...times,
  };
  await insertRows(database, "sessions", [session]);

  await migrateTo(database, MIGRATIONS);

  const before = await database.query("select id from api_tokens");
  const sessions = await database.query("select id from sessions");
  const token = {
    id: v7(),
    user_id: user.id,
    token_hash: "\\x02",
    hint: "",
    name: "",
    scope: "read",
  };
  const more = { allowed_addresses: [], created_at: 1, expires_at: 2 };
  await insertRows(database, "api_tokens", [{ ...token, ...more }]);
  await database.query("delete from users");

  expect(before).toEqual([]);
  expect(sessions).toEqual([{ id: session.id }]);
  expect(await database.query("select id from api_tokens")).toEqual([]);
});

describe("the order of names", () => {
  it("replaces that by code point, and keeps the hosts and the index", async () => {
    await migrateAnew(11);
    await insertHosts(
      { database },
      ["host10", "运维", "host2", "风控", "Web", "api"].map((name) => ({ name })),
    );
    const sorted = async () =>
      (await database.query("select name from hosts order by sort_name")).map(({ name }) => name);
    expect(await sorted()).toEqual(["Web", "api", "host10", "host2", "运维", "风控"]);

    await migrateTo(database, MIGRATIONS);

    expect(await sorted()).toEqual(["风控", "运维", "api", "host2", "host10", "Web"]);
    await database.query("begin");
    await database.query("set local enable_seqscan = off");
    const plan = await database.query(
      "explain select id from hosts where gone_at is null order by sort_name, id limit 5",
    );
    await database.query("rollback");
    expect(JSON.stringify(plan)).toContain("hosts_by_name");
  });
});

it("events get a mark from their upgrade on, also those of a replica of before", async () => {
  await migrateAnew(MIGRATIONS.findIndex(({ name }) => name === "EventMarks"));
  const event = { type: "settings.changed", payload: {}, created_at: 1 };
  await insertRows(database, "events", [event]);

  await migrateTo(database, MIGRATIONS);
  await insertRows(database, "events", [event, event, event]);

  const rows = await database.query("select mark from events order by id");
  const [before, ...after] = rows.map(({ mark }) => mark);
  expect(before).toBeNull();
  expect(after).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
  expect(new Set(after).size).toBe(3);
});

describe("reminders", () => {
  const isActive = () => database.query("select is_active from reminder_settings");
  const before = MIGRATIONS.findIndex(({ name }) => name === "Reminders");

  it("are off after an upgrade, where nobody expects them", async () => {
    await migrateAnew(before);
    const user = { id: v7(), username: "root", password_hash: "", name: "", role: "super_admin" };
    await insertRows(database, "users", [{ ...user, is_active: true, created_at: 1 }]);

    await migrateTo(database, MIGRATIONS);

    expect(await isActive()).toEqual([{ is_active: false }]);
  });

  it("are on in a new installation", async () => {
    await migrateAnew(MIGRATIONS.length);

    expect(await isActive()).toEqual([{ is_active: true }]);
  });
});

itOnPostgresql("processes that start at once apply each migration once", async () => {
  await migrateAnew(0);

  await Promise.all(Array.from({ length: 3 }, () => migrateTo(database, MIGRATIONS)));

  const applied = await database.query("select name from schema_migrations order by id");
  expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
});

/** An assignment as version 11 stores it. */
async function insertHolding(
  database: TestDatabase,
  more: object = {},
  host: HostColumns = { name: "a" },
) {
  const [host_id] = await insertHosts({ database }, [host]);
  const person = { user_id: v7(), user_name: "", user_username: "", created_at: 1 };
  const by = {
    assigned_at: 1,
    assigned_expire_time: 2,
    assigned_by: person.user_id,
    assigned_by_name: "",
  };
  const assignment = { id: v7(), host_id, ...person, ...by, ...more };
  await insertRows(database, "assignments", [assignment]);
  return { assignment_id: assignment.id, host_id, ...person };
}

const REQUEST = { requested_duration: 30, host_name: "a", host_cpu: 1, host_memory: 1 };

/**
 * Requests of one assignment in the order of their names, which are those of the ids that it
 * returns.
 */
async function insertRequests(
  database: TestDatabase,
  holding: Awaited<ReturnType<typeof insertHolding>>,
  statuses: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const request = { ...REQUEST, processed_by: v7() };
  const names = new Map<string, string>();
  for (const [name, status] of Object.entries(statuses)) {
    const id = v7();
    names.set(id, name);
    await insertRows(database, "renewals", [{ id, status, ...request, ...holding }]);
  }
  return names;
}

/** What would make the schema that of the entities. */
async function missingStatements(
  orm: Awaited<ReturnType<typeof openProductOrm>>,
): Promise<string[]> {
  const statements = await orm.schema.getUpdateSchemaSQL({ wrap: false });
  return statements.split("\n").filter(Boolean);
}

async function signInAsRoot(url: string): Promise<RestClient> {
  const credentials = { username: "root", password: PASSWORD };
  const { data } = await assertOk(restClient(url).post("/api/auth/login", credentials));
  return restClient(url, data.token);
}

async function openProductOrm({ connection }: TestDatabase) {
  const orm = await openOrm({ connection, definition: DATABASE, log: silentLog });
  return {
    schema: orm.schema,
    getMetadata: () => orm.getMetadata(),
    [Symbol.asyncDispose]: () => closeOrm(orm),
  };
}

/**
 * Says which file to edit for a statement that would make the database what the entities describe.
 */
function nameEntityFile(statement: string): string {
  const [, table = ""] = /(?:table|index \S+ on) "(\w+)"/.exec(statement) ?? [];
  return `${entityFileOf(table)}, or a new migration: ${statement}`;
}

function entityFileOf(table: string): string {
  const files = globSync("src/server/**/entity.ts");
  return (
    files.find((file) => readFileSync(file, "utf8").includes(`tableName: "${table}"`)) ??
    "an entity.ts"
  );
}

async function definitionOf({ query }: Queryable, index: string): Promise<string> {
  const [row] = await query("select indexdef from pg_indexes where indexname = $1", [index]);
  return String(row?.indexdef).replace(` ${index} `, " ");
}

/** Changes a table that every replica reads. */
class AddColumn extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column added_later text");
  }
}

itOnPostgresql("a replica answers while a migration waits for a backup to end", async () => {
  await migrateAnew(MIGRATIONS.length);
  await using replica = await startApp(database.connection);
  const root = await signInAsRoot(replica.url);
  await using backup = await holdLock(database, "lock table hosts in access share mode");
  const migrations = [...MIGRATIONS, { name: "AddColumn", class: AddColumn }];

  const migrating = migrateTo(database, migrations);
  const statuses: number[] = [];
  for (const _attempt of ["first", "second"]) {
    await backup.awaited();
    statuses.push((await root.get("/api/hosts")).status);
  }
  await backup.release();
  await migrating;

  expect(statuses).toEqual([200, 200]);
  const applied = await database.query(
    "select name from schema_migrations order by id desc limit 1",
  );
  expect(applied).toEqual([{ name: "AddColumn" }]);
});

itOnPostgresql(
  "hosts can be read while the migration of tags and notes waits for users",
  async () => {
    await migrateAnew(MIGRATIONS.findIndex(({ name }) => name === "Annotations"));
    await using reader = await holdLock(database, "lock table users in access share mode");

    const migrating = migrateTo(database, MIGRATIONS);
    await reader.awaited();

    const read = reader.query("lock table hosts in access share mode nowait");
    await expect(read).resolves.toEqual([]);
    await reader.release();
    await migrating;
  },
);

class AddRemark extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column added_remark text");
  }
}

class Broken extends Migration {
  override up(): void {
    this.addSql("alter table hosts add column added_later text");
    this.addSql("select missing_function()");
  }
}

it("a migration that fails leaves those before it, and nothing of its own", async () => {
  await migrateAnew(MIGRATIONS.length);
  const migrations = [
    ...MIGRATIONS,
    { name: "AddRemark", class: AddRemark },
    { name: "Broken", class: Broken },
  ];

  await expect(migrateTo(database, migrations)).rejects.toThrow("missing_function");

  const columns = await database.query(
    `select column_name from information_schema.columns
     where table_name = 'hosts' and column_name in ('added_remark', 'added_later')`,
  );
  expect(columns).toEqual([{ column_name: "added_remark" }]);
});

/** What the withdrawn migrations made in place of the foreign key. */
async function makeWithdrawn({ query }: Queryable): Promise<void> {
  await query("alter table hosts drop constraint hosts_config_id_fkey");
  await query("create table hosts_version (id integer primary key, version uuid not null)");
  await query(
    "create function change_hosts_version() returns trigger language plpgsql as 'begin return null; end'",
  );
  await query(
    "create trigger hosts_updated after update on hosts execute function change_hosts_version()",
  );
}

async function insertEvent({ query }: Queryable, at: number): Promise<void> {
  await query("insert into events (type, payload, created_at) values ('removed.type', '{}', $1)", [
    at,
  ]);
}

async function insertConfig({ query }: Queryable): Promise<string> {
  const [config] = await query(
    `insert into configs (id, name, public_key, private_key_sealed, api_url, default_region, created_at)
     values (gen_random_uuid(), '主账号', 'key', '', 'https://api.example.com', 'cn-bj2', 1700000000) returning id`,
  );
  return String(config?.id);
}

async function configsOf({ query }: Queryable): Promise<unknown[]> {
  return (await query("select config_id from hosts order by id")).map(({ config_id }) => config_id);
}

async function migrateTo(
  { connection }: TestDatabase,
  migrations: DatabaseDefinition["migrations"],
): Promise<void> {
  await migrate({ connection, definition: { ...DATABASE, migrations }, log: silentLog });
}

/** Empties the database and applies the first migrations. */
async function migrateAnew(count: number): Promise<void> {
  // A server that was started on it has made the queue.
  await database.query("drop schema if exists public, pgboss cascade");
  await database.query("create schema public");
  await migrateTo(database, MIGRATIONS.slice(0, count));
}

function digestOf({ prototype }: (typeof MIGRATIONS)[number]["class"]): string {
  const statements: string[] = [];
  prototype.up.call({ addSql: (sql: string) => statements.push(sql.replaceAll(/\s+/g, " ")) });
  return createHash("sha256").update(statements.join(";")).digest("hex").slice(0, 16);
}
