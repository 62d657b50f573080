import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { writeHosts } from "../../src/server/modules/sync/write-hosts.ts";
import { inTransaction } from "../../src/server/platform/database/transaction.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { ProviderHost } from "../../src/server/provider/schemas.ts";
import type { HostHistoryEntry } from "../../src/shared/host-history.ts";
import type { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { type Account, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { type Team, twoAdmins, unassign } from "../harness/data.ts";
import { restoreSnapshot, type Snapshot, takeSnapshot } from "../harness/snapshot.ts";
import { within } from "../harness/time-limits.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
const RUNS = 5 * MORE_RUNS;
const SEED = process.env.PROPERTY_SEED;
const FOREVER = 1_000_000_000;
const UCLOUD_ID = "uhost-1";
const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });

/** What clients may never see of a host, while the addresses are hidden from them. */
const WITHHELD = [
  "providerStatus",
  "createTime",
  "expireTime",
  "autoRenew",
  "configId",
  "projectId",
  "ipSet",
] as const;
const CHANGES = ["created", "changed", "moved", "gone", "returned"] as const;

const who = fc.constantFrom("client", "otherClient");
/** Which of two super admins acts. */
const by = fc.constantFrom("root", "boss");
const remark = fc.constantFrom("合同", "延期", null);
const start = fc.constantFrom(-DAY_SECONDS, 0, 0, 3_600);
const answer = fc.record({
  Name: fc.constantFrom("一", "二"),
  CPU: fc.constantFrom(2, 4),
  State: fc.constantFrom("Running", "Stopped", "Install Fail", "Resize Fail"),
  ChargeType: fc.constantFrom("Month", "Year", "Dynamic"),
  AutoRenew: fc.constantFrom("Yes", "no", undefined),
  ExpireTime: fc.constantFrom(1_900_000_000, 1_950_000_000),
  IPSet: fc.constantFrom([{ Type: "Private", IP: "10.0.0.1" }], []),
});
const project = fc.constantFrom("org-1", "org-2");
const anyAction = fc.oneof(
  { weight: 4, arbitrary: fc.record({ call: fc.constant("assign"), who, by, start, remark }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant("unassign"), who, by }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("transfer"), who, by }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant("request"), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      call: fc.constant("decide"),
      by,
      remark,
      decision: fc.constantFrom<RenewalDecision>("approved", "rejected", "completed"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("withdraw"), who }) },
  { weight: 9, arbitrary: fc.record({ call: fc.constant("observe"), answer, project }) },
  { weight: 6, arbitrary: fc.record({ call: fc.constant("forward") }) },
);
type Action = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never;
const anySequence = fc.noBias(fc.array(anyAction, { minLength: 8, maxLength: 30, size: "max" }));

let team: Team;
let boss: Account;
let configId: string;

beforeEach(async () => {
  team = await twoAdmins(app);
  boss = await app.account("super_admin");
  configId = await app.config();
});

function person(by: "root" | "boss"): Account {
  return by === "root" ? app.root : boss;
}

function otherOf(who: "client" | "otherClient") {
  return who === "client" ? "otherClient" : "client";
}

async function observe(record: object, projectId: string): Promise<void> {
  const host = ProviderHost.parse({ UHostId: UCLOUD_ID, ...record });
  const partition = { region: "hk", projectId };
  const hosts = [{ host, partition, requestedAt: clock.now() }];
  await inTransaction({ em: app.orm.em, bus: createLocalBus() }, (em) =>
    writeHosts(em, { configId, runId: null, hosts, now: clock.now() }),
  );
}

/** Refused calls are part of a history, too: they leave nothing. */
async function act(action: Action, hostId: string): Promise<void> {
  switch (action.call) {
    case "assign": {
      const assignedAt = clock.now() + action.start;
      const times = { assignedAt, assignedExpireTime: assignedAt + 30 * DAY_SECONDS };
      const userId = team[action.who].id;
      const { remark } = action;
      await person(action.by).post("/api/hosts/assign", { hostId, userId, remark, ...times });
      return;
    }
    case "unassign":
      await unassign({ root: person(action.by) }, hostId, team[action.who].id);
      return;
    case "transfer": {
      const [from, to] = [action.who, otherOf(action.who)] as const;
      const users = { fromUserId: team[from].id, userId: team[to].id };
      const body = { operation: "transfer", hostIds: [hostId], ...users };
      await person(action.by).post("/api/hosts/batch", body);
      return;
    }
    case "request": {
      const body = { hostId, requestedDuration: 30, remark: "请续" };
      await team[action.who].post("/api/renewals", body);
      return;
    }
    case "decide": {
      const { data } = await app.root.get("/api/renewals?limit=1");
      if (data.requests.length === 0) return;
      const body = { status: action.decision, adminRemark: action.remark };
      await person(action.by).put(`/api/renewals/${data.requests[0].id}/process`, body);
      return;
    }
    case "withdraw": {
      const { data } = await team[action.who].get("/api/renewals?limit=1");
      if (data.requests.length === 0) return;
      await team[action.who].delete(`/api/renewals/${data.requests[0].id}`);
      return;
    }
    case "observe":
      await observe(action.answer, action.project);
      return;
    case "forward":
      clock.forward(1_800);
  }
}

