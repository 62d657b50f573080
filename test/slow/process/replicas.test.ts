import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ADVISORY_LOCKS } from "../../../src/server/database/sql.ts";
import { holdLock } from "../../harness/hold-lock.ts";
import { restClient } from "../../harness/rest.ts";
import { ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import {
  configure,
  eventually,
  hostTotal,
  openServerFixture,
  providerTotal,
  runOf,
  signIn,
  syncAll,
  syncHalfWay,
  TEST_LIMIT,
} from "../../harness/server-fixture.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";

vi.setConfig({ testTimeout: 2 * TEST_LIMIT });

const Calls = z.object({ total: z.number(), byAction: z.record(z.string(), z.number()) });

describe.skipIf(TEST_SERVER_URL === null)("two processes on one database", () => {
  test("make one traversal of 20 sync starts at once, and read each other's settings at the next call", {
    timeout: ROUNDS_LIMIT,
  }, async () => {
    await using fixture = await openServerFixture({ server: TEST_SERVER_URL });
    const [one, other] = await Promise.all([fixture.start(), fixture.start()]);
    const root = await signIn(one.url);
    const there = restClient(other.url, root.token);
    await configure(root, fixture.provider);
    const callsOf = async (sync: () => Promise<unknown>) => {
      await fixture.provider.control("resetCalls");
      await sync();
      return Calls.parse(await fixture.provider.control("calls")).byAction;
    };
    const alone = await callsOf(() => syncAll(there));
    for (let round = 1; round <= rounds(200, 2); round++) {
      const shared = await callsOf(async () => {
        await fixture.provider.control("hold");
        const starts = Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? root : there).post("/api/hosts/sync?wait=0"),
        );
        const ids = new Set((await Promise.all(starts)).map(({ data }) => String(data.runs[0].id)));
        expect(ids.size).toBe(1);
        const [id = ""] = ids;
        await fixture.provider.control("release");
        await eventually(async () => expect((await runOf(root, id)).status).toBe("succeeded"), 30_000);
        expect(await runOf(there, id)).toMatchObject({ status: "succeeded", gone: 0 });
      });
      expect(shared).toEqual(alone);
      expect((await there.get("/api/hosts/sync-runs")).data.pagination.total).toBe(round + 1);
    }

    const settings = { show_network_info_to_client: true };
    await root.put("/api/system-config", settings);
    expect((await there.get("/api/system-config")).body).toEqual(settings);
  });

  test("interrupt the sync of one that is frozen inside a transaction, and it writes nothing once it continues", async () => {
    await using fixture = await openServerFixture({ server: TEST_SERVER_URL });
    const { storage, provider } = fixture;
    const frozen = await fixture.start();
    const root = await signIn(frozen.url);
    await configure(root, provider);
    const runId = await syncHalfWay(root, provider);
    const awake = restClient((await fixture.start()).url, root.token);
    {
      await using lock = await holdLock(storage, `select pg_advisory_xact_lock(${ADVISORY_LOCKS.eventAppend})`);
      // The next event of the run waits for the lock, with the run's row locked.
      await lock.awaited();
      process.kill(frozen.pid, "SIGSTOP");
    }
    try {
      await eventually(async () => expect((await runOf(awake, runId)).status).toBe("interrupted"), 60_000);
      const next = awake.post("/api/hosts/sync?wait=25");
      await provider.control("release");
      expect((await next).data.runs).toMatchObject([{ status: "succeeded", gone: 0 }]);
      expect(await hostTotal(awake)).toBe(await providerTotal(provider));
      const hosts = () => storage.query("select md5(string_agg(t::text, '|' order by t.id)) as rows from hosts t");
      const before = await hosts();
      process.kill(frozen.pid, "SIGCONT");
      const woken = restClient(frozen.url, root.token);
      await eventually(async () => expect((await woken.get("/api/auth/me")).status).toBe(200));
      await sleep(3_000);
      expect(await hosts()).toEqual(before);
      expect(await runOf(woken, runId)).toMatchObject({ status: "interrupted", gone: 0 });
      expect((await woken.post("/api/hosts/sync?wait=25")).data.runs).toMatchObject([{ status: "succeeded" }]);
    } finally {
      process.kill(frozen.pid, "SIGCONT");
    }
  });
});
