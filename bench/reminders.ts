import { setTimeout as sleep } from "node:timers/promises";
import { REMINDERS_JOB } from "../src/server/modules/reminders/reminders-job.ts";
import { DAY_SECONDS } from "../src/shared/time.ts";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure } from "./harness/figure.ts";
import { addUsers, type Installation, startInstallation } from "./harness/installation.ts";
import { load, pageRequests } from "./harness/load.ts";

const ENDS = 10_000;
const CLIENTS = 1_000;
/** Lists a second meanwhile. */
const RATE = 20;
const LIMIT_MS = 120_000;
const POLL_MS = 50;

/** How long does a day take on which 10,000 assignments have a mark, and how fast are lists then? */
export async function reminders(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, ENDS, 0);
  await installation.sync();
  await addUsers(installation, CLIENTS, "client");
  await assignAll(installation);

  await installation.api.reminders.updateSettings.mutate({
    isActive: true,
    assignmentMarks: [3],
    hostMarks: [],
    sendAt: "00:00",
    recipients: { client: true, admin: true, superAdmin: true },
  });
  const ended = new AbortController();
  const loading = load(installation.url, pageRequests(installation.token), ended.signal, RATE);
  const seconds = await timeDay(installation).finally(() => ended.abort());
  const { p95 } = await loading;

  return [
    figure(`reminders of ${ENDS} ends to ${CLIENTS} clients and a super admin`, seconds, "s", {
      bar: 30,
    }),
    figure("p95 of lists meanwhile", p95, "ms", { bar: 100 }),
  ];
}

/** Ten hosts to each client, all until the same day. */
async function assignAll({ database }: Installation): Promise<void> {
  await database.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at,
       assigned_expire_time, assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), h.id, u.id, u.name, u.username, 1,
       extract(epoch from now())::bigint + $2::bigint, u.id, '', 1
     from (select id, row_number() over (order by id) as n from hosts) h
     join users u on u.username = 'user' || 1 + h.n % $1::int`,
    [CLIENTS, 3 * DAY_SECONDS],
  );
}

/** With the seconds until a worker takes the job. */
async function timeDay({ database }: Installation): Promise<number> {
  const startedAt = performance.now();
  await database.query("insert into pgboss.job (name, data) values ($1, '{}')", [REMINDERS_JOB]);
  await until(() =>
    database.query(
      `select from reminder_settings
       where covered_day = floor((extract(epoch from now()) + 28800) / 86400)`,
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;

  const [told] = await database.query(
    "select count(*)::int as ends from reminder_hosts where assignment_id is not null",
  );
  if (told?.ends !== 2 * ENDS) throw new Error(`the ledger has ${told?.ends} ends`);
  return seconds;
}

async function until(find: () => Promise<readonly unknown[]>): Promise<void> {
  for (const deadline = performance.now() + LIMIT_MS; performance.now() < deadline; ) {
    if ((await find()).length > 0) return;
    await sleep(POLL_MS);
  }
  throw new Error("the day of reminders did not come to its end");
}