async function read(account: Pick<Account, "get">, hostId: string): Promise<HostHistoryEntry[]> {
  const { status, data } = await account.get(`/api/hosts/${hostId}/history?limit=100`);
  return status === 404 ? [] : data.entries;
}

function isChange({ kind }: HostHistoryEntry): boolean {
  return CHANGES.some((each) => each === kind);
}

/** The client whom an act concerns, by name. */
function clientOf({ changes }: HostHistoryEntry): unknown {
  const change = changes.find(({ field }) => field === "user");
  return change?.to ?? change?.from;
}

/**
 * Whether the client had the host at this time, from the stored assignments. One that was entered
 * after its start has begun when it was entered.
 */
async function periodsOf(client: Account): Promise<(at: number) => boolean> {
  const rows = await app.database.query(
    `select greatest(assigned_at, created_at)::int as start, ended_at::int as end
     from assignments where user_id = $1`,
    [client.id],
  );
  return (at) =>
    rows.some(({ start, end }) => Number(start) <= at && (end === null || at <= Number(end)));
}

/** What a client may see of an entry; null for nothing. */
function expectedForClient(
  entry: HostHistoryEntry,
  name: string,
  hadHost: (at: number) => boolean,
): object | null {
  if (!isChange(entry)) {
    if (clientOf(entry) !== name) return null;
    const isDecision = entry.kind.startsWith("renewal_");
    return {
      ...entry,
      actor: entry.actor?.name === name ? entry.actor : null,
      remark: isDecision ? entry.remark : null,
    };
  }

  if (!hadHost(entry.at)) return null;
  const changes = entry.changes.filter(({ field }) => !WITHHELD.some((each) => each === field));
  const isEmpty = changes.length === 0 && (entry.kind === "changed" || entry.kind === "moved");
  const kind = entry.kind === "moved" ? "changed" : entry.kind;
  return isEmpty ? null : { ...entry, kind, changes, runId: null };
}

async function nameOf({ id }: Account): Promise<string> {
  return (await app.root.get(`/api/users/${id}`)).data.name;
}

/** The host that `observe` sees, in a database as it was before. */
async function startAnew(before: Snapshot): Promise<string> {
  await restoreSnapshot(app.database, before);
  await observe({ Name: "一" }, "org-1");
  const [host] = await app.database.query("select id from hosts");
  return String(host?.id);
}

async function check(property: fc.IAsyncProperty<[Action[]]>): Promise<void> {
  const seed = SEED === undefined ? {} : { seed: Number(SEED) };
  await fc.assert(property, { numRuns: RUNS, ...seed });
}

it(
  "nobody sees another client's entry, or a field that is withheld, in any history",
  async () => {
    await app.database.query("update users set name = username where role = 'client'");
    const before = await takeSnapshot(app.database);
    const names = {
      client: await nameOf(team.client),
      otherClient: await nameOf(team.otherClient),
    };

    const property = fc.asyncProperty(anySequence, async (actions) => {
      const hostId = await startAnew(before);
      for (const action of actions) await act(action, hostId);

      const all = await read(app.root, hostId);

      const pairs = [
        ["client", "admin"],
        ["otherClient", "otherAdmin"],
      ] as const;
      for (const [client, admin] of pairs) {
        const isVisible = (await team[client].get(`/api/hosts/${hostId}`)).status === 200;
        const isManaged = (await team[admin].get(`/api/hosts/${hostId}`)).status === 200;
        const hadHost = await periodsOf(team[client]);
        const begun = await begunAssignments(team[client], hostId);

        const ofAdmin = all.filter((entry) => isChange(entry) || clientOf(entry) === names[client]);
        const ofClient = all
          .filter(({ kind, id }) => !isAssignmentAct(kind) || begun.has(id))
          .flatMap((entry) => expectedForClient(entry, names[client], hadHost) ?? []);
        expect(await read(team[admin], hostId)).toEqual(isManaged ? ofAdmin : []);
        expect(await read(team[client], hostId)).toEqual(isVisible ? ofClient : []);
      }
    });
    await check(property);
  },
  within(60_000 * MORE_RUNS),
);

it(
  "what has happened puts entries before those that are there, and changes none of them",
  async () => {
    const before = await takeSnapshot(app.database);

    const property = fc.asyncProperty(anySequence, async (actions) => {
      const hostId = await startAnew(before);
      let known = await read(app.root, hostId);
      for (const action of actions) {
        await act(action, hostId);
        const entries = await read(app.root, hostId);

        expect(entries.slice(entries.length - known.length), action.call).toEqual(known);
        known = entries;
      }
    });
    await check(property);
  },
  within(60_000 * MORE_RUNS),
);

function isAssignmentAct(kind: string): boolean {
  return kind === "assigned" || kind === "unassigned" || kind === "assignment_changed";
}

/** The ids of the acts on assignments that have begun, or had begun when they ended. */
async function begunAssignments(client: Account, hostId: string): Promise<ReadonlySet<string>> {
  const rows = await app.database.query(
    `select act.id
     from host_acts act
     join assignments a on a.id = act.assignment_id
     where a.user_id = $1 and a.host_id = $2 and a.assigned_at <= coalesce(a.ended_at, $3)`,
    [client.id, hostId, clock.now()],
  );
  return new Set(rows.map(({ id }) => String(id)));
}
