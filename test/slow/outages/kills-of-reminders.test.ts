import { setTimeout as sleep } from "node:timers/promises";
import { v7 as newId } from "uuid";
import { type ExpectStatic, test } from "vitest";
import { z } from "zod";
import { DUE_DELIVERIES_JOB } from "../../../src/server/modules/deliveries/due-deliveries-job.ts";
import { REMINDERS_JOB } from "../../../src/server/modules/reminders/reminders-job.ts";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { buildHost } from "../../harness/data.ts";
import { insertRows } from "../../harness/database.ts";
import type { ServerProgram } from "../../harness/programs.ts";
import { type Receiver, startReceiver } from "../../harness/receiver.ts";
import { buildReminderSettings } from "../../harness/reminders.ts";
import { assertOk } from "../../harness/rest.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import { openServerFixture, type ServerFixture, signIn } from "../../harness/server-fixture.ts";
import { within } from "../../harness/time-limits.ts";

// Days pass by moving everything that is stored a day back. On each of them, before the first look,
// no replica has reminded anybody of it; then one is killed while it does.

const KILLS = rounds(100, 1);
/** On which nobody is killed: with these the long form has 400 days. */
const QUIET_DAYS = rounds(3, 0);
const HOSTS = 500;
const CLIENTS = 50;
const ADMINS = 5;
/** Every end has a mark on four days, and one after it. */
const MARKS = [3, 2, 1, 0];
const Message = z.object({ type: z.string() });
const POLL = { timeout: within(60_000), interval: 100 };

test.for(DATABASES)(
  "replicas on $name that are killed while they remind tell each mark once to each recipient",
  { timeout: ROUNDS_LIMIT },
  async ({ server }, { expect }) => {
    await using receiver = await startReceiver();
    await using fixture = await openServerFixture({ server, hosts: 5 });
    const start = () => fixture.start({ OUTBOUND_ALLOWED: receiver.origin });
    const replicas = [await start()];
    // The embedded database has one process.
    if (server !== null) replicas.push(await start());
    await prepare(fixture, replicas[0]?.url ?? "", receiver);

    for (let kill = 0; kill < KILLS; kill++) {
      await passDay(fixture);
      await sendJobs(fixture, replicas);
      await untilUnderWay(fixture, expect);
      await sleep(Math.random() * 300);
      const killed = kill % replicas.length;
      await replicas[killed]?.kill("SIGKILL");
      replicas[killed] = await start();
      await expectDay(fixture, replicas, expect);
      await expectArrivals(fixture, receiver, expect);

      for (let day = 0; day < QUIET_DAYS; day++) {
        await passDay(fixture);
        await expectDay(fixture, replicas, expect);
        await expectArrivals(fixture, receiver, expect);
      }
    }
  },
);

/**
 * Clients with ten hosts each, of which all end within some days, the rules switched on, and a
 * channel to the receiver.
 */
async function prepare(
  { storage }: ServerFixture,
  url: string,
  { origin }: Receiver,
): Promise<void> {
  const [root] = await storage.query("select id, name, password_hash from users");
  const buildUser = (role: string, index: number, adminId: string | null) => ({
    id: newId(),
    username: `${role}_${index}`,
    password_hash: root?.password_hash,
    name: `${role}-${index}`,
    role,
    is_active: true,
    admin_id: adminId,
    must_change_password: false,
    created_at: 1,
  });
  const admins = Array.from({ length: ADMINS }, (_, n) => buildUser("admin", n, null));
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    buildUser("client", n, admins[n % ADMINS]?.id ?? null),
  );
  const hosts = Array.from({ length: HOSTS }, () => buildHost({ expire_time: null }));
  await insertRows(storage, "users", [...admins, ...clients]);
  await insertRows(storage, "hosts", hosts);
  await insertRows(
    storage,
    "assignments",
    hosts.map(({ id }, n) => ({
      id: newId(),
      host_id: id,
      user_id: clients[n % CLIENTS]?.id,
      user_name: "客户",
      user_username: "kehu",
      assigned_at: 1,
      assigned_expire_time: endIn(Math.random() * 5),
      assigned_by: root?.id,
      assigned_by_name: root?.name,
      created_at: 1,
    })),
  );

  const api = await signIn(url);
  const settings = buildReminderSettings({
    assignmentMarks: MARKS,
    hostMarks: [],
    sendAt: "00:00",
  });
  await assertOk(api.put("/api/reminder-settings", settings));
  const config = { url: `${origin}/hook`, secret: `whsec_${"A".repeat(32)}` };
  const types = ["assignment.expiring", "assignment.expired"];
  await assertOk(
    api.post("/api/notice-channels", { name: "工单系统", type: "webhook", config, types }),
  );
}

function endIn(days: number): number {
  return Math.floor(Date.now() / 1000 + days * DAY_SECONDS);
}

