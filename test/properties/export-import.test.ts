import fc from "fast-check";
import { v7 } from "uuid";
import { beforeEach, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock, START } from "../harness/clocks.ts";
import { readCsv } from "../harness/csv.ts";
import { insertHosts, type Team, twoAdmins } from "../harness/data.ts";
import { insertRows } from "../harness/database.ts";
import { importFile, type SentImport } from "../harness/imports.ts";
import { assertOk } from "../harness/rest.ts";
import { restoreSnapshot, takeSnapshot, WITHOUT_AUDIT } from "../harness/snapshot.ts";
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

const NAMES = ["张三", "=1+1", "'=1", "''-", "'甲", '乙"丙,', "丁；戊", "－己", "庚; 辛"];

const anyPerson = fc.record({
  name: fc.constantFrom(...NAMES),
  role: fc.constantFrom("client", "admin"),
  isActive: fc.boolean(),
  hasAdmin: fc.boolean(),
  email: fc.option(fc.constantFrom("a@example.com", "=b@example.com", "+c@example.com")),
  phone: fc.option(fc.constantFrom("13800000001", "19900000002")),
});
const anyAssignment = fc.record({
  host: fc.nat(2),
  holder: fc.constantFrom<"client" | "otherClient">("client", "otherClient"),
  end: fc.integer({ min: -DAY_SECONDS, max: 400 * DAY_SECONDS }),
});
const anyWorld = fc.record({
  people: fc.array(anyPerson, { minLength: 1, maxLength: 6 }),
  assignments: fc.uniqueArray(anyAssignment, {
    minLength: 1,
    maxLength: 5,
    selector: ({ host, holder }) => `${host} ${holder}`,
  }),
});
type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

async function build({ people, assignments }: World): Promise<void> {
  const users = people.map(({ name, role, isActive, hasAdmin, email, phone }, index) => ({
    id: v7(),
    username: `Person_${index}`,
    password_hash: "x",
    name,
    role,
    is_active: isActive,
    admin_id: role === "client" && hasAdmin ? team.admin.id : null,
    email,
    phone,
    created_at: START - index,
    note: `备注${index}`,
  }));
  await insertRows(app.database, "users", users);

  const hostIds = await insertHosts(app, [{ name: "=甲" }, { name: "乙" }, { name: "乙" }]);
  const rows = assignments.map(({ host, holder, end }, index) => ({
    id: v7(),
    host_id: hostIds[host],
    user_id: team[holder].id,
    user_name: "当时的姓名",
    user_username: team[holder].username,
    assigned_at: START - 2 * DAY_SECONDS,
    assigned_expire_time: START + end,
    assigned_by: app.root.id,
    assigned_by_name: "系统管理员",
    remark: `合同${index}`,
    created_at: START - 2 * DAY_SECONDS,
  }));
  await insertRows(app.database, "assignments", rows);
}

/** One row for each host and user of an export of hosts. */
function assignmentsIn(hosts: string): string[][] {
  const rows = readCsv(hosts).flatMap((host) => {
    const usernames = [...(host.分配用户 ?? "").matchAll(/（(\w+)）/g)].map(
      ([, name = ""]) => name,
    );
    const ends = (host.用户到期 ?? "").split("; ");
    return usernames.map((username, at) => [host["资源 ID"] ?? "", username, ends[at] ?? ""]);
  });
  return [["主机", "用户名", "到期"], ...rows];
}

async function expectNoChange(sent: SentImport): Promise<void> {
  const before = await takeSnapshot(app.database, WITHOUT_AUDIT);
  const entries = await countEntries();

  const { rows, summary } = await importFile(app.root, sent);

  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ action, ok }) => action !== "skip" || !ok)).toEqual([]);
  expect(summary).toEqual({ create: 0, update: 0, skip: rows.length, failed: 0 });

  expect(await takeSnapshot(app.database, WITHOUT_AUDIT)).toEqual(before);
  expect((await countEntries()) - entries).toBe(1);
}

async function countEntries(): Promise<number> {
  const [found] = await app.database.query("select count(*)::int as count from audit_entries");
  return Number(found?.count);
}

it(
  "what was exported and is imported again changes nothing, and is recorded as an import alone",
  async () => {
    const empty = await takeSnapshot(app.database);

    const property = fc.asyncProperty(anyWorld, async (world) => {
      await restoreSnapshot(app.database, empty);
      await build(world);

      const users = await assertOk(app.root.get("/api/users/export"));
      await expectNoChange({ kind: "users", file: String(users.body) });

      const hosts = await assertOk(app.root.get("/api/hosts/export?assigned=true"));
      await expectNoChange({ kind: "assignments", file: assignmentsIn(String(hosts.body)) });
    });

    const seed = SEED === undefined ? {} : { seed: Number(SEED) };
    await fc.assert(property, { numRuns: RUNS, ...seed });
  },
  within(60_000 * MORE_RUNS),
);
