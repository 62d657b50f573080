import { describe, expect, test } from "vitest";
import { StoredEvent } from "../../src/server/event-presenters.ts";
import type { Fault, FaultRule } from "../../src/simulator/faults.ts";
import { httpStatus, setField, setHostField, wrongTotal } from "../harness/provider-faults.ts";
import { within } from "../harness/time-limits.ts";
import { LISTING, useSync } from "./sync-fixture.ts";

describe("a run", () => {
  const { app, clock, sync, present } = useSync({ hosts: 450, projects: 2, regions: 5 });

  const listings = () =>
    app.simulator.control.calls().last.filter(({ action }) => action === LISTING.action);

  function hostIds(filter: { projectId?: string; region?: string } = {}): string[] {
    const hosts = app.simulator.control.hosts(filter);
    return hosts.map(({ id }) => id).sort();
  }

  test("finds every host of every project and region, the default region first", async () => {
    const run = await sync(await app.config({ defaultRegion: "hk" }));

    expect(run).toMatchObject({
      status: "succeeded",
      created: 450,
      updated: 0,
      unchanged: 0,
      gone: 0,
      rejected: 0,
    });
    // 28 of the regions are closed to the account, which is no error.
    expect(run).toMatchObject({
      hostsSeen: 450,
      hostsTotal: 450,
      errors: [],
      regionsDone: 33,
      regionsTotal: 33,
    });
    expect(await present()).toEqual(hostIds());
    expect(listings()[0]).toMatchObject({ region: "hk" });
  });

  test("makes at most four calls at once, and reads pages of 100 up to the total", async () => {
    app.simulator.control.setLatency(5);
    await sync(await app.config());
    expect(app.simulator.control.calls().maxConcurrency).toBe(4);
    expect(new Set(listings().map(({ limit }) => limit))).toEqual(new Set(["100"]));
    for (const { region, projectId, offset } of listings()) {
      const total = app.simulator.control.hosts({ region, projectId }).length;
      expect(Number(offset)).toBeLessThan(Math.max(total, 1));
    }
  });

  test("publishes progress that never counts backwards, and its end last", async () => {
    app.simulator.control.setLatency(100);
    const configId = await app.config();
    await app.database.query("delete from events");

    const run = await sync(configId);

    const rows = await app.database.query("select type, payload as data from events order by id");
    const events = rows.map((row) => StoredEvent.parse(row));
    expect(events[0]).toMatchObject({
      type: "sync.progress",
      data: { id: run.id, status: "queued" },
    });
    expect(events.filter(({ type }) => type === "sync.finished")).toMatchObject([{ data: run }]);
    expect(events.at(-1)?.type).toBe("sync.finished");
    const counts = events.flatMap(({ data }) => ("hostsSeen" in data ? [data] : []));
    expect(counts.length).toBeGreaterThan(3);
    for (const counter of ["regionsDone", "hostsSeen", "created"] as const) {
      const values = counts.map((data) => data[counter]);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
    const changed = events.flatMap((event) =>
      event.type === "hosts.changed" ? event.data.hostIds : [],
    );
    expect([changed.length, new Set(changed).size]).toEqual([450, 450]);
  });

  test("writes no host row when nothing changed, and confirms the partitions", async () => {
    const configId = await app.config();
    await sync(configId);
    const rows = () =>
      app.database.query("select id, xmin::text, ctid::text, changed_at from hosts order by id");
    const before = await rows();
    await app.database.query("delete from events");
    clock.forward(60);
    expect(await sync(configId)).toMatchObject({
      status: "succeeded",
      created: 0,
      updated: 0,
      unchanged: 450,
    });
    expect(await rows()).toEqual(before);
    expect(await app.database.query("select 1 from events where type = 'hosts.changed'")).toEqual(
      [],
    );
    const [confirmed] = await app.database.query(
      `select count(*)::int as hosts from hosts h join sync_partitions p using (config_id, project_id, region)
       where p.read_at >= h.changed_at + 60`,
    );
    expect(confirmed).toEqual({ hosts: 450 });
  });

  test("with a key that may not list regions reads the default region only", async () => {
    const projectId = app.simulator.control.projects()[0]?.id ?? "";

    const run = await sync(await app.config({ ...app.simulator.sub, projectIds: [projectId] }));

    expect(run).toMatchObject({
      status: "partial",
      regionsTotal: 1,
      errors: [{ code: "regions-refused" }],
    });
    expect(await present()).toEqual(hostIds({ projectId, region: "cn-bj2" }));
  });

  test("fails with one error when the key is wrong or may use no region", async () => {
    const wrong = await sync(await app.config({ privateKey: "wrong" }));
    const whole = { region: null, projectId: null };
    const unauthorized = { ...whole, code: "unauthorized", message: expect.stringMatching(/私钥/) };
    expect(wrong).toMatchObject({ status: "failed", created: 0, errors: [unauthorized] });
    for (const region of app.simulator.control.regions())
      app.simulator.control.setRegionOpen(region, false);
    const run = await sync(await app.config());
    expect(run).toMatchObject({ status: "failed", errors: [{ code: "not-opened" }] });
  });
});

describe("a run of a provider with faults", () => {
  const { app, clock, start, run, end, sync, present } = useSync({ hosts: 400 });

  function listed(action: "GetRegion" | "GetProjectList", count: number): FaultRule {
    const [field, key] =
      action === "GetRegion" ? ["Regions", "Region"] : ["ProjectSet", "ProjectId"];
    const rows = Array.from({ length: count }, (_, i) => ({ [key]: `${key}-${i}` }));
    return { action, fault: setField(field, rows) };
  }

  test.each<[when: string, fault: Fault, error: object]>([
    [
      "the key is refused",
      { kind: "retCode", retCode: 171 },
      { region: null, code: "unauthorized" },
    ],
    [
      "the address is refused",
      { kind: "retCode", retCode: 294 },
      { region: null, code: "ip-refused" },
    ],
    ["a page fails", httpStatus(500), { region: "cn-bj2", code: "unavailable" }],
    [
      "fewer hosts come than were announced",
      wrongTotal(1),
      { region: "cn-bj2", code: "incomplete" },
    ],
  ])(
    "is partial with one error when %s, and keeps what was written",
    async (_when, fault, error) => {
      const configId = await app.config();
      await sync(configId);
      app.simulator.control.addFaults({ ...LISTING, region: "cn-bj2", offset: 100, fault });
      clock.forward(60);
      const run = await sync(configId);
      expect(run).toMatchObject({ status: "partial", gone: 0, errors: [error] });
      expect(run.hostsSeen).toBeGreaterThan(0);
      expect(await present()).toHaveLength(400);
      const read = await app.database.query(
        "select region from sync_partitions where read_at = $1",
        [run.startedAt],
      );
      expect(read).not.toContainEqual({ region: "cn-bj2" });
    },
  );

  test("publishes its errors once, while progress goes on, and with its end", async () => {
    const { control } = app.simulator;
    const fault: Fault = { kind: "retCode", retCode: 4711 };
    control.addFaults({ ...LISTING, region: "hk", fault });
    control.hold({ ...LISTING, region: "cn-bj2" });
    const configId = await app.config();
    await app.database.query("delete from events");

    const id = await start(configId);
    await expect.poll(countProgress, { timeout: within(15_000) }).toBeGreaterThan(4);
    const running = await run(id);
    control.release();
    const ended = await end(id);

    expect(running.errors).toEqual(ended.errors);
    expect(ended.errors).toMatchObject([{ region: "hk" }]);
    const events = await app.database.query(
      `select type, payload->'errors' as errors from events
       where type like 'sync.%' and payload->'errors' <> '[]' order by id`,
    );
    expect(events).toEqual([
      { type: "sync.progress", errors: ended.errors },
      { type: "sync.finished", errors: ended.errors },
    ]);
  });

  async function countProgress(): Promise<unknown> {
    const [row] = await app.database.query(
      "select count(*)::int as count from events where type = 'sync.progress'",
    );
    return row?.count;
  }

  test("is complete when each page is answered at the fourth attempt", async () => {
    for (const region of ["cn-bj2", "hk"]) {
      for (const offset of [0, 100, 200]) {
        app.simulator.control.addFaults({
          ...LISTING,
          region,
          offset,
          nth: 1,
          times: 3,
          fault: { kind: "reset" },
        });
      }
    }

    expect(await sync(await app.config())).toMatchObject({
      status: "succeeded",
      created: 400,
      errors: [],
    });
  });

  test("is partial, and counts regions, projects and hosts that cannot be read", async () => {
    const regions = [{ Region: "cn-bj2" }, { Region: "hk" }, { Region: 7 }];
    const projects = [{ ProjectId: app.simulator.control.projects()[0]?.id }, { ProjectId: null }];
    app.simulator.control.addFaults(
      { action: "GetRegion", fault: setField("Regions", regions) },
      { action: "GetProjectList", fault: setField("ProjectSet", projects) },
      { ...LISTING, region: "cn-bj2", offset: 0, fault: setHostField("Memory", {}, 25) },
    );

    const run = await sync(await app.config());

    expect(run).toMatchObject({ status: "partial", rejected: 1 + 1 + 4, created: 396 });
    expect(run.errors.map(({ code }) => code)).toEqual(["rejected", "rejected", "rejected"]);
    expect(run.errors.map(({ region }) => region).toSorted()).toEqual(["cn-bj2", null, null]);
  });

  test("keeps 200 errors and all that concern the whole run, and counts them", async () => {
    const configId = await app.config();
    await sync(configId);
    app.simulator.control.removeHosts({ region: "cn-bj2", count: 130 });
    app.simulator.control.addFaults(listed("GetProjectList", 150));
    const { errors } = await sync(configId);
    expect(errors.slice(0, 200).every(({ code }) => code === "project-missing")).toBe(true);
    expect(errors.slice(200).map(({ code }) => code)).toEqual(["mass-removal", "more-errors"]);
    const message = expect.stringMatching(/共有 301 个问题，只列出了 201 个.*请/);
    expect(errors.at(-1)).toMatchObject({ region: null, message });
  });

  test("fails before it reads one of more than 50,000 partitions", async () => {
    app.simulator.control.addFaults(listed("GetRegion", 300), listed("GetProjectList", 300));

    const run = await sync(await app.config());

    expect(run).toMatchObject({
      status: "failed",
      regionsTotal: 0,
      errors: [{ region: null, code: "too-large" }],
    });
    expect(app.simulator.control.calls().byAction.DescribeUHostInstance).toBeUndefined();
  });

  test("fails when it can read no partition, and keeps every known host", async () => {
    const configId = await app.config();
    await sync(configId);
    app.simulator.control.addFaults({
      ...LISTING,
      fault: { kind: "retCode", retCode: 4711, message: "marker-text" },
    });

    const run = await sync(configId);

    expect(run).toMatchObject({ status: "failed", gone: 0 });
    expect(run.errors[0]?.message).toContain("4711");
    expect(JSON.stringify(run)).not.toContain("marker-text");
    expect(await present()).toHaveLength(400);
  });
});
