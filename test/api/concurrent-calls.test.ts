import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/platform/database/sql.ts";
import { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import {
  clientWithHost,
  decide,
  expiryOf,
  insertHost,
  now,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { type RestAnswer, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { restoreSnapshot, takeSnapshot } from "../harness/snapshot.ts";

const app = useApp();
const CALLERS = 20;
/** Number of rounds per race. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3);
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 4_000 });

async function eachRound(race: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round++) await race(round);
}

/** Asserts that one call succeeded and the others failed with this error; returns the winner. */
function onlyWinner(
  answers: readonly RestAnswer[],
  refusal: readonly [status: number, code: string],
): RestAnswer {
  const refused = answers.filter(({ status }) => status >= 300);
  expect(refused.map(({ status, data }) => [status, data.code])).toEqual(
    Array(answers.length - 1).fill(refusal),
  );
  const [winner] = answers.filter(({ status }) => status < 300);
  if (winner === undefined) throw new Error("no call succeeded");
  return winner;
}

/** Runs twenty calls concurrently, each with its index. */
function atOnce(call: (index: number) => Promise<RestAnswer>): Promise<RestAnswer[]> {
  return Promise.all(Array.from({ length: CALLERS }, (_, index) => call(index)));
}

describe("twenty concurrent calls", () => {
  it("create one user when the usernames differ only in case", async () => {
    await eachRound(async (round) => {
      const name = `zhang_san_${round}`;
      const answers = await atOnce((index) => {
        const letters = [...name].map((letter, at) =>
          (index >> (at % 5)) & 1 ? letter.toUpperCase() : letter,
        );
        const user = {
          username: letters.join(""),
          password: PASSWORD,
          name: "张三",
          role: "client",
        };
        return app.root.post("/api/users", user);
      });
      const { data } = onlyWinner(answers, [409, "CONFLICT"]);
      const rows = await app.database.query("select id from users where lower(username) = $1", [
        name,
      ]);
      expect(rows).toEqual([{ id: data.id }]);
    });
  });

  it("refresh one token once, and only the new token stays valid", async () => {
    await eachRound(async () => {
      const { id, token } = await app.signIn("root");
      const answers = await atOnce(() => restClient(app.url, token).post("/api/auth/refresh"));
      const { data } = onlyWinner(answers, [401, "UNAUTHENTICATED"]);
      expect((await restClient(app.url, token).get("/api/auth/me")).status).toBe(401);
      expect((await restClient(app.url, data.token).get("/api/auth/me")).data.id).toBe(id);
      await restClient(app.url, data.token).post("/api/auth/logout");
    });
    // The first super admin's session predates the race.
    expect(await app.database.query("select count(*)::int as sessions from sessions")).toEqual([
      { sessions: 1 },
    ]);
  });

  it("change one password once", async () => {
    const answers = await atOnce((index) =>
      app.root.put("/api/auth/password", {
        currentPassword: PASSWORD,
        newPassword: `Another${index}Horse`,
      }),
    );
    const [winner, ...others] = answers.flatMap(({ status }, index) =>
      status === 200 ? [index] : [],
    );
    expect(others).toEqual([]);
    await app.signIn("root", `Another${winner}Horse`);
  });

  it("leave one assignment of a pair, with one caller's values, and end it once", async () => {
    const client = await app.account("client");
    await eachRound(async () => {
      const hostId = await insertHost(app);
      const pair = { hostId, userId: client.id, assignedAt: now() };
      const ends = Array.from(
        { length: CALLERS },
        (_, index) => pair.assignedAt + (index + 1) * DAY_SECONDS,
      );
      const answers = await atOnce((index) =>
        app.root.post("/api/hosts/assign", { ...pair, assignedExpireTime: ends[index] }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(CALLERS).fill(200));
      for (const { data } of answers) expect(data.users).toHaveLength(1);
      expect(ends).toContain(await expiryOf(app, hostId, client));
      const events = await app.database.query(
        "select type from events where payload->>'hostId' = $1",
        [hostId],
      );
      expect(events).toHaveLength(CALLERS);
      onlyWinner(await atOnce(() => unassign(app, hostId, client.id)), [404, "NOT_FOUND"]);
    });
  });

  it("leave exactly one default configuration at every read, and after deletions too", async () => {
    const configs = [await app.config(), await app.config()];
    const readDefaults = async (): Promise<unknown[]> => {
      const { data } = await app.root.get("/api/hosts/configs/list");
      return data.filter(({ isDefault }: { isDefault: boolean }) => isDefault);
    };
    const makeDefault = (id: string | undefined) =>
      app.root.put(`/api/hosts/configs/${id}`, { isDefault: true });
    await eachRound(async () => {
      const reads: unknown[][] = [];
      const answers = await atOnce(async (index) => {
        const answer = await makeDefault(configs[index % 2]);
        reads.push(await readDefaults());
        return answer;
      });
      expect(answers.map(({ status, data }) => [status, data.isDefault])).toEqual(
        Array(CALLERS).fill([200, true]),
      );
      for (const read of [...reads, await readDefaults()]) expect(read).toHaveLength(1);
    });
    configs.push(await app.config(), await app.config());
    const deletions = configs.map((id) => app.root.delete(`/api/hosts/configs/${id}`));
    for (const { status } of await Promise.all([...configs.map(makeDefault), ...deletions])) {
      expect([200, 404, 409]).toContain(status);
    }
    expect(await readDefaults()).toHaveLength(1);
  });
});

describe("twenty concurrent calls about one renewal request", () => {
  /** Types of the request's events in order. */
  async function eventsOf(id: string): Promise<unknown[]> {
    const sql = "select type from events where payload->>'renewalId' = $1 order by id";
    return (await app.database.query(sql, [id])).map(({ type }) => type);
  }

  it.each(RenewalDecision.options)(
    "decide it as %s or cancel it once, in state, date and event",
    async (decision) => {
      const second = await app.account("super_admin");
      await eachRound(async () => {
        const { client, hostId, expiry } = await clientWithHost(app);
        const id = await requestRenewal(client, hostId, 90);
        const answers = await atOnce((index) => {
          if (index % 4 === 0) return client.delete(`/api/renewals/${id}`);
          return decide({ root: index % 2 === 0 ? app.root : second }, id, decision);
        });
        const status = onlyWinner(answers, [409, "STATE_CONFLICT"]).data.status ?? "cancelled";
        expect((await client.get(`/api/renewals/${id}`)).data.status).toBe(status);
        expect(await expiryOf(app, hostId, client)).toBe(
          expiry + (status === "completed" ? 90 * DAY_SECONDS : 0),
        );
        const event = status === "cancelled" ? "renewal.cancelled" : "renewal.processed";
        expect(await eventsOf(id)).toEqual(["renewal.created", event]);
      });
    },
  );

  it("create one request for a host", async () => {
    await eachRound(async () => {
      const { client, hostId } = await clientWithHost(app);
      const answers = await atOnce((index) =>
        client.post("/api/renewals", { hostId, requestedDuration: index + 1 }),
      );
      const { data } = onlyWinner(answers, [409, "CONFLICT"]);
      const rows = await app.database.query(
        "select id, requested_duration from renewals where host_id = $1",
        [hostId],
      );
      expect(rows).toEqual([{ id: data.id, requested_duration: data.requestedDuration }]);
      expect(await eventsOf(data.id)).toEqual(["renewal.created"]);
    });
  });
});

itOnPostgresql(
  "a completed renewal adds its days to an expiry that is being changed at the same time",
  async () => {
    const { client, hostId, expiry } = await clientWithHost(app);
    const id = await requestRenewal(client, hostId, 30);
    const statement = "update assignments set assigned_expire_time = assigned_expire_time + $1";
    await using change = await holdLock(app.database, statement, [10 * DAY_SECONDS]);
    const completed = decide(app, id, "completed");
    await change.awaited();
    await change.release();
    expect((await completed).data.assignedExpireTime).toBe(expiry + 40 * DAY_SECONDS);
  },
);

it("two super admins who disable and delete each other with ten calls each leave one, who can still sign in", async () => {
  const pair = [app.root, await app.account("super_admin")] as const;
  const disabled = await app.account("super_admin");
  await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
  const before = await takeSnapshot(app.database);
  await eachRound(async (round) => {
    await restoreSnapshot(app.database, before);
    const answers = await atOnce((index) => {
      const [actor, target] = (index + round) % 2 === 0 ? pair : [pair[1], pair[0]];
      const path = `/api/users/${target.id}`;
      // One pair of calls disables, the next deletes.
      return index % 4 < 2 ? actor.put(path, { isActive: false }) : actor.delete(path);
    });
    const rows = await app.database.query(
      "select id, username from users where role = 'super_admin' and is_active",
    );
    expect(rows).toHaveLength(1);
    const survivor = pair.find(({ id }) => id === rows[0]?.id);
    expect((await survivor?.get("/api/auth/me"))?.status).toBe(200);
    for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status);
    await app.signIn(String(rows[0]?.username));
  });
});

itOnPostgresql(
  "connections killed inside transactions leave a complete pool, even if more than it has",
  async () => {
    const change = () => app.root.put("/api/system-config", { show_network_info_to_client: true });
    const waiting =
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    const waitingBackends = () => app.database.query(waiting);
    await using lock = await holdLock(app.database, "select from settings for update");
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: 4 }, change);
      await expect.poll(waitingBackends).toHaveLength(4);
      for (const { pid } of await waitingBackends())
        await app.database.query("select pg_terminate_backend($1)", [pid]);
      for (const { status } of await Promise.all(calls)) expect(status).toBe(503);
    }
    const calls = Array.from({ length: 10 }, change);
    await expect.poll(waitingBackends).toHaveLength(10);
    await lock.release();
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  },
);

it.each(RenewalDecision.options)(
  "deleting a client during a decision as %s causes no deadlock",
  async (decision) => {
    // The server retries deadlocks, so answers do not show them.
    const count = "select deadlocks from pg_stat_database where datname = current_database()";
    const deadlocks = () => app.database.query(count);
    const { client, hostId } = await clientWithHost(app);
    const id = await requestRenewal(client, hostId);
    const before = await deadlocks();
    await app.database.query("begin");
    await app.database.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.eventAppend]);
    const deleted = app.root.delete(`/api/users/${client.id}`);
    await sleep(300);
    const decided = decide(app, id, decision);
    await sleep(300);
    await app.database.query("commit");
    expect((await deleted).status).toBe(200);
    // Either call may come first, and each order has one correct result.
    const { status } = await decided;
    expect([200, 409]).toContain(status);
    const { data } = await app.root.get(`/api/renewals/${id}`);
    // Deleting the client cancels what is still open, approved requests included.
    const isFinal = status === 200 && decision !== "approved";
    expect(data.status).toBe(isFinal ? decision : "cancelled");
    expect(await deadlocks()).toEqual(before);
  },
);
