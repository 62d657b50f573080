import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ADVISORY_LOCKS } from "../../../src/server/platform/database/sql.ts";
import { hostTotal, providerTotal, runOf, syncHalfWay } from "../../harness/calls.ts";
import { holdLock } from "../../harness/hold-lock.ts";
import { restClient } from "../../harness/rest.ts";
import { configure, openServerFixture, signIn } from "../../harness/server-fixture.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";
import { within } from "../../harness/time-limits.ts";

describe.skipIf(TEST_SERVER_URL === null)("two processes on one database", () => {
  test("interrupt the sync of one that is frozen, and it writes nothing afterwards", async () => {
    await using fixture = await openServerFixture({ server: TEST_SERVER_URL });
    const { storage, provider } = fixture;
    const frozen = await fixture.start();
    const root = await signIn(frozen.url);
    await configure(root, provider);
    const runId = await syncHalfWay(root, provider);
    const awake = restClient((await fixture.start()).url, root.token);
    {
      await using lock = await holdLock(
        storage,
        `select pg_advisory_xact_lock(${ADVISORY_LOCKS.eventAppend})`,
      );
      // The next event of the run waits for the lock, with the run's row locked.
      await lock.awaited();
      process.kill(frozen.pid, "SIGSTOP");
    }
    try {
      await expect
        .poll(() => runOf(awake, runId), { timeout: within(60_000) })
        .toMatchObject({ status: "interrupted" });
      const next = awake.post("/api/hosts/sync?wait=25");
      await provider.control("release");
      expect((await next).data.runs).toMatchObject([{ status: "succeeded", gone: 0 }]);
      expect(await hostTotal(awake)).toBe(await providerTotal(provider));
      const hosts = () =>
        storage.query("select md5(string_agg(t::text, '|' order by t.id)) as rows from hosts t");
      const before = await hosts();
      process.kill(frozen.pid, "SIGCONT");
      const woken = restClient(frozen.url, root.token);
      await expect.poll(async () => (await woken.get("/api/auth/me")).status).toBe(200);
      await sleep(3_000);
      expect(await hosts()).toEqual(before);
      expect(await runOf(woken, runId)).toMatchObject({ status: "interrupted", gone: 0 });
      expect((await woken.post("/api/hosts/sync?wait=25")).data.runs).toMatchObject([
        { status: "succeeded" },
      ]);
    } finally {
      process.kill(frozen.pid, "SIGCONT");
    }
  });
});
