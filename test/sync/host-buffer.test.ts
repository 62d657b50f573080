import { expect } from "vitest";
import { useApp } from "../harness/app.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";

const app = useApp({ simulator: { hosts: 9_000, regions: 1, projects: 1 } });

itOnPostgresql(
  "a run reads on while the database is slow, until some thousand hosts wait to be written",
  async () => {
    const configId = await app.config();
    const pages = () => app.simulator.control.calls().byAction.DescribeUHostInstance ?? 0;
    await using lock = await holdLock(app.database, "lock table hosts in share mode");
    const { data } = await app.root.post(`/api/hosts/sync?configId=${configId}&wait=0`);
    await lock.awaited();

    await expect.poll(pages, { timeout: 20_000 }).toBeGreaterThanOrEqual(50);
    const [written] = await lock.query("select count(*)::int as n from hosts");
    expect(written).toEqual({ n: 0 });
    expect(pages()).toBeLessThan(75);

    await lock.release();
    const { data: run } = await app.root.get(`/api/hosts/sync-runs/${data.runs[0].id}`);
    expect(run.status).toBe("running");
    const ended = await app.root.post(`/api/hosts/sync?configId=${configId}&wait=25`);
    expect(ended.data.runs[0]).toMatchObject({ status: "succeeded", created: 9_000 });
  },
);
