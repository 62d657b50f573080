import { describe, expect, it, vi } from "vitest";
import { ADVISORY_LOCKS } from "../../src/server/platform/database/sql.ts";
import { RenewalDecision } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import {
  buildUser,
  clientWithHost,
  decide,
  expiryOf,
  insertHost,
  now,
  PART_OF_DAY,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import { holdLock, itOnPostgresql, type Lock, overlapping } from "../harness/hold-lock.ts";
import { type RestAnswer, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { within } from "../harness/time-limits.ts";

const app = useApp();
const CALLERS = 20;
vi.setConfig({ testTimeout: within(60_000) });

const lockOfUser = (id: string): Lock => ({
  statement: "select from users where id = $1 for update",
  parameters: [id],
});
const lockOfAssignments = (hostId: string): Lock => ({
  statement: "select from assignments where host_id = $1 for update",
  parameters: [hostId],
});
const lockOfDefaultConfig: Lock = {
  statement: "select pg_advisory_xact_lock($1)",
  parameters: [ADVISORY_LOCKS.defaultConfig],
};

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

/** Twenty calls, each with its index, that meet at this lock. */
function atOnce(lock: Lock, call: (index: number) => Promise<RestAnswer>): Promise<RestAnswer[]> {
  return overlapping(app.database, lock, () =>
    Array.from({ length: CALLERS }, (_, index) => call(index)),
  );
}

describe("twenty concurrent calls", () => {
  it("create one user when the usernames differ only in case", async () => {
    const spellings = Array.from({ length: CALLERS }, (_, index) =>
      [..."zhang_san"]
        .map((letter, at) => ((index >> (at % 5)) & 1 ? letter.toUpperCase() : letter))
        .join(""),
    );
    const inserts = { statement: "lock table users in share mode" };

    const answers = await atOnce(inserts, (index) =>
      app.root.post("/api/users", buildUser({ username: spellings[index] })),
    );

    const { data } = onlyWinner(answers, [409, "CONFLICT"]);
    const rows = await app.database.query(
      "select id from users where lower(username) = 'zhang_san'",
    );
    expect(rows).toEqual([{ id: data.id }]);
  });

  it("refresh one token once, and only the new token stays valid", async () => {
    const { id, token } = await app.signIn("root");

    const answers = await atOnce(lockOfUser(id), () =>
      restClient(app.url, token).post("/api/auth/refresh"),
    );

    const { data } = onlyWinner(answers, [401, "UNAUTHENTICATED"]);
    expect((await restClient(app.url, token).get("/api/auth/me")).status).toBe(401);
    expect((await restClient(app.url, data.token).get("/api/auth/me")).data.id).toBe(id);
    // That of the app and the refreshed one.
    expect(await app.database.query("select count(*)::int as sessions from sessions")).toEqual([
      { sessions: 2 },
    ]);
  });

  it("change one password once", async () => {
    const answers = await atOnce(lockOfUser(app.root.id), (index) =>
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

  it("leave one assignment of a pair, with one caller's values", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app);
    const pair = { hostId, userId: client.id, assignedAt: now() };
    const ends = Array.from(
      { length: CALLERS },
      (_, index) => pair.assignedAt + (index + 1) * DAY_SECONDS + PART_OF_DAY,
    );

    const answers = await atOnce(lockOfUser(client.id), (index) =>
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
  });

  it("end one assignment once", async () => {
    const { client, hostId } = await clientWithHost(app);

    const answers = await atOnce(lockOfAssignments(hostId), () => unassign(app, hostId, client.id));

    onlyWinner(answers, [404, "NOT_FOUND"]);
  });

  describe("about the default configuration", () => {
    async function readDefaults(): Promise<unknown[]> {
      const { data } = await app.root.get("/api/hosts/configs/list");
      return data.filter(({ isDefault }: { isDefault: boolean }) => isDefault);
    }

    function makeDefault(id: string | undefined): Promise<RestAnswer> {
      return app.root.put(`/api/hosts/configs/${id}`, { isDefault: true });
    }

    it("leave exactly one at every read", async () => {
      const configs = [await app.config(), await app.config()];
      const reads: unknown[][] = [];

      const answers = await atOnce(lockOfDefaultConfig, async (index) => {
        const answer = await makeDefault(configs[index % 2]);
        reads.push(await readDefaults());
        return answer;
      });

      expect(answers.map(({ status, data }) => [status, data.isDefault])).toEqual(
        Array(CALLERS).fill([200, true]),
      );
      for (const read of [...reads, await readDefaults()]) expect(read).toHaveLength(1);
    });

    it("leave exactly one when configurations are deleted meanwhile", async () => {
      const configs: string[] = [];
      for (let count = 0; count < 4; count++) configs.push(await app.config());

      const answers = await overlapping(app.database, lockOfDefaultConfig, () => [
        ...configs.map(makeDefault),
        ...configs.map((id) => app.root.delete(`/api/hosts/configs/${id}`)),
      ]);

      for (const { status } of answers) expect([200, 404, 409]).toContain(status);
      expect(await readDefaults()).toHaveLength(1);
    });
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
      const { client, hostId, expiry } = await clientWithHost(app);
      const id = await requestRenewal(client, hostId, 90);
      const lock = { statement: "select from renewals where id = $1 for update", parameters: [id] };

      const answers = await atOnce(lock, (index) => {
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
    },
  );

  it("create one request for a host", async () => {
    const { client, hostId } = await clientWithHost(app);
    const inserts = { statement: "lock table renewals in share mode" };

    const answers = await atOnce(inserts, (index) =>
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

itOnPostgresql("a completed renewal adds its days to an expiry that is being changed", async () => {
  const { client, hostId, expiry } = await clientWithHost(app);
  const id = await requestRenewal(client, hostId, 30);
  const statement = "update assignments set assigned_expire_time = assigned_expire_time + $1";
  await using change = await holdLock(app.database, statement, [10 * DAY_SECONDS]);
  const completed = decide(app, id, "completed");
  await change.awaited();

  await change.release();

  expect((await completed).data.assignedExpireTime).toBe(expiry + 40 * DAY_SECONDS);
});

it.each([0, 1])(
  "two super admins who disable and delete each other leave one: %i begins",
  async (beginner) => {
    const pair = [app.root, await app.account("super_admin")] as const;
    const disabled = await app.account("super_admin");
    await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
    const lock = { statement: "select from users where role = 'super_admin' for update" };

    const answers = await atOnce(lock, (index) => {
      const [actor, target] = (index + beginner) % 2 === 0 ? pair : [pair[1], pair[0]];
      const path = `/api/users/${target.id}`;
      // One pair of calls disables, the next deletes.
      return index % 4 < 2 ? actor.put(path, { isActive: false }) : actor.delete(path);
    });

    for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status);
    const rows = await app.database.query(
      "select id, username from users where role = 'super_admin' and is_active",
    );
    expect(rows).toHaveLength(1);
    const survivor = pair.find(({ id }) => id === rows[0]?.id);
    expect((await survivor?.get("/api/auth/me"))?.status).toBe(200);
    await app.signIn(String(rows[0]?.username));
  },
);

itOnPostgresql("connections killed inside transactions leave a complete pool", async () => {
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
});

itOnPostgresql.each(RenewalDecision.options)(
  "deleting a client during a decision as %s causes no deadlock",
  async (decision) => {
    // The server retries deadlocks, so answers do not show them.
    const count = "select deadlocks from pg_stat_database where datname = current_database()";
    const deadlocks = () => app.database.query(count);
    const { client, hostId } = await clientWithHost(app);
    const id = await requestRenewal(client, hostId);
    const before = await deadlocks();
    await using events = await holdLock(app.database, "select pg_advisory_xact_lock($1)", [
      ADVISORY_LOCKS.eventAppend,
    ]);
    const deleted = app.root.delete(`/api/users/${client.id}`);
    await events.awaited(1);
    const decided = decide(app, id, decision);
    await events.awaited(2);

    await events.release();

    expect((await deleted).status).toBe(200);
    // The deletion had everything but its events, and cancels what is still open.
    expect((await decided).status).toBe(409);
    expect((await app.root.get(`/api/renewals/${id}`)).data.status).toBe("cancelled");
    expect(await deadlocks()).toEqual(before);
  },
);
