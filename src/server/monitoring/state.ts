import type { MikroORM } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { z } from "zod";
import { PREPAID_LABELS } from "../../shared/hosts.ts";
import { DAY_SECONDS, EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import type { Clock } from "../core/clock.ts";

const isPrepaid = sql`h.charge_type in (${sql.join([...PREPAID_LABELS.keys()])})`;
/** Runs that ended within this time are recent, in seconds. */
const RECENT_SECONDS = 7_200;
/** Of one configuration, the newest: runs are kept for good, and nobody needs to count more failures than that. */
const RUNS_LOOKED_AT = 100;

/** What the database knows of the whole installation. Times in Unix seconds. */
export const State = z.object({
  hosts: z.array(z.object({ status: z.string(), hosts: z.number() })),
  allHosts: z.number(),
  expiringHosts: z.number(),
  pendingRenewals: z.number(),
  configs: z.array(z.object({ id: z.string(), lastSuccessAt: z.number(), recentFailures: z.number() })),
  liveRuns: z.array(z.object({ status: z.string(), runs: z.number() })),
  queues: z.array(z.string()),
  jobs: z.array(z.object({ queue: z.string(), state: z.string(), jobs: z.number(), oldest: z.number() })),
  newestEvent: z.number(),
  oldestEventAt: z.number().nullable(),
  migrations: z.number(),
  bytes: z.number(),
});
export type State = z.infer<typeof State>;

/** One statement, from indexes where there are any: it is asked again and again, however many hosts there are. */
export async function readState(orm: MikroORM, clock: Clock): Promise<State> {
  const now = clock.now();
  const { rows } = await sql`
    select
      (select coalesce(json_agg(g), '[]') from (
        select status, count(*) as hosts from hosts where gone_at is null group by status
      ) g) as hosts,
      (select count(*) from hosts) as "allHosts",
      (select count(*) from hosts h where h.gone_at is null and ${isPrepaid}
        and h.expire_time between ${now} and ${now + EXPIRING_SOON_DAYS * DAY_SECONDS}) as "expiringHosts",
      (select count(*) from renewals where status = 'pending') as "pendingRenewals",
      (select coalesce(json_agg(g), '[]') from (
        select c.id, coalesce((
          select r.finished_at from sync_runs r where r.config_id = c.id and r.status = 'succeeded' order by r.id desc limit 1
        ), c.created_at) as "lastSuccessAt", (
          select count(*) from (
            select r.status, r.finished_at from sync_runs r where r.config_id = c.id order by r.id desc limit ${RUNS_LOOKED_AT}
          ) r where r.status in ('partial', 'failed', 'interrupted') and r.finished_at > ${now - RECENT_SECONDS}
        ) as "recentFailures"
        from configs c where c.is_active
      ) g) as configs,
      (select coalesce(json_agg(g), '[]') from (
        select status, count(*) as runs from sync_runs where status in ('queued', 'running') group by status
      ) g) as "liveRuns",
      (select coalesce(json_agg(name), '[]') from pgboss.queue) as queues,
      (select coalesce(json_agg(g), '[]') from (
        select name as queue, state::text, count(*) as jobs, min(extract(epoch from start_after))::float8 as oldest
        from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by 1, 2
      ) g) as jobs,
      (select coalesce(max(id), 0) from events) as "newestEvent",
      (select created_at from events order by id limit 1) as "oldestEventAt",
      (select count(*) from schema_migrations) as migrations,
      pg_database_size(current_database()) as bytes
  `.execute(orm.em.fork().getKysely());
  return State.parse(rows[0]);
}
