import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { createInactiveConfig, hostTotal, providerTotal, runOf } from "../../harness/calls.ts";
import { assign, requestRenewal as createRenewal, decide } from "../../harness/data.ts";
import { assertOk, type RestClient } from "../../harness/rest.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import {
  configure,
  openServerFixture,
  type ServerFixture,
  signIn,
  syncAll,
} from "../../harness/server-fixture.ts";
import { within } from "../../harness/time-limits.ts";

/** From the contract, in ms. */
const READY_LIMIT = 10_000;
const INTERRUPTED_LIMIT = { timeout: within(60_000) };
const WRITERS = 3;
const CLIENT = { username: "kehu", password: "Correct2Horse" } as const;

test.each(DATABASES)(
  "a server on $name that is killed again and again loses nothing acknowledged",
  { timeout: ROUNDS_LIMIT },
  async ({ server: database }) => {
    await using fixture = await openServerFixture({ server: database });
    let server = await fixture.start();
    const root = await signIn(server.url);
    const configId = await configure(root, fixture.provider);
    await syncAll(root);
    const { data: client } = await assertOk(
      root.post("/api/users", { ...CLIENT, name: "客户", role: "client" }),
    );
    const acknowledged = new Set<string>();

    for (let round = 0; round < rounds(100, 1); round++) {
      await fixture.provider.control("addHosts", { region: "cn-bj2", count: 20 });
      const renewal = await requestRenewal(server.url, client.id);
      const lists = {
        action: "DescribeUHostInstance",
        byId: false,
        nth: 1 + (round % 7),
        times: 1_000_000,
      };
      await fixture.provider.control("hold", lists);
      const { data } = await renewal.root.post(`/api/hosts/sync?wait=0&configId=${configId}`);
      const runId = String(data.runs[0].id);
      await fixture.provider.control("waitForHeld");
      const before = await hostTotal(renewal.root);
      const goal = acknowledged.size + WRITERS;
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        writeUntilItDies(renewal.root, `${round}-${writer}`, acknowledged),
      );
      await expect.poll(() => acknowledged.size).toBeGreaterThan(goal);
      const decided = renewal.decide().catch(() => null);
      await sleep(Math.random() * 40);
      await server.kill("SIGKILL");
      await Promise.all(writers);

      const began = performance.now();
      server = await fixture.start();
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(performance.now() - began).toBeLessThan(within(READY_LIMIT));
      const again = await signIn(server.url);
      expect(await hostTotal(again)).toBeGreaterThanOrEqual(before);
      expect(await hostTotal(again, "&gone=true")).toBe(0);
      const configs = (await again.get("/api/hosts/configs/list")).data.map(
        ({ name }: { name: string }) => name,
      );
      expect([...acknowledged].filter((name) => !configs.includes(name))).toEqual([]);
      expect(await recorded(fixture, "configs.create")).toEqual(configs.toSorted());
      const isDone = await expectWhole(fixture, again, renewal);
      if ((await decided)?.status === 200) expect(isDone).toBe(true);
      await expect
        .poll(() => runOf(again, runId), INTERRUPTED_LIMIT)
        .toMatchObject({ status: "interrupted" });
      expect(await runOf(again, runId)).toMatchObject({ gone: 0 });

      await fixture.provider.control("release");
      expect(await syncAll(again)).toMatchObject({ status: "succeeded", gone: 0, rejected: 0 });
      expect(await hostTotal(again)).toBe(await providerTotal(fixture.provider));
    }
  },
);

type Renewal = Awaited<ReturnType<typeof requestRenewal>>;

/** Assigns the first host to the client, who requests thirty more days. */
async function requestRenewal(url: string, userId: string) {
  const root = await signIn(url);
  const { hosts } = (await root.get("/api/hosts?limit=1")).data;
  const hostId = String(hosts[0].id);
  const { assignedExpireTime: expiry } = await assign({ root }, hostId, userId);
  const id = await createRenewal(await signIn(url, CLIENT), hostId);
  return { root, id, hostId, expiry, decide: () => decide({ root }, id, "completed") };
}

/** The state, the date and the event of a renewal: all of them or none. Returns which. */
async function expectWhole(
  { storage }: ServerFixture,
  root: RestClient,
  { id, hostId, expiry }: Renewal,
): Promise<boolean> {
  const { status } = (await root.get(`/api/renewals/${id}`)).data;
  const { users } = (await root.get(`/api/hosts/${hostId}`)).data;
  const moved = users[0].assignedExpireTime - expiry;
  const events = await storage.query(
    "select 1 as one from events where type = 'renewal.processed' and payload->>'renewalId' = $1",
    [id],
  );
  const isDone = status === "completed";
  const [completed] = await storage.query(
    `select
       (select count(*)::int from renewals where status = 'completed') as renewals,
       (select count(*)::int from audit_entries where action = 'renewals.process') as entries`,
  );
  expect(completed?.entries).toBe(completed?.renewals);
  expect([status, moved, events.length]).toEqual(
    isDone ? ["completed", 30 * DAY_SECONDS, 1] : ["pending", 0, 0],
  );
  // Else the next request would be a second one.
  if (!isDone) await decide({ root }, id, "completed");
  return isDone;
}

/** The subjects of this action in the audit log, in alphabetical order. */
async function recorded({ storage }: ServerFixture, action: string): Promise<unknown[]> {
  const rows = await storage.query(
    "select subject_label as label from audit_entries where action = $1 and outcome = 'ok'",
    [action],
  );
  return rows.map(({ label }) => label).toSorted();
}

/** Creates inactive configurations one after the other, and notes which were acknowledged, until the server dies. */
async function writeUntilItDies(
  root: RestClient,
  prefix: string,
  acknowledged: Set<string>,
): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `${prefix}-${n}`;
    const answer = await createInactiveConfig(root, name).catch(() => null);
    if (answer === null) return;
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    acknowledged.add(name);
  }
}
