import { HostStatus } from "../../shared/hosts.ts";
import type { Clock } from "../core/clock.ts";
import { type GaugeDescription, only } from "./gauges.ts";
import type { State } from "./state.ts";

const LIVE = ["queued", "running"] as const;
const JOB_STATES = ["created", "retry", "active", "failed"] as const;
const WAITING = new Set(["created", "retry"]);

/** The installation as a whole: every replica tells the same. */
export function stateGauges(clock: Clock): GaugeDescription<State>[] {
  const age = (since: number) => Math.max(0, clock.now() - since);
  return [
    {
      name: "console_hosts",
      help: "Hosts that are there, by status",
      labelNames: ["status"],
      samples: ({ hosts }) =>
        HostStatus.options.map((status) => ({
          labels: { status },
          value: hosts.find((group) => group.status === status)?.hosts ?? 0,
        })),
    },
    {
      name: "console_hosts_gone",
      help: "Hosts that the provider does not know any more",
      samples: ({ allHosts, hosts }) => only(hosts.reduce((left, group) => left - group.hosts, allHosts)),
    },
    {
      name: "console_hosts_expiring",
      help: "Prepaid hosts whose time at the provider ends within 7 days",
      samples: ({ expiringHosts }) => only(expiringHosts),
    },
    {
      name: "console_renewals_pending",
      help: "Renewal requests that wait for a decision",
      samples: ({ pendingRenewals }) => only(pendingRenewals),
    },
    {
      name: "console_sync_last_success_age_seconds",
      help: "Since the last fully successful sync of an active configuration, or since it was made when there was none",
      labelNames: ["config"],
      samples: ({ configs }) =>
        configs.map(({ id, lastSuccessAt }) => ({ labels: { config: id }, value: age(lastSuccessAt) })),
    },
    {
      // Not from the counter of runs: a series of that begins with its first failure, which whoever looks at the increase does not see.
      name: "console_sync_recent_failures",
      help: "Sync runs of an active configuration that failed, were partial or interrupted within the last 2 hours",
      labelNames: ["config"],
      samples: ({ configs }) =>
        configs.map(({ id, recentFailures }) => ({ labels: { config: id }, value: recentFailures })),
    },
    {
      name: "console_sync_live_runs",
      help: "Sync runs that are not over, by status: queued, running",
      labelNames: ["status"],
      samples: ({ liveRuns }) =>
        LIVE.map((status) => ({
          labels: { status },
          value: liveRuns.find((group) => group.status === status)?.runs ?? 0,
        })),
    },
    {
      name: "console_queue_jobs",
      help: "Jobs in the queue, by queue and state: created, retry, active, failed (kept for an hour)",
      labelNames: ["queue", "state"],
      samples: ({ queues, jobs }) =>
        queues.flatMap((queue) =>
          JOB_STATES.map((state) => ({
            labels: { queue, state },
            value: jobs.find((group) => group.queue === queue && group.state === state)?.jobs ?? 0,
          })),
        ),
    },
    {
      name: "console_queue_oldest_waiting_seconds",
      help: "How long the job at the head of a queue has been due without being taken",
      labelNames: ["queue"],
      samples: ({ queues, jobs }) =>
        queues.map((queue) => {
          const waiting = jobs.filter((group) => group.queue === queue && WAITING.has(group.state));
          return { labels: { queue }, value: Math.max(0, ...waiting.map(({ oldest }) => age(oldest))) };
        }),
    },
    {
      name: "console_events_newest_id",
      help: "Id of the newest event; its rate is what all replicas append",
      samples: ({ newestEvent }) => only(newestEvent),
    },
    {
      name: "console_events_oldest_age_seconds",
      help: "Age of the oldest event that can be replayed; absent when there is none",
      samples: ({ oldestEventAt }) => only(oldestEventAt === null ? null : age(oldestEventAt)),
    },
    {
      name: "console_migrations_applied",
      help: "Migrations that the database has",
      samples: ({ migrations }) => only(migrations),
    },
    {
      name: "console_database_size_bytes",
      help: "Size of the database, without its write-ahead log",
      samples: ({ bytes }) => only(bytes),
    },
  ];
}
