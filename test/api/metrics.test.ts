import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "../harness/app.ts";
import { insertHosts, insertRun } from "../harness/data.ts";
import { follow } from "../harness/raw-client.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { scrape } from "../harness/scrape.ts";
import { codeAt, insertSecondFactor, SECRET } from "../harness/second-factor.ts";

const TOKEN = "token-of-the-metrics";

/** The first change of the settings fails as the victim of a deadlock does. */
const FAIL_ONCE = `
  create sequence settings_changes;
  create function fail_once() returns trigger language plpgsql as $$
  begin
    if nextval('settings_changes') = 1 then
      raise exception 'deadlock detected' using errcode = '40P01';
    end if;
    return new;
  end $$;
  create trigger fail_once before update on settings for each row execute function fail_once()`;
const FAIL_NO_MORE = `
  drop trigger fail_once on settings;
  drop function fail_once;
  drop sequence settings_changes`;

describe("/metrics", () => {
  const app = useApp({ simulator: { hosts: 130, regions: 3 }, config: { metricsToken: TOKEN } });
  const now = () => scrape(app.url, TOKEN);
  const openStream = (lastEventId?: string) => follow(app.url, app.root.token, lastEventId);

  it("counts a call over REST, tRPC and WebSocket alike, with outcome and duration", async () => {
    const count = async (outcome: string) =>
      (await now()).value("console_call_duration_seconds_count", {
        procedure: "settings.get",
        outcome,
      }) ?? 0;
    const before = await count("ok");
    await using socket = await openStream();

    await app.root.get("/api/system-config");
    await app.root.get("/trpc/settings.get");
    socket.send({ id: 2, method: "query", params: { path: "settings.get" } });
    await socket.until(({ messages }) => messages.some(({ id }) => id === 2));
    await app.anonymous.get("/api/system-config");

    expect([(await count("ok")) - before, await count("UNAUTHENTICATED")]).toEqual([3, 1]);
  });

  describe("after a success, a failure and a cancelled run", () => {
    let config: string;

    beforeEach(async () => {
      const { control } = app.simulator;
      config = await app.config();
      await app.root.post("/api/hosts/sync?wait=25");
      await app.database.query("update sync_runs set finished_at = finished_at - 5000");

      const fault = { kind: "retCode", retCode: 987_654 } as const;
      control.addFaults({ action: "GetRegion", fault });
      await app.root.post("/api/hosts/sync?wait=25");

      control.clearFaults();
      control.hold({ action: "DescribeUHostInstance" });
      const [live] = (await app.root.post("/api/hosts/sync?wait=0")).data.runs;
      await app.root.post(`/api/hosts/sync-runs/${live.id}/cancel`);
    });

    it("reports the runs by status, their durations and their hosts", async () => {
      const { value } = await now();

      const runs = (status: string) =>
        value("console_sync_runs_total", { config, trigger: "manual", status });
      const durations = "console_sync_run_duration_seconds_count";
      expect([runs("succeeded"), runs("cancelled")]).toEqual([1, 1]);
      expect(value(durations, { config, status: "succeeded" })).toBe(1);
      expect(value("console_synced_hosts_total", { config, result: "created" })).toBe(130);
    });

    it("counts provider calls by action, and unknown RetCodes as one", async () => {
      const { value } = await now();

      const calls = (labels: Record<string, string>) =>
        value("console_provider_calls_total", labels);
      expect(calls({ action: "DescribeUHostInstance", ret_code: "0" })).toBeGreaterThan(3);
      expect(calls({ action: "GetRegion", ret_code: "other" })).toBeGreaterThan(0);
      expect(calls({ ret_code: "987654" })).toBeNull();
    });

    it("reports the age of the last full success, of active configurations only", async () => {
      const age = async () =>
        (await now()).value("console_sync_last_success_age_seconds", { config });
      const whileActive = await age();

      await app.root.put(`/api/hosts/configs/${config}`, { isActive: false });

      expect(whileActive).toBeGreaterThanOrEqual(5_000);
      expect(await age()).toBeNull();
    });
  });

  it("reports held hosts, and the age of a configuration without a success", async () => {
    const config = await app.config({ privateKey: "wrong" });
    await app.database.query("update configs set created_at = created_at - 1000");
    await app.root.post("/api/hosts/sync?wait=25");
    await insertHosts(app, [{ config_id: config }, { config_id: config }]);
    await app.database.query(
      "update hosts set missing_since = 1 where id = (select min(id::text)::uuid from hosts)",
    );

    const { value } = await now();

    expect(value("console_held_hosts", { config })).toBe(1);
    expect(value("console_sync_last_success_age_seconds", { config })).toBeGreaterThanOrEqual(
      1_000,
    );
  });

  it("takes no account of a success that a wrong clock dated in the future", async () => {
    const config = await app.config();
    await app.database.query("update configs set created_at = created_at - 1000");
    const ahead = Math.floor(Date.now() / 1000) + 8 * 3_600;
    const id = await insertRun(app, config, { status: "succeeded", started_at: ahead });
    await app.database.query("update sync_runs set finished_at = started_at + 20 where id = $1", [
      id,
    ]);

    const { value } = await now();

    expect(value("console_sync_last_success_age_seconds", { config })).toBeGreaterThanOrEqual(
      1_000,
    );
  });

  it("counts sign-ins by outcome and rate-limited calls", async () => {
    const before = await now();

    await app.signIn("root");
    for (let attempt = 0; attempt < 11; attempt++) {
      await app.anonymous.post("/api/auth/login", { username: "nobody", password: PASSWORD });
    }

    const after = await now();
    const increase = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    expect(increase("console_sign_ins_total", { outcome: "ok" })).toBe(1);
    expect(increase("console_sign_ins_total", { outcome: "refused" })).toBe(10);
    expect(increase("console_sign_ins_total", { outcome: "limited" })).toBe(1);
    expect(increase("console_limited_total", { surface: "call" })).toBe(1);
  });

  it("counts both steps of a sign-in with a second factor", async () => {
    await insertSecondFactor(app.database, app.root.id);
    const before = await now();
    const credentials = { username: "root", password: PASSWORD };
    const { data } = await app.anonymous.post("/api/auth/login", credentials);
    const { challenge } = data.secondFactor;

    for (const code of ["000000", codeAt(SECRET, Math.floor(Date.now() / 1000))]) {
      await app.anonymous.post("/api/auth/second-factor", { challenge, code });
    }

    const after = await now();
    const increase = (outcome: string) =>
      (after.value("console_sign_ins_total", { outcome }) ?? 0) -
      (before.value("console_sign_ins_total", { outcome }) ?? 0);
    expect(["challenged", "code_refused", "ok", "refused"].map(increase)).toEqual([1, 1, 1, 0]);
  });

  it("counts open streams", async () => {
    await using _stream = await openStream();

    expect((await now()).value("console_event_streams")).toBe(1);
  });

  it("measures the delivery delay of live events and not of replayed ones", async () => {
    const delivered = async () => (await now()).value("console_event_lag_seconds_count") ?? 0;
    const change = (isShown: boolean) =>
      app.root.put("/api/system-config", { show_network_info_to_client: isShown });
    const before = await delivered();
    const first = await openStream();
    const [ready] = first.events;
    await first[Symbol.asyncDispose]();

    await change(true);
    await using second = await openStream(ready?.id);
    await second.until(({ events }) => events.length === 2);
    const afterReplay = await delivered();
    await change(false);
    await second.until(({ events }) => events.length === 3);
    const afterLive = await delivered();

    expect([afterReplay, afterLive]).toEqual([before, before + 1]);
  });

  it("counts a transaction that is run again after a deadlock", async () => {
    const { database } = app;
    await database.query(FAIL_ONCE);
    onTestFinished(async () => void (await database.query(FAIL_NO_MORE)));

    const answer = await app.root.put("/api/system-config", { show_network_info_to_client: true });

    const { value } = await now();
    const retries = value("console_transaction_retries_total", { code: "40P01" });
    expect([answer.status, retries]).toEqual([200, 1]);
  });

  it("exposes exactly the metrics that the manual names, and all of the alerts", async () => {
    await using socket = await openStream();
    await app.config();
    await app.root.post("/api/hosts/sync?wait=25");
    await socket.until(({ events }) => events.some(({ event }) => event.type === "sync.finished"));

    const { types } = await now();

    const own = [...types.keys()].filter((name) => !/^console_(process|nodejs)_/.test(name));
    expect(own.length).toBeLessThanOrEqual(22);
    const base = (name: string) =>
      types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
    const named = (file: string) => [
      ...new Set([...read(file).matchAll(/console_\w+/g)].map(([name]) => base(name))),
    ];
    const manual = named("docs/operations.md");
    for (const file of ["deploy/alerts.yaml", "deploy/grafana.json", "docs/operations.md"]) {
      expect(named(file).filter((name) => !types.has(name))).toEqual([]);
    }
    expect(own.filter((name) => !manual.includes(name))).toEqual([]);
  });

  it("requires the token", async () => {
    for (const [authorization, status] of [
      [`Bearer ${TOKEN}`, 200],
      ["", 403],
      [`Bearer ${TOKEN.slice(0, -1)}`, 403],
      [`Bearer ${app.root.token}`, 403],
    ] as const) {
      expect(
        (await app.anonymous.raw("GET", "/metrics", { headers: { authorization } })).status,
      ).toBe(status);
    }

    expect((await app.anonymous.get(`/metrics?token=${TOKEN}`)).status).toBe(403);
  });
});

it("each alert has exactly one section in the manual", () => {
  const alerts = [
    ...read("deploy/alerts.yaml").matchAll(/ alert: (\w+)$[\s\S]*? runbook_url: "(.+)"$/gm),
  ];
  const sections = [...read("docs/operations.md").matchAll(/^### (Console\w+)$/gm)].map(
    ([, name]) => name,
  );
  expect(sections.toSorted()).toEqual(alerts.map(([, alert]) => alert).toSorted());
  for (const [, alert = "", runbook] of alerts)
    expect(runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
});

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, "../..", path), "utf8");
}
