import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";
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
