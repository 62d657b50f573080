import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { insertHosts, type Team, twoAdmins } from "../harness/data.ts";
import { inboxOf } from "../harness/inbox.ts";
import { restoreSnapshot, takeSnapshot } from "../harness/snapshot.ts";
import { within } from "../harness/time-limits.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
const RUNS = 3 * MORE_RUNS;
const SEED = process.env.PROPERTY_SEED;
const FOREVER = 1_000_000_000;
const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });

const who = fc.constantFrom("client", "otherClient");
const hosts = fc.subarray([0, 1, 2], { minLength: 1 });
const start = fc.constantFrom(-DAY_SECONDS, 0, 0, 3_600);
const decision = fc.constantFrom<RenewalDecision>("approved", "rejected", "completed");
const anyAction = fc.oneof(
  { weight: 6, arbitrary: fc.record({ call: fc.constant("assign"), who, hosts, start }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant("unassign"), who, hosts }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant("transfer"), who, hosts }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant("request"), who, hosts }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant("decide"), decision }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("move"), who }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("forward") }) },
);
type Action = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;
const anySequence = fc.noBias(fc.array(anyAction, { minLength: 8, maxLength: 20, size: "max" }));

let team: Team;
let hostIds: readonly string[];

beforeEach(async () => {
  team = await twoAdmins(app);
  hostIds = await insertHosts(app, [{ name: "甲" }, { name: "乙" }, { name: "丙" }]);
});

function idsOf(indices: readonly number[]): string[] {
  return indices.map((index) => hostIds[index] ?? "");
}

/** Refused calls are part of it, too: they tell nobody anything. */
async function act(action: Action): Promise<void> {
  switch (action.call) {
    case "assign": {
      const assignedAt = clock.now() + action.start;
      const times = { assignedAt, assignedExpireTime: assignedAt + 30 * DAY_SECONDS };
      const body = { hostIds: idsOf(action.hosts), userId: team[action.who].id, ...times };
      await app.root.post("/api/hosts/batch", { operation: "assign", ...body });
      return;
    }
    case "unassign": {
      const body = { hostIds: idsOf(action.hosts), userId: team[action.who].id };
      await app.root.post("/api/hosts/batch", { operation: "unassign", ...body });
      return;
    }
    case "transfer": {
      const to = action.who === "client" ? team.otherClient : team.client;
      const users = { fromUserId: team[action.who].id, userId: to.id };
      const body = { operation: "transfer", hostIds: idsOf(action.hosts), ...users };
      await app.root.post("/api/hosts/batch", body);
      return;
    }
    case "request": {
      const body = { hostIds: idsOf(action.hosts), requestedDuration: 30 };
      await team[action.who].post("/api/renewals/batch", body);
      return;
    }
    case "decide": {
      const { data } = await app.root.get("/api/renewals?limit=2");
      const ids = data.requests.map(({ id }: { readonly id: string }) => id);
      const body = { ids, status: action.decision, adminRemark: "已核对" };
      await app.root.put("/api/renewals/batch", body);
      return;
    }
    case "move": {
      const { data } = await app.root.get(`/api/users/${team[action.who].id}`);
      const other = data.adminId === team.admin.id ? team.otherAdmin : team.admin;
      await app.root.put(`/api/users/${team[action.who].id}`, { adminId: other.id });
      return;
    }
    case "forward":
      clock.forward(1_800);
  }
}

/** Everybody has the notices of everybody: what a reader sees depends on the reader alone. */
async function copyNoticesToAll(): Promise<void> {
  await app.database.query(
    `insert into notices
       (id, user_id, batch_id, type, severity, title, message, link, subjects, created_at)
     select gen_random_uuid(), u.id, gen_random_uuid(),
       type, severity, title, message, link, subjects, n.created_at
     from notices n cross join users u
     where u.id <> n.user_id`,
  );
}

async function listedHosts(reader: Account): Promise<ReadonlyMap<string, string>> {
  const { data } = await reader.get("/api/hosts?limit=100");
  return new Map(data.hosts.map(({ id, name }: { id: string; name: string }) => [id, name]));
}

it(
  "whatever happened, a notice names hosts that its reader's list has, and none in its text",
  async () => {
    const before = await takeSnapshot(app.database);

    const property = fc.asyncProperty(anySequence, async (actions) => {
      clock.rewind();
      await restoreSnapshot(app.database, before);
      for (const action of actions) await act(action);
      await copyNoticesToAll();

      for (const reader of [...Object.values(team), app.root]) {
        const listed = await listedHosts(reader);
        const { notices } = await inboxOf(reader);
        const items = notices.flatMap((notice) => notice.items);
        const hidden = items.filter(({ hostId, hostName }) => listed.get(hostId) !== hostName);
        expect(hidden).toEqual([]);

        const texts = notices.map(({ title, message }) => `${title} ${message}`).join(" ");
        expect(texts).not.toMatch(/甲|乙|丙|uhost-/);
      }
    });
    const seed = SEED === undefined ? {} : { seed: Number(SEED) };
    await fc.assert(property, { numRuns: RUNS, ...seed });
  },
  within(60_000 * MORE_RUNS),
);
