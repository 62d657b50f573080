import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, percentile } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";

/** `ENTRIES=1000000` measures fewer of them. */
const ENTRIES = Number(process.env.ENTRIES ?? 5_000_000);
const SOME_USER = 7;
const CALLS = 20;
const BAR_MS = 100;
const INSERTS = 2_000;
const INSERT_BAR = 500;

/** Each with what it is narrowed to. The last ones find few entries or none. */
const PAGES: readonly (readonly [name: string, query: string, bar?: number])[] = [
  ["all", "", BAR_MS],
  ["page 400", "page=400", BAR_MS],
  ["one person", "actorId=$user", BAR_MS],
  ["one host", "subjectId=$host", BAR_MS],
  ["one action", "action=renewals.process", BAR_MS],
  ["one router", "action=hosts", BAR_MS],
  ["a rare router", "action=settings", BAR_MS],
  ["failures", "outcome=failed", BAR_MS],
  ["a day", "from=$from&to=$to", BAR_MS],
  ["users as subjects", "subjectType=user", BAR_MS],
  ["a search of a day", "search=web-1&from=$from&to=$to", BAR_MS],
  ["a search that finds many", "search=web-1"],
  ["a search that finds nothing", "search=nothing-is-named-so"],
];

/** Pages of five million entries of 400 days, and what an entry costs an act. */
export async function audit(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, 1, 0);
  const values = await addEntries(installation.database);

  const figures: Figure[] = [];
  for (const [name, template, bar] of PAGES) {
    const query = template.replace(/\$(\w+)/g, (_, key: string) => values.get(key) ?? "");
    const p95 = await measure(installation, `/api/audit?${query}`);
    const title = `p95 of the audit log, ${name}`;
    figures.push(figure(title, p95, "ms", bar === undefined ? {} : { bar }));
  }

  const activity = await measure(installation, "/api/auth/activity");
  const insert = await measureInserts(installation.database);
  return [
    ...figures,
    figure("p95 of the own activity", activity, "ms", { bar: BAR_MS }),
    figure("insert of an entry, with its indexes", insert, "µs", { bar: INSERT_BAR }),
  ];
}

/** Of 2,000 people and 100,000 hosts; one entry in 20 is of a failure, one in 100,000 of a setting. */
async function addEntries(
  database: Installation["database"],
): Promise<ReadonlyMap<string, string>> {
  await database.query(
    `insert into audit_entries (id, at, actor_type, actor_id, actor_name, action, subject_type,
       subject_id, subject_label, outcome, ip, user_agent, request_id, changes)
     select gen_random_uuid(), now.at - 400 * 86400 + n * (400 * 86400.0 / $1::bigint),
       'user', md5('user' || n % 2000)::uuid, '用户' || n % 2000,
       case
         when n % 100000 = 0 then 'settings.update'
         else (array['hosts.assign', 'hosts.unassign', 'renewals.create', 'renewals.process',
           'auth.login', 'auth.logout', 'job.sync-run', 'users.update'])[1 + n % 8]
       end,
       case when n % 8 in (4, 5, 7) then 'user' else 'host' end,
       md5('host' || n % 100000)::uuid, 'web-' || n % 100000,
       case when n % 20 = 1 then 'failed' else 'ok' end,
       concat_ws('.', 10, 0, n % 256, n % 199), 'Mozilla/5.0 (X11; Linux x86_64)',
       gen_random_uuid()::text,
       '[{"field":"user","from":null,"to":"张三"},{"field":"assignedExpireTime","from":1,"to":2}]'
     from generate_series(1, $1::bigint) n,
       (select extract(epoch from now())::bigint as at) now`,
    [ENTRIES],
  );
  await database.query("vacuum analyze audit_entries");
  // Else what was written now is flushed while reads are measured.
  await database.query("checkpoint");

  const [row] = await database.query(
    `select md5('user' || $1::int)::uuid as user, md5('host' || $1::int)::uuid as host,
       extract(epoch from now())::bigint - 100 * 86400 as from,
       extract(epoch from now())::bigint - 99 * 86400 as to`,
    [SOME_USER],
  );
  return new Map(Object.entries(row ?? {}).map(([name, value]) => [name, String(value)]));
}

async function measure({ url, token }: Installation, path: string): Promise<number> {
  const times: number[] = [];
  while (times.length < CALLS) {
    const startedAt = performance.now();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.95);
}

/** In one transaction, so that no commit is counted. Microseconds. */
async function measureInserts(database: Installation["database"]): Promise<number> {
  const startedAt = performance.now();
  await database.query(`
    do $$
    begin
      for n in 1 .. ${INSERTS} loop
        insert into audit_entries (id, at, actor_type, actor_id, actor_name, action, subject_type,
          subject_id, subject_label, outcome, ip, request_id)
        values (gen_random_uuid(), extract(epoch from now())::bigint, 'user',
          md5('user' || n)::uuid, '张三', 'hosts.assign', 'host', md5('host' || n)::uuid, 'web-1',
          'ok', '10.0.0.1', gen_random_uuid()::text);
      end loop;
    end
    $$`);
  return ((performance.now() - startedAt) * 1_000) / INSERTS;
}
