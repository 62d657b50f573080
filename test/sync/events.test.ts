import { describe, expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import { syncBench } from "./sync-bench.ts";

const bench = syncBench({ hosts: 300, projects: 1, regions: ["cn-bj2", "hk"] });

interface LoggedEvent {
  readonly type: string;
  readonly data: StoredEvent["data"];
}

describe("the events of a run", () => {
  it("are progress while it runs, the changed hosts, and sync.finished once and last", async () => {
    const id = await bench.process.start(await bench.config());
    const run = await bench.end(id);
    const events = await logged();
    expect(events.every((event) => StoredEvent.safeParse(event).success)).toBe(true);
    expect(events[0]).toMatchObject({ type: "sync.progress", data: { id, status: "queued" } });
    expect(events.filter(({ type }) => type === "sync.finished")).toEqual([{ type: "sync.finished", data: run }]);
    expect(events.at(-1)?.type).toBe("sync.finished");
    const changed = events.flatMap((event) => ("hostIds" in event.data ? event.data.hostIds : []));
    expect(new Set(changed).size).toBe(300);
    expect(changed).toHaveLength(300);
  });

  it("never count backwards", async () => {
    bench.simulator.control.setLatency(700);
    await bench.sync(await bench.config());
    const seen = (await logged()).flatMap(({ data }) => ("hostsSeen" in data ? [data] : []));
    expect(seen.length).toBeGreaterThan(3);
    for (const counter of ["regionsDone", "hostsSeen", "created"] as const) {
      const counts = seen.map((data) => data[counter]);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    }
  });

  it("come at least every two seconds and at most four times a second", async () => {
    bench.simulator.control.hold({ action: "DescribeUHostInstance", region: "hk" });
    const id = await bench.process.start(await bench.config());
    await bench.simulator.control.waitForHeld();
    const times: number[] = [];
    const end = performance.now() + 5_000;
    let last = 0;
    while (performance.now() < end) {
      const [row] = await bench.database.query("select max(id)::int as id from events where type = 'sync.progress'");
      if (Number(row?.id) > last) times.push(performance.now());
      last = Number(row?.id);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2_000);
    expect(times.length).toBeLessThanOrEqual(5 * 4);
    bench.simulator.control.release();
    await bench.end(id);
  });
});

async function logged(): Promise<LoggedEvent[]> {
  const rows = await bench.database.query("select type, payload as data from events order by id");
  return rows.map((row) => StoredEvent.parse(row));
}
