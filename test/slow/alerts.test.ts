import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchDirectory } from "../harness/scratch.ts";

const RULES = join(import.meta.dirname, "../../deploy/alerts.yaml");
const INTERVAL_S = 15;

/** Values at every scrape in Prometheus notation; `_` is a scrape without the series. */
type Series = Readonly<Record<string, string>>;

const up = 'up{job="host-console", instance="a"}';
const ready = 'probe_success{job="host-console-ready", instance="a"}';
const gone = 'console_synced_hosts_total{instance="a", config="c", result="gone"}';
const waiting = 'console_queue_oldest_waiting_seconds{instance="a", queue="sync-run"}';
const jobs = 'console_queue_jobs{instance="a", queue="sync-run", state="created"}';
const cleanUps = 'console_queue_jobs{instance="a", queue="clean-up", state="failed"}';
const oldestMessage = 'console_deliveries_oldest_retried_seconds{instance="a", type="wecom"}';
const refusedMessages = 'console_deliveries_total{instance="a", type="wecom", outcome="refused"}';
const undeliverableMessages =
  'console_deliveries_total{instance="a", type="email", outcome="undeliverable"}';
const signIns = 'console_sign_ins_total{instance="a", outcome="refused"}';
const sinceSuccess = 'console_sync_last_success_age_seconds{instance="a", config="c"}';
const call = (outcome: string) =>
  `console_call_duration_seconds_count{instance="a", procedure="hosts.list", outcome="${outcome}"}`;
const refusedKey = (instance: string) =>
  `console_provider_calls_total{instance="${instance}", action="ListRegions", outcome="unauthorized", ret_code="0"}`;
const refusedTwice = { [refusedKey("a")]: "1x300", [refusedKey("b")]: "_x240 1x400" };

const STORIES: readonly (readonly [
  what: string,
  alert: string,
  minute: number,
  fires: boolean,
  series: Series,
])[] = [
  ["a process that is gone", "ConsoleDown", 2, true, { [up]: "0x40" }],
  ["a restart of half a minute", "ConsoleDown", 2, false, { [up]: "1x2 0x2 1x40" }],
  ["three clean-ups that failed", "ConsoleCleanUpIncomplete", 10, true, { [cleanUps]: "3x60" }],
  ["two clean-ups that failed", "ConsoleCleanUpIncomplete", 10, false, { [cleanUps]: "2x60" }],
  ["a failed readiness probe", "ConsoleNotReady", 3, true, { [ready]: "0x40" }],
  [
    "2 % server errors",
    "ConsoleErrorRate",
    15,
    true,
    { [call("ok")]: "0+98x80", [call("INTERNAL")]: "0+2x80" },
  ],
  [
    "refused calls",
    "ConsoleErrorRate",
    15,
    false,
    { [call("ok")]: "0+9x80", [call("FORBIDDEN")]: "0+90x80" },
  ],
  [
    "a success that is older than the runs that are kept",
    "ConsoleSyncOverdue",
    20,
    true,
    { [sinceSuccess]: "9000000+15x90" },
  ],
  ["a database that is read too slowly", "ConsoleMetricsMissing", 20, true, { [up]: "1x90" }],
  [
    "metrics that are absent once",
    "ConsoleMetricsMissing",
    20,
    false,
    { [up]: "1x90", [jobs]: "0x40 _x2 0x48" },
  ],
  ["no success for a day", "ConsoleSyncOverdue", 20, true, { [sinceSuccess]: "86500+15x90" }],
  [
    "the first refused key",
    "ConsoleProviderAuthFailure",
    5,
    true,
    { [refusedKey("a")]: "_x8 1x40" },
  ],
  [
    "a key refused at a second replica an hour later",
    "ConsoleProviderAuthFailure",
    65,
    true,
    refusedTwice,
  ],
  [
    "a key refused an hour ago",
    "ConsoleProviderAuthFailure",
    60,
    false,
    { [refusedKey("a")]: "1x300" },
  ],
  ["30 hosts gone in the first run", "ConsoleHostsGone", 5, true, { [gone]: "_x8 30x40" }],
  ["30 more hosts gone", "ConsoleHostsGone", 70, true, { [gone]: "5x270 35x40" }],
  ["30 hosts gone two hours ago", "ConsoleHostsGone", 120, false, { [gone]: "30x600" }],
  ["a job that nobody takes", "ConsoleQueueBacklog", 15, true, { [waiting]: "300+15x80" }],
  [
    "a channel that cannot be reached",
    "ConsoleDeliveriesFailing",
    15,
    true,
    { [oldestMessage]: "1200+15x80" },
  ],
  [
    "a message that waits for a quarter of an hour",
    "ConsoleDeliveriesFailing",
    2,
    false,
    { [oldestMessage]: "900x40" },
  ],
  [
    "a message that was refused",
    "ConsoleDeliveriesFailing",
    5,
    true,
    { [refusedMessages]: "0x8 1x40" },
  ],
  [
    "a wrong address of one recipient",
    "ConsoleDeliveriesFailing",
    5,
    false,
    { [undeliverableMessages]: "0x8 1x40" },
  ],
  ["refused calls", "ConsoleManyDenials", 15, true, { [call("TOKEN_SCOPE")]: "0+2x80" }],
  ["a few refused calls", "ConsoleManyDenials", 15, false, { [call("FORBIDDEN")]: "0x40 1x40" }],
  ["guessed passwords", "ConsoleManyFailedSignIns", 10, true, { [signIns]: "0+2x60" }],
];

const scratch = scratchDirectory();
/** Debian's package `prometheus`. */
const HAS_PROMTOOL = spawnSync("promtool", ["--version"]).status === 0;

test.skipIf(!HAS_PROMTOOL)("every alert fires when it should, and only then", () => {
  const file = join(scratch, "stories.yaml");
  const tests = STORIES.map(([what, alert, minute, fires, series]) => {
    const expr = `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`;
    const exp_samples = [{ labels: "{}", value: fires ? 1 : 0 }];
    return {
      name: `${what}: ${alert}`,
      interval: `${INTERVAL_S}s`,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [{ expr, eval_time: `${minute}m`, exp_samples }],
    };
  });
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [RULES], evaluation_interval: `${INTERVAL_S}s`, tests }),
  );
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], {
    encoding: "utf8",
  });

  expect(status, stdout + stderr).toBe(0);
});