/** Ends that have passed by two days are moved ahead, as a renewal does. */
async function passDay({ storage }: ServerFixture): Promise<void> {
  await storage.query(
    `with told as (
       update reminder_hosts set expire_time = expire_time - $1, day = day - 1
     ), sent as (
       update reminders set batch_id = gen_random_uuid()
     ), earlier as (
       update notices set batch_id = gen_random_uuid()
     ), moved as (
       update assignments set assigned_expire_time = assigned_expire_time - $1
         + case when assigned_expire_time < extract(epoch from now()) - 2 * $1 then 7 * $1 else 0 end
     )
     update reminder_settings
     set covered_day = floor((extract(epoch from now()) + 28800) / 86400) - 1`,
    [DAY_SECONDS],
  );
}

/** As the queue sends it each minute, and again for each replica. */
async function sendJobs(fixture: ServerFixture, replicas: readonly unknown[]): Promise<void> {
  for (const _ of replicas) await sendJob(fixture, REMINDERS_JOB);
}

async function sendJob({ storage }: ServerFixture, name: string): Promise<void> {
  await storage.query("insert into pgboss.job (name, data) values ($1, '{}')", [name]);
}

/** Some of the messages are there, or at least the job has begun. */
async function untilUnderWay({ storage }: ServerFixture, expect: ExpectStatic): Promise<void> {
  const begun = () =>
    storage.query(
      `select from pgboss.job
       where name = $1 and state > 'retry' and created_on > now() - interval '1 minute'`,
      [REMINDERS_JOB],
    );
  await expect.poll(async () => (await begun()).length, POLL).toBeGreaterThan(0);
}

/** What the ledger is to have of today, by the ends alone. */
const EXPECTED = `
  with ends as (
    select a.id, a.assigned_expire_time as at, c.id as client_id, c.admin_id,
      floor((a.assigned_expire_time + 28800) / 86400.0)
        - floor((extract(epoch from now()) + 28800) / 86400) as mark
    from assignments a join users c on c.id = a.user_id
  )
  select r.id as recipient, e.id as assignment, e.at::int, e.mark::int
  from ends e
  join users r on r.id in (e.client_id, e.admin_id) or r.role = 'super_admin'
  where e.mark between -1 and 3
  order by 1, 2`;
const TOLD_TODAY = `
  select recipient_id as recipient, assignment_id as assignment, expire_time::int as at, mark
  from reminder_hosts
  where day = floor((extract(epoch from now()) + 28800) / 86400)
  order by 1, 2`;

/** The day is looked at to its end, and has one message a recipient and type, in the inbox too. */
async function expectDay(
  fixture: ServerFixture,
  replicas: readonly ServerProgram[],
  expect: ExpectStatic,
): Promise<void> {
  const { storage } = fixture;
  await sendJobs(fixture, replicas);
  const isCovered = () =>
    storage.query(
      `select from reminder_settings
       where covered_day = floor((extract(epoch from now()) + 28800) / 86400)`,
    );
  await expect.poll(async () => (await isCovered()).length, POLL).toBe(1);

  expect(await storage.query(TOLD_TODAY)).toEqual(await storage.query(EXPECTED));
  const messages = await storage.query(
    `select r.recipient_id, r.type, count(*)::int as messages, count(n.id)::int as notices
     from reminders r left join notices n on n.id = r.notice_id
     where r.id in (
       select reminder_id from reminder_hosts
       where day = floor((extract(epoch from now()) + 28800) / 86400)
     )
     group by 1, 2 having count(*) <> 1 or count(n.id) <> 1`,
  );
  expect(messages).toEqual([]);
  expect(await storage.query("select from reminders where host_count = 0")).toEqual([]);
}

/**
 * Each type of the day has arrived as one message, of which a repetition has the same id. Then all
 * of it is forgotten.
 */
async function expectArrivals(
  fixture: ServerFixture,
  receiver: Receiver,
  expect: ExpectStatic,
): Promise<void> {
  const { storage } = fixture;
  // The waits of the batch, and of what the killed replica had under way, pass.
  await storage.query("update notice_deliveries set next_attempt_at = 1 where status = 'queued'");
  await sendJob(fixture, DUE_DELIVERIES_JOB);
  const statuses = async () => {
    const rows = await storage.query("select distinct status from notice_deliveries");
    return rows.map(({ status }) => status);
  };
  await expect.poll(statuses, POLL).toEqual(["sent"]);

  const told = await storage.query(
    `select distinct type from reminders
     where id in (
       select reminder_id from reminder_hosts
       where day = floor((extract(epoch from now()) + 28800) / 86400)
     )
     order by type`,
  );
  const arrived = new Map(
    receiver.calls.map(({ headers, body }) => [headers["webhook-id"], typeOf(body)]),
  );
  expect([...arrived.values()].toSorted()).toEqual(told.map(({ type }) => type));

  await storage.query("delete from notice_deliveries");
  receiver.reset();
}

function typeOf(body: string): string {
  return Message.parse(JSON.parse(body)).type;
}
