import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";

const RULES = join(import.meta.dirname, "../deploy/prometheus/alerts.yaml");
const INTERVAL_S = 15;
const AN_HOUR_MIN = 60;

const scratch = mkdtempSync(join(tmpdir(), "host-console-alerts-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Values at every scrape, in Prometheus' own notation; `_` is a scrape without the series. */
type Series = Readonly<Record<string, string>>;

const up = 'up{job="host-console", instance="a"}';
const ready = 'console_ready{instance="a"}';
const database = 'console_database_up{instance="a"}';
const waiting = 'console_database_pool_waiting{instance="a"}';
const gone = 'console_hosts_gone{instance="a"}';
const signIns = 'console_sign_ins_total{instance="a", outcome="refused"}';
const recentFailures = 'console_sync_recent_failures{instance="a", config="c"}';
const sinceSuccess = 'console_sync_last_success_age_seconds{instance="a", config="c"}';
const call = (outcome: string) =>
  `console_call_duration_seconds_count{instance="a", procedure="hosts.list", outcome="${outcome}"}`;
const provider = (outcome: string, instance = "a") =>
  `console_provider_calls_total{instance="${instance}", action="ListRegions", outcome="${outcome}", ret_code="0"}`;

/** Debian's package `prometheus`. */
describe.skipIf(spawnSync("promtool", ["--version"]).status !== 0)("the alerts", () => {
  test.each<[what: string, alert: string, minute: number, fires: boolean, series: Series]>([
    ["a process that is gone", "ConsoleDown", 2, true, { [up]: "0x40" }],
    ["a restart of half a minute", "ConsoleDown", 2, false, { [up]: "1x2 0x2 1x40" }],
    ["a slow database", "ConsoleNotReady", 3, true, { [ready]: "0x40", [database]: "1x40" }],
    [
      "a database that is away, as another alert tells",
      "ConsoleNotReady",
      3,
      false,
      { [ready]: "0x40", [database]: "0x40" },
    ],
    ["a database that is away", "ConsoleDatabaseDown", 2, true, { [database]: "0x40" }],
    [
      "2 % of the calls fail by us",
      "ConsoleErrorRate",
      15,
      true,
      { [call("ok")]: "0+98x80", [call("INTERNAL")]: "0+2x80" },
    ],
    [
      "refused calls, however many",
      "ConsoleErrorRate",
      15,
      false,
      { [call("ok")]: "0+9x80", [call("FORBIDDEN")]: "0+90x80" },
    ],
    ["two runs that failed", "ConsoleSyncFailing", 1, true, { [recentFailures]: "2x40" }],
    ["no success for a day", "ConsoleSyncOverdue", 20, true, { [sinceSuccess]: "86500+15x90" }],
    ["the first key refused", "ConsoleProviderAuthFailure", 5, true, { [provider("unauthorized")]: "_x8 1x40" }],
    [
      "an address refused for the first time, an hour after a key was",
      "ConsoleProviderAuthFailure",
      AN_HOUR_MIN + 5,
      true,
      { [provider("unauthorized")]: `1x${AN_HOUR_MIN * 5}`, [provider("ip-refused")]: `_x${AN_HOUR_MIN * 4} 1x400` },
    ],
    [
      "a key refused at this replica for the first time, an hour after at that",
      "ConsoleProviderAuthFailure",
      AN_HOUR_MIN + 5,
      true,
      {
        [provider("unauthorized")]: `1x${AN_HOUR_MIN * 5}`,
        [provider("unauthorized", "b")]: `_x${AN_HOUR_MIN * 4} 1x400`,
      },
    ],
    [
      "a key that was refused an hour ago",
      "ConsoleProviderAuthFailure",
      AN_HOUR_MIN,
      false,
      { [provider("unauthorized")]: `1x${AN_HOUR_MIN * 5}` },
    ],
    [
      "a fifth and more of the calls throttled",
      "ConsoleProviderThrottling",
      25,
      true,
      { [provider("ok")]: "0+7x120", [provider("throttled")]: "0+3x120" },
    ],
    [
      "most calls lost on the way",
      "ConsoleProviderFailing",
      25,
      true,
      { [provider("ok")]: "0+1x120", [provider("dns")]: "0+9x120" },
    ],
    ["30 hosts gone", "ConsoleHostsGone", 70, true, { [gone]: "5x270 35x40" }],
    ["statements that wait for a connection all the time", "ConsolePoolExhausted", 6, true, { [waiting]: "3x40" }],
    [
      "statements that wait at the first scrape of a new process",
      "ConsolePoolExhausted",
      2,
      false,
      { [waiting]: "_x8 3 0x40" },
    ],
    ["somebody who guesses", "ConsoleManyFailedSignIns", 10, true, { [signIns]: "0+2x60" }],
  ])("know of %s (%s)", (_what, alert, minute, fires, series) => {
    const file = join(scratch, "story.yaml");
    writeFileSync(file, stringify(story(alert, minute, fires, series)));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  });
});

/** One test as promtool takes it: whether the alert fires in that minute. */
function story(alert: string, minute: number, fires: boolean, series: Series) {
  return {
    rule_files: [RULES],
    evaluation_interval: `${INTERVAL_S}s`,
    tests: [
      {
        interval: `${INTERVAL_S}s`,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
            eval_time: `${minute}m`,
            exp_samples: [{ labels: "{}", value: fires ? 1 : 0 }],
          },
        ],
      },
    ],
  };
}
