import { addUsers, type Installation } from "./installation.ts";

const CLIENTS = 10;

/**
 * So many hosts more, which the provider does not know, in the partitions of the 60 that were
 * synced; one in ten is assigned.
 */
export async function addVanishedHosts(installation: Installation, count: number): Promise<void> {
  const { database } = installation;
  await database.query(
    `insert into hosts (id, ucloud_id, config_id, project_id, region, zone, name, cpu, memory, disk, os_name, os_type,
       status, provider_status, charge_type, create_time, expire_time, ip_set, changed_at)
     select gen_random_uuid(), 'uhost-bench' || n, config_id, project_id, region, zone, 'web-' || n, cpu, memory, disk,
       os_name, os_type, status, provider_status, charge_type, create_time, expire_time, ip_set, changed_at - 3600
     from (select *, row_number() over (order by id) - 1 as position from hosts) h
     join generate_series(1, $1::int) n on n % 60 = position`,
    [count],
  );
  await addUsers(installation, CLIENTS, "client");
  await database.query(
    `insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
       assigned_by, assigned_by_name, created_at)
     select gen_random_uuid(), h.id, u.id, u.name, u.username, 1700000000, 4000000000, u.id, '', 1700000000
     from (select id, row_number() over () as n from hosts) h
     join (select *, row_number() over () as n from users where role = 'client') u on u.n * 10 = h.n % 100`,
  );
  await database.query("vacuum analyze");
}
