import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";
import { DAY_SECONDS } from "../../shared/time.ts";
import { MAX_CLOCK_SKEW_SECONDS } from "../platform/clock.ts";
import type { Deps } from "../platform/deps.ts";

/** When the database takes longer, its metrics are absent. Milliseconds. */
const TIMEOUT_MS = 2_000;

type Row = { readonly value: number } & Readonly<Record<string, string | number>>;

interface StateMetricsDeps extends Pick<Deps, "clock" | "log"> {
  readonly registry: Registry;
  readonly orm: MikroORM;
  readonly pool: Pool;
}

/**
 * Adds the metrics that are read when Prometheus scrapes: of the pool, and of the database, which
 * every replica reports alike.
 */
export function addStateMetrics(deps: StateMetricsDeps): void {
  addPoolGauges(deps);
  for (const gauge of DATABASE_GAUGES) addDatabaseGauge(deps, gauge);
}

function addPoolGauges({ registry, pool }: StateMetricsDeps): void {
  const registers = [registry];
  new Gauge({
    name: "console_database_pool_connections",
    help: "Connections of the database pool, by state: idle, busy",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: "console_database_pool_waiting",
    help: "Statements and transactions that wait for a connection of the pool",
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}

interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  /** Its columns are the labels and `value`. `now` in Unix seconds. */
  readonly query: (now: number) => RawBuilder<Row>;
}

function addDatabaseGauge(
  { registry, orm, clock, log }: StateMetricsDeps,
  { name, help, labelNames, query }: DatabaseGauge,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const read = query(clock.now()).execute(orm.em.fork().getKysely());
      const answer = read.catch((error: unknown) =>
        log.debug({ err: error }, "database metrics unavailable"),
      );
      const result = await Promise.race([answer, sleep(TIMEOUT_MS, undefined, { ref: false })]);

      this.reset();
      for (const { value, ...labels } of result?.rows ?? []) this.set(labels, value);
    },
  });
}

const DATABASE_GAUGES: readonly DatabaseGauge[] = [
  {
    name: "console_sync_last_success_age_seconds",
    help:
      "Age of the last successful sync of an active configuration; " +
      "of the configuration itself when it never succeeded",
    labelNames: ["config"],
    // An end in the future would keep the age at 0, and the alert silent.
    query: (now) => sql`
      select c.id as config,
        greatest(0, ${now}::bigint - coalesce(success.finished_at, c.created_at)) as value
      from configs c
      left join lateral (
        select r.finished_at
        from sync_runs r
        where r.config_id = c.id
          and r.status = 'succeeded'
          and r.finished_at <= ${now + MAX_CLOCK_SKEW_SECONDS}
        order by r.id desc
        limit 1
      ) success on true
      where c.is_active
    `,
  },
  {
    name: "console_held_hosts",
    help: "Present hosts that sync holds because they may be gone",
    labelNames: ["config"],
    query: () => sql`
      select c.id as config, count(h.id) as value
      from configs c
      left join hosts h
        on h.config_id = c.id and h.gone_at is null and h.missing_since is not null
      group by c.id
    `,
  },
  {
    name: "console_api_tokens_in_use",
    help: "Live API tokens that were used within the last day, by scope: read, full",
    labelNames: ["scope"],
    query: (now) => sql`
      select s.scope, count(u.id) as value
      from unnest(array['read', 'full']) s (scope)
      left join api_tokens t
        on t.scope = s.scope and t.expires_at > ${now} and t.last_used_at > ${now - DAY_SECONDS}
      left join users u on u.id = t.user_id and u.is_active
      group by s.scope
    `,
  },
  {
    name: "console_deliveries_queued",
    help: "Messages that wait to be sent, those that are tried again included, by type of channel",
    labelNames: ["type"],
    query: () => sql`
      select c.type, count(d.id) as value
      from notice_channels c
      left join notice_deliveries d on d.channel_id = c.id and d.status = 'queued'
      group by c.type
    `,
  },
  {
    name: "console_deliveries_oldest_retried_seconds",
    help: "Age of the oldest message that waits for another try, by type of channel",
    labelNames: ["type"],
    // One that was not tried yet waits for its turn: a channel has a pace, and a large day is long.
    query: (now) => sql`
      select c.type, greatest(0, ${now}::bigint - coalesce(min(d.created_at), ${now})) as value
      from notice_channels c
      left join notice_deliveries d
        on d.channel_id = c.id and d.status = 'queued' and d.attempts > 0
      group by c.type
    `,
  },
  {
    name: "console_queue_jobs",
    help: "Jobs by queue and state",
    labelNames: ["queue", "state"],
    query: () => sql`
      select q.name as queue, s.state, count(j.id) as value
      from pgboss.queue q
      cross join unnest(array['created', 'retry', 'active', 'failed']) s (state)
      left join pgboss.job j on j.name = q.name and j.state::text = s.state
      group by q.name, s.state
    `,
  },
  {
    name: "console_queue_oldest_waiting_seconds",
    help: "How long the oldest due job of a queue has been waiting",
    labelNames: ["queue"],
    query: () => sql`
      select q.name as queue,
        greatest(0, extract(epoch from now() - min(j.start_after)))::float8 as value
      from pgboss.queue q
      left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry')
      group by q.name
    `,
  },
];
