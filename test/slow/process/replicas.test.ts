import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { ADVISORY_LOCKS } from "../../../src/server/database/sql.ts";
import { startServer } from "../../harness/programs.ts";
import { restClient } from "../../harness/rest.ts";
import {
  configure,
  eventually,
  hostTotal,
  openStage,
  providerTotal,
  runOf,
  signIn,
  syncHalfWay,
  TEST_LIMIT,
  within,
} from "../../harness/stage.ts";
import { openTestStorage, TEST_SERVER_URL } from "../../harness/storage.ts";
import { follow } from "../../sockets/raw-client.ts";
import { ROUNDS_LIMIT, rounds } from "../faults/rounds.ts";
import { holdLock } from "../hold-lock.ts";

vi.setConfig({ testTimeout: 2 * TEST_LIMIT });

const PASSWORD_LINE = /初始密码：(\S+?)（/;
/** From the contract: how soon a socket on another process hears of the end of its session, in ms. */
const SOCKET_LIMIT = 5_000;
const CUSTOMER = { username: "customer", password: "Correct2Horse" };

const Calls = z.object({ total: z.number(), byAction: z.record(z.string(), z.number()) });

describe.skipIf(TEST_SERVER_URL === null)("two processes on one database", () => {
  test("may start at once on an empty one: one migrates, both serve, and there is exactly one super admin", async () => {
    await using storage = await openTestStorage({ server: TEST_SERVER_URL, bare: true });
    const settings = { ...storage.env, LOG_LEVEL: "info" };
    const [one, other] = await Promise.all([startServer(settings), startServer(settings)]);
    await using _one = one;
    await using _other = other;
    const made = [one, other].flatMap(({ output }) => output.filter((line) => PASSWORD_LINE.test(line)));
    expect(made).toHaveLength(1);
    const password = PASSWORD_LINE.exec(made[0] ?? "")?.[1] ?? "";
    for (const { url } of [one, other]) await signIn(url, { username: "admin", password });
    expect(await storage.query("select username, role from users")).toEqual([
      { username: "admin", role: "super_admin" },
    ]);
    expect(await storage.query("select name from schema_migrations group by name having count(*) > 1")).toEqual([]);
  });

  test("make one traversal of 20 sync starts at once, and agree at the next call on who is signed in, who is disabled, and whose socket must close", {
    timeout: ROUNDS_LIMIT,
  }, async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    const [one, other] = await Promise.all([stage.start(), stage.start()]);
    const root = await signIn(one.url);
    const there = restClient(other.url, root.token);
    await configure(root, stage.provider);
    const traversals: z.infer<typeof Calls>["byAction"][] = [];
    for (let round = 1; round <= rounds(200, 2); round++) {
      await stage.provider.control("resetCalls");
      await stage.provider.control("hold");
      const starts = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? root : there).post("/api/hosts/sync?wait=0"));
      const answers = await Promise.all(starts);
      const ids = new Set(answers.map(({ data }) => String(data.runs[0].id)));
      expect(ids.size).toBe(1);
      const [id = ""] = ids;
      for (const client of [root, there]) {
        await eventually(async () => expect((await runOf(client, id)).status).toBe("running"));
      }
      await stage.provider.control("release");
      for (const client of [root, there]) {
        await eventually(async () => expect((await runOf(client, id)).status).toBe("succeeded"), 30_000);
        expect((await client.get("/api/hosts/sync-runs")).data.pagination.total).toBe(round);
        expect(await hostTotal(client)).toBe(await providerTotal(stage.provider));
      }
      traversals.push(Calls.parse(await stage.provider.control("calls")).byAction);
    }

    await stage.provider.control("resetCalls");
    expect((await there.post("/api/hosts/sync?wait=25")).data.runs).toMatchObject([{ status: "succeeded" }]);
    const alone = Calls.parse(await stage.provider.control("calls"));
    for (const traversal of traversals) expect(traversal).toEqual(alone.byAction);

    const second = await signIn(one.url);
    const created = await root.post("/api/users", { ...CUSTOMER, name: "客户", role: "client" });
    const customer = await signIn(other.url, CUSTOMER);

    const thereToo = restClient(other.url, second.token);
    expect((await thereToo.get("/api/auth/me")).status).toBe(200);
    await using socket = await follow(`${other.url.replace("http", "ws")}/trpc`, second.token ?? "");
    expect((await second.post("/api/auth/logout")).status).toBe(200);
    expect((await thereToo.get("/api/auth/me")).status).toBe(401);
    const began = performance.now();
    expect((await socket.closed).code).toBe(4401);
    expect(performance.now() - began).toBeLessThan(within(SOCKET_LIMIT));

    expect((await customer.get("/api/hosts")).status).toBe(200);
    await root.put(`/api/users/${created.data.id}`, { isActive: false });
    expect((await customer.get("/api/hosts")).status).toBe(401);
    await root.put("/api/system-config", { show_network_info_to_client: true });
    expect((await there.get("/api/system-config")).body).toEqual({
      show_network_info_to_client: true,
    });
  });

  test("interrupt the sync of one that is frozen inside a transaction, and it writes nothing once it continues", async () => {
    await using stage = await openStage({ server: TEST_SERVER_URL });
    const { storage, provider } = stage;
    const frozen = await stage.start();
    const root = await signIn(frozen.url);
    await configure(root, provider);
    const runId = await syncHalfWay(root, provider);
    const awake = restClient((await stage.start()).url, root.token);
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
