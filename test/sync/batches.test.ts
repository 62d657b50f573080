import { describe, expect, it } from "vitest";
import { SYNC_RUN_JOB } from "../../src/server/modules/sync/sync-job.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { useSync } from "./sync-fixture.ts";

const HOSTS = 3_500;

const { app, start, run, sync } = useSync({ hosts: HOSTS });

/** Hosts that are stored, and those of which the history of a run tells. */
async function countHosts(runId: string) {
  const [stored] = await app.database.query("select count(*)::int as n from hosts");
  const [told] = await app.database.query(
    `select count(*)::int as entries, count(distinct host_id)::int as hosts
     from host_changes where run_id = $1 and kind = 'created'`,
    [runId],
  );
  return { stored: stored?.n, ...told };
}

function openJobs() {
  return app.database.query("select from pgboss.job where name = $1 and state < 'completed'", [
    SYNC_RUN_JOB,
  ]);
}

describe("a run of several batches", () => {
  it("counts and tells of each host once, and then of none", async () => {
    const configId = await app.config();

    const first = await sync(configId);
    const second = await sync(configId);

    expect(first).toMatchObject({ hostsSeen: HOSTS, created: HOSTS, updated: 0, unchanged: 0 });
    expect(await countHosts(first.id)).toEqual({ stored: HOSTS, entries: HOSTS, hosts: HOSTS });
    expect(second).toMatchObject({ hostsSeen: HOSTS, created: 0, updated: 0, unchanged: HOSTS });
    expect(await countHosts(second.id)).toEqual({ stored: HOSTS, entries: 0, hosts: 0 });
  });

  itOnPostgresql("ends with the batch that is written when it is cancelled", async () => {
    const configId = await app.config();
    await using lock = await holdLock(app.database, "lock table hosts in share mode");
    const id = await start(configId);
    await lock.awaited();
    const answer = app.root.post(`/api/hosts/sync-runs/${id}/cancel`);
    // The cancel waits for the batch, which waits for the lock.
    await lock.awaited(2);

    await lock.release();
    const { data: cancelled } = await answer;
    await expect.poll(openJobs).toEqual([]);

    const { created } = cancelled;
    expect(cancelled).toMatchObject({ status: "cancelled", hostsSeen: created });
    expect(created).toBeGreaterThan(0);
    expect(created).toBeLessThan(HOSTS);
    expect(await countHosts(id)).toEqual({ stored: created, entries: created, hosts: created });
    expect(await run(id)).toEqual(cancelled);
  });
});
