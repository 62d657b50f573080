import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { ADVISORY_LOCKS } from "../../../src/server/database/sql.ts";
import { onlyWinner } from "../../harness/answers.ts";
import { restClient } from "../../harness/rest.ts";
import {
  configure,
  eventually,
  hostTotal,
  openStage,
  providerTotal,
  runOf,
  type Stage,
  signIn,
  syncAll,
  syncHalfWay,
} from "../../harness/stage.ts";
import type { TestStorage } from "../../harness/storage.ts";
import { startBalancer } from "./balancer.ts";
import { printOutcome } from "./outcomes.ts";
import { pendingRenewal, renewingClient } from "./renewal.ts";
import { IS_SHORT, ON_SERVER, ROUNDS_LIMIT, rounds } from "./rounds.ts";

const CALLERS = 20;
/** How long the owner of a run is stopped, in ms: at least until its run is interrupted. */
const FROZEN = IS_SHORT ? 0 : 90_000;

describe.concurrent.each(ON_SERVER)("two replicas behind a proxy, on $name", ({ name, server }) => {
  test(
    "let exactly one of twenty callers win, every time, with one event and one step of the date",
    async () => {
      await using stage = await openStage({ server, hosts: 20 });
      const replicas = await Promise.all([stage.start(), stage.start()]);
      await using balancer = await startBalancer(replicas.map(({ url }) => url));
      const root = await signIn(balancer.url);
      await configure(root, stage.provider);
      await syncAll(root);
      const renewing = await renewingClient(root);
      const total = rounds(100, 3);
      for (let round = 0; round < total; round++) {
        const { id, expiry } = await pendingRenewal(balancer.url, root, renewing);
        const decide = () => root.put(`/api/renewals/${id}/process`, { status: "completed" });
        onlyWinner(await Promise.all(Array.from({ length: CALLERS }, decide)), [409, "STATE_CONFLICT"]);
        const { users } = (await root.get(`/api/hosts/${renewing.hostId}`)).data;
        expect(users).toMatchObject([{ id: renewing.userId, assignedExpireTime: expiry + 30 * 86_400 }]);
        const sql = "select type from events where payload->>'renewalId' = $1 order by id";
        const events = (await stage.storage.query(sql, [id])).map(({ type }) => type);
        expect(events).toEqual(["renewal.created", "renewal.processed"]);
      }
      printOutcome({
        scenario: `${CALLERS} callers race for one act over two replicas`,
        database: name,
        rounds: total,
        outcome: "exactly one winner, the others 409; one event and one step of the date each",
      });
    },
    ROUNDS_LIMIT,
  );

  test(
    "interrupt the sync of a stopped process, which writes nothing once it continues",
    async () => {
      await using stage = await openStage({ server });
      const { frozen, awake, root, runId } = await startHalfSync(stage);
      process.kill(frozen.pid, "SIGSTOP");
      const began = performance.now();
      try {
        await eventually(async () => expect((await runOf(awake, runId)).status).toBe("interrupted"), 60_000);
        const freed = performance.now() - began;
        const next = awake.post("/api/hosts/sync?wait=25");
        await stage.provider.control("release");
        expect((await next).data.runs).toMatchObject([{ status: "succeeded", gone: 0 }]);
        expect(await hostTotal(awake)).toBe(await providerTotal(stage.provider));
        const before = await rowsOf(stage.storage);
        await sleep(Math.max(0, FROZEN - (performance.now() - began)));
        process.kill(frozen.pid, "SIGCONT");
        const woken = restClient(frozen.url, root.token);
        await eventually(async () => expect((await woken.get("/api/auth/me")).status).toBe(200));
        await sleep(3_000);
        expect(await rowsOf(stage.storage)).toEqual(before);
        expect(await runOf(woken, runId)).toMatchObject({ status: "interrupted", gone: 0 });
        expect((await woken.post("/api/hosts/sync?wait=25")).data.runs).toMatchObject([{ status: "succeeded" }]);
        printOutcome({
          scenario: `the owner of a sync frozen for ${FROZEN / 1000} s`,
          database: name,
          rounds: 1,
          outcome: `its run interrupted after ${(freed / 1000).toFixed(1)} s, the next one complete; 0 late writes`,
        });
      } finally {
        process.kill(frozen.pid, "SIGCONT");
      }
    },
    ROUNDS_LIMIT,
  );

  test(
    "interrupt the sync of a process that was stopped inside a transaction, with its locks",
    async () => {
      await using stage = await openStage({ server });
      const { frozen, awake, runId } = await startHalfSync(stage);
      {
        // Its next event waits for the lock, with the run's row locked.
        await using _lock = await holdEventLock(stage.storage);
        await eventually(async () => expect(await waitingForEventLock(stage.storage)).toBeGreaterThan(0));
        process.kill(frozen.pid, "SIGSTOP");
      }
      const began = performance.now();
      try {
        await eventually(async () => expect((await runOf(awake, runId)).status).toBe("interrupted"), 60_000);
        const freed = performance.now() - began;
        await stage.provider.control("release");
        const next = await awake.post("/api/hosts/sync?wait=25");
        expect(next.data.runs).toMatchObject([{ status: "succeeded", gone: 0 }]);
        printOutcome({
          scenario: "the owner of a sync frozen in the middle of a transaction",
          database: name,
          rounds: 1,
          outcome: `its run interrupted after ${(freed / 1000).toFixed(1)} s, the next one complete`,
        });
      } finally {
        process.kill(frozen.pid, "SIGCONT");
      }
    },
    ROUNDS_LIMIT,
  );
});

/** A sync that is half done in `frozen`, which was the only process when it began; `awake` calls another one. */
async function startHalfSync(stage: Stage) {
  const frozen = await stage.start();
  const root = await signIn(frozen.url);
  await configure(root, stage.provider);
  const runId = await syncHalfWay(root, stage.provider);
  const other = await stage.start();
  return { frozen, awake: restClient(other.url, root.token), root, runId };
}

/** Blocks the events of all replicas until it is disposed. */
async function holdEventLock({ env }: TestStorage): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.eventAppend]);
  return { [Symbol.asyncDispose]: () => client.end() };
}

async function waitingForEventLock({ query }: TestStorage): Promise<number> {
  const [row] = await query(
    `select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and l.objid = $1 and not l.granted`,
    [ADVISORY_LOCKS.eventAppend],
  );
  return Number(row?.waiting);
}

/** All hosts as they stand. */
async function rowsOf({ query }: { query(sql: string): Promise<Record<string, unknown>[]> }): Promise<unknown> {
  return await query("select md5(string_agg(t::text, '|' order by t.id)) as rows, count(*)::int as n from hosts t");
}
