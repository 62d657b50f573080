import type { MikroORM } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

/** Scrapes within this time share one reading. Milliseconds. */
const CACHED_MS = 15_000;
/** A scrape does not wait longer for the database; the metrics are absent then. Milliseconds. */
const TIMEOUT_MS = 2_000;

const JOB_STATES = ["created", "retry", "active", "failed"] as const;

const State = z.object({
  configs: z.array(z.object({ id: z.string(), lastSuccessAt: z.number() })),
  jobs: z.array(z.object({ queue: z.string(), state: z.enum(JOB_STATES), count: z.number(), oldest: z.number() })),
  queues: z.array(z.string()),
});
type State = z.infer<typeof State>;

export interface StateMetricsOptions {
  readonly registry: Registry;
  readonly orm: MikroORM;
  readonly clock: Clock;
  readonly log: Log;
}

/** Adds the metrics that are read from the database when Prometheus scrapes. Every replica reports the same values. */
export function addStateMetrics({ registry, orm, clock, log }: StateMetricsOptions): void {
  let reading: { readonly startedAt: number; readonly state: Promise<State | null> } | undefined;

  function read(): Promise<State | null> {
    const startedAt = performance.now();
    if (reading === undefined || startedAt - reading.startedAt > CACHED_MS) {
      const state = readState(orm).catch((error: unknown) => {
        log.debug({ err: error }, "metrics of the database are not available");
        reading = undefined;
        return null;
      });
      reading = { startedAt, state };
    }
    return Promise.race([reading.state, after(TIMEOUT_MS)]);
  }

  function addGauge(name: string, help: string, labelNames: readonly string[], samples: (state: State) => Sample[]) {
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const state = await read();
        this.reset();
        for (const { labels, value } of state === null ? [] : samples(state)) this.set(labels, value);
      },
    });
  }

  const age = (since: number) => Math.max(0, clock.now() - since);
  addGauge(
    "console_sync_last_success_age_seconds",
    "Age of the last successful sync of an active configuration; of the configuration itself when it never succeeded",
    ["config"],
    ({ configs }) => configs.map(({ id, lastSuccessAt }) => ({ labels: { config: id }, value: age(lastSuccessAt) })),
  );
  addGauge("console_queue_jobs", "Jobs by queue and state", ["queue", "state"], ({ queues, jobs }) =>
    queues.flatMap((queue) =>
      JOB_STATES.map((state) => ({
        labels: { queue, state },
        value: jobs.find((group) => group.queue === queue && group.state === state)?.count ?? 0,
      })),
    ),
  );
  addGauge(
    "console_queue_oldest_waiting_seconds",
    "How long the oldest due job of a queue has been waiting",
    ["queue"],
    ({ queues, jobs }) =>
      queues.map((queue) => {
        const waiting = jobs.filter(({ queue: name, state }) => name === queue && /^(created|retry)$/.test(state));
        return { labels: { queue }, value: Math.max(0, ...waiting.map(({ oldest }) => age(oldest))) };
      }),
  );
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

async function readState(orm: MikroORM): Promise<State> {
  const { rows } = await sql`
    select
      (select coalesce(json_agg(g), '[]') from (
        select c.id, coalesce((
          select r.finished_at from sync_runs r where r.config_id = c.id and r.status = 'succeeded' order by r.id desc limit 1
        ), c.created_at) as "lastSuccessAt"
        from configs c where c.is_active
      ) g) as configs,
      (select coalesce(json_agg(name), '[]') from pgboss.queue) as queues,
      (select coalesce(json_agg(g), '[]') from (
        select name as queue, state::text, count(*) as count, min(extract(epoch from start_after))::float8 as oldest
        from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by 1, 2
      ) g) as jobs
  `.execute(orm.em.fork().getKysely());
  return State.parse(rows[0]);
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref());
}
