import type { Installation } from "./installation.ts";

export const LARGE = { hosts: 100_000, users: 2_000, admins: 20, renewals: 1_000_000 } as const;

type Database = Pick<Installation["database"], "query">;

/**
 * Fills a migrated database that has one configuration and one super admin with three years of
 * work: 100,000 hosts, of which 1 % are gone and 1 % are held; 2,000 users, each with a session
 * whose token is `token-<username>`; 195,000 assignments, of which 95,000 are current; 1,000,000
 * renewals, of which about 2,000 are open. Sets of rows, so that it takes about a minute.
 */
export async function fillDatabase(database: Database): Promise<void> {
  for (const statement of STATEMENTS) await database.query(statement);
}

const START = 1_700_000_000;
const THREE_YEARS = 95_000_000;

const STATEMENTS = [
  // Ids rise with time, as those of the server do.
  `create function bench_id(seconds bigint) returns uuid language sql volatile as $$
     select (lpad(to_hex(seconds * 1000), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
       || 'a' || substr(md5(random()::text), 1, 15))::uuid
   $$`,
  `insert into users (id, username, password_hash, name, role, created_at)
   select bench_id(${START} + n), 'admin_' || n, '', '管理员' || n, 'admin', ${START}
   from generate_series(1, ${LARGE.admins}) n`,
  `insert into users (id, username, password_hash, name, role, created_at, admin_id)
   select bench_id(${START} + 100 + n), (array['zhang', 'li', 'wang', 'chen', 'kehu'])[1 + n % 5] || '_' || n, '',
     (array['张', '李', '王', '陈', '赵'])[1 + n % 5] || '客户' || n, 'client', ${START},
     (select a.id from users a where a.username = 'admin_' || (1 + n % ${LARGE.admins}))
   from generate_series(1, ${LARGE.users - LARGE.admins}) n`,
  `insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
   select gen_random_uuid(), sha256(convert_to('token-' || username, 'UTF8')), id, now.at, now.at, now.at + 36000, '', ''
   from users, (select extract(epoch from now())::bigint as at) now where role <> 'super_admin'`,
  `insert into hosts (id, ucloud_id, config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type,
     status, provider_status, charge_type, create_time, expire_time, ip_set, changed_at, gone_at, missing_since, held_reason)
   select bench_id(${START} + n), 'uhost-' || substr(md5(n::text), 1, 11), (select id from configs), 'org-' || n % 3,
     regions.names[1 + n % 8], regions.names[1 + n % 8] || '-0' || 1 + n / 8 % 3,
     (array['网站', 'web', '数据库', 'db', 'Api', '运维', '风控', 'cache', '阿里', '支付'])[1 + n % 10]
       || (array['-prod-', '-test-', '-生产-', '_'])[1 + n / 10 % 4] || n::bigint * 7919 % 100000,
     (array[1, 2, 4, 8, 16])[1 + n % 5], (array[1, 2, 4, 8, 16])[1 + n % 5] * 2048, 20 + n % 10 * 40,
     'CentOS 7.9 64位', 'Linux', (array['Running', 'Running', 'Running', 'Stopped', 'Rebooting'])[1 + n % 5], 'Running',
     (array['Month', 'Month', 'Year', 'Dynamic'])[1 + n % 4], ${START} + n * 300,
     case when n % 4 < 3 then now.at - 5000000 + n::bigint * 7919 % 100000 * 500 end,
     jsonb_build_array(
       jsonb_build_object('Type', 'Private', 'IP', concat_ws('.', 10, n / 65536, n / 256 % 256, n % 256)),
       jsonb_build_object('Type', 'Bgp', 'IP', concat_ws('.', 106, n / 65536, n / 256 % 256, n % 256))),
     now.at, case when n % 100 = 0 then now.at - n end, case when n % 100 = 1 then now.at - n end,
     case when n % 100 = 1 then 'mass-removal' end
   from generate_series(1, ${LARGE.hosts}) n, (select extract(epoch from now())::bigint as at) now,
     (select array['cn-bj2', 'cn-sh2', 'cn-gd', 'hk', 'sg', 'us-ca', 'cn-wlcb', 'jpn-tky'] as names) regions`,
  // The first 100,000 have ended; of the later ones each is of another host.
  `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
     assigned_by, assigned_by_name, created_at, ended_at)
   select bench_id(${START} + n * 400), h.id, u.id, u.name, u.username, ${START} + n * 400,
     now.at - 2000000 + n::bigint * 7919 % 200000 * 200 + n % 89,
     u.id, '', ${START} + n * 400, case when n <= 100000 then ${START} + n * 400 + 8640000 end
   from (select n, 1 + n::bigint * 7919 % ${LARGE.hosts} as host_number,
       1 + n::bigint * 104729 % ${LARGE.users - LARGE.admins} as client_number from generate_series(1, 195000) n) s
   join (select id, row_number() over (order by id) as host_number from hosts) h using (host_number)
   join (select *, row_number() over (order by id) as client_number from users where role = 'client') u
     using (client_number)
   cross join (select extract(epoch from now())::bigint as at) now`,
  // The open ones are of the last days and of different assignments.
  `insert into renewals (id, assignment_id, host_id, user_id, user_name, user_username, host_name, host_cpu, host_memory,
     host_expire_time, requested_duration, status, remark, admin_remark, created_at, processed_at, processed_by,
     processed_by_name)
   select bench_id(${START} + n * ${THREE_YEARS / LARGE.renewals}), a.id, a.host_id, a.user_id, a.user_name,
     a.user_username, h.name, h.cpu, h.memory, h.expire_time, 30,
     case when n > ${LARGE.renewals - 4_000} and n % 2 = 0 then (array['pending', 'approved'])[1 + n / 2 % 2]
       else (array['rejected', 'cancelled', 'completed'])[least(3, 1 + n % 10)] end,
     case when n % 3 = 0 then '请续费' end, case when n % 7 = 0 then '已到账' end,
     ${START} + n * ${THREE_YEARS / LARGE.renewals}, ${START} + n * ${THREE_YEARS / LARGE.renewals} + 3600, a.user_id, ''
   from (select n, 1 + n::bigint * 104729 % 195000 as number from generate_series(1, ${LARGE.renewals}) n) s
   join (select *, row_number() over (order by id) as number from assignments) a using (number)
   join hosts h on h.id = a.host_id
   order by n`,
  "drop function bench_id",
  "vacuum analyze",
];
