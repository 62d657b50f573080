import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { presentEvent } from "../../src/server/event-presenters.ts";
import { findCaller, findLiveSessions } from "../../src/server/modules/auth/find-caller.ts";
import { systemClock as clock } from "../../src/server/platform/clock.ts";
import { databaseClock } from "../../src/server/platform/database/database-clock.ts";
import { ADVISORY_LOCKS } from "../../src/server/platform/database/sql.ts";
import type { StoredEvent } from "../../src/server/platform/events/event.ts";
import { EventHub } from "../../src/server/platform/events/hub.ts";
import { streamEvents } from "../../src/server/platform/events/stream.ts";
import { Subscription } from "../../src/server/platform/events/subscription.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { createMetrics } from "../../src/server/platform/metrics.ts";
import type { FindLiveSessions } from "../../src/server/platform/trpc/caller.ts";
import type { StreamEvent } from "../../src/shared/events.ts";
import { useApp } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { MISSING } from "../harness/data.ts";
import { append, progress, settingsChanged } from "../harness/events.ts";
import { holdLock, itOnPostgresql } from "../harness/hold-lock.ts";
import { connect, follow, progressNumbers, type RawClient } from "../harness/raw-client.ts";
import { silentLog } from "../harness/silent-log.ts";
import { startApp } from "../harness/start-app.ts";
import { within } from "../harness/time-limits.ts";

const DROPS = Number(process.env.FORCED_DROPS ?? 20);
const SEED = Number(process.env.DROPS_SEED ?? Date.now() % 1_000_000);

const app = useApp();
/** The stream of the first super admin. */
const openStream = (lastEventId?: string) => follow(app.url, app.root.token, lastEventId);

/** Events of types that this version does not know, as after the rollback of a newer one. */
async function appendUnknown(count: number): Promise<void> {
  await app.database.query(
    `insert into events (type, payload, created_at)
     select 'host.renamed', '{"hostId": 17}', $2::bigint from generate_series(1, $1::int)`,
    [count, clock.now()],
  );
}

/**
 * As after the promotion of a standby that had not received the newest events: their ids are given
 * again, to other events.
 */
async function loseNewest(count: number, others: readonly StoredEvent[]): Promise<void> {
  await app.database.query(
    `with lost as (
       delete from events where id > (select max(id) - $1::int from events) returning id
     )
     insert into events (id, type, payload, created_at) overriding system value
     select (select min(id) from lost) + e.position - 1, e.event->>'type', e.event->'data', $3
     from jsonb_array_elements($2::jsonb) with ordinality as e (event, position)`,
    [count, JSON.stringify(others), clock.now()],
  );
  await app.database.query("select setval('events_id_seq', (select max(id) from events))");
}

/** A stream that ends so is opened again after its last event. */
function hasEnded({ messages }: Pick<RawClient, "messages">): boolean {
  return messages.some(({ error }) => error?.data.code === "UNAVAILABLE");
}

/** The id of the newest event, as streams give it. */
async function newestId(): Promise<string> {
  await using client = await openStream();
  return client.events[0]?.id ?? "";
}

/** What a call of the first super admin brings. */
const rootCredentials = () => ({ token: app.root.token ?? "", ip: "127.0.0.1" });

function streamDeps() {
  const sessionLimits = { ttl: 43_200, idle: 7_200 };
  const findLive: FindLiveSessions = (em, ids) =>
    findLiveSessions({ em, clock, sessionLimits }, ids);
  return {
    orm: app.orm,
    bus: createLocalBus(),
    log: silentLog,
    clock,
    databaseClock,
    metrics: createMetrics(),
    sessionLimits,
    findLiveSessions: findLive,
    presentEvent,
  };
}

describe("events.stream", () => {
  it(`loses and duplicates no event over ${DROPS} disconnects (DROPS_SEED=${SEED})`, {
    timeout: within(60_000 + DROPS * 500),
  }, async () => {
    const received: number[] = [];
    let lastEventId: string | undefined;
    let isDone = false;
    let appended = 0;
    const appending = (async () => {
      while (!isDone) {
        await append(app, progress(++appended), progress(++appended));
        await sleep(3);
      }
    })();
    onTestFinished(async () => {
      isDone = true;
      await appending;
    });
    const drops = fc.sample(fc.nat({ max: 19 }), { numRuns: DROPS, seed: SEED });
    for (const [drop, enough] of drops.entries()) {
      await using client = await openStream(lastEventId);
      expect(client.events[0]?.event.data).toEqual({ resumed: drop > 0 });
      await client.until(({ events }) => events.length > enough);
      // Later frames are lost, like after a network failure.
      received.push(...progressNumbers(client));
      lastEventId = client.events.at(-1)?.id;
    }
    isDone = true;
    await appending;
    await using client = await openStream(lastEventId);
    await client.until(() => [...received, ...progressNumbers(client)].at(-1) === appended);
    received.push(...progressNumbers(client));
    const first = received[0] ?? 0;

    expect(received).toEqual(Array.from({ length: appended - first + 1 }, (_, n) => first + n));
  });

  it("replays many pages of events, followed by new ones", async () => {
    await using before = await openStream();
    await app.database.query(
      `insert into events (type, payload, created_at)
       select 'sync.progress', jsonb_set($1::jsonb, '{hostsSeen}', to_jsonb(n)), $2 from generate_series(1, 300) n`,
      [JSON.stringify(progress(0).data), clock.now()],
    );
    await using client = await openStream(before.events[0]?.id);
    for (let n = 301; n <= 320; n++) await append(app, progress(n));
    await client.until(() => progressNumbers(client).length >= 320);
    expect(client.events[0]?.event).toEqual({ type: "stream.ready", data: { resumed: true } });
    expect(progressNumbers(client)).toEqual(Array.from({ length: 320 }, (_, n) => n + 1));
  });

  it("passes over events of a newer version in a replay, ends it, and goes on", async () => {
    await using before = await openStream();
    await append(app, progress(1));
    await appendUnknown(60);
    await append(app, progress(2));
    await appendUnknown(60);

    await using client = await openStream(before.events[0]?.id);
    await client.until(() => progressNumbers(client).length === 2);
    await append(app, progress(3));
    await appendUnknown(60);
    await append(app, progress(4));

    await client.until(() => progressNumbers(client).length === 4);
    await before.until(() => progressNumbers(before).length === 4);
    const types = ["stream.ready", ...Array(4).fill("sync.progress")];
    expect(client.events.map(({ event }) => event.type)).toEqual(types);
    expect(before.events.map(({ event }) => event.type)).toEqual(types);
    expect(client.events[0]?.event.data).toEqual({ resumed: true });
  });

  it("replays nothing to a caller that is more than 300 events behind", async () => {
    await using before = await openStream();
    const missed = Array.from({ length: 301 }, (_, n) => progress(n));
    await append(app, ...missed);

    await using client = await openStream(before.events[0]?.id);

    await append(app, progress(1_000));
    await client.until(() => progressNumbers(client).length > 0);
    expect(client.events[0]?.event).toEqual({ type: "stream.ready", data: { resumed: false } });
    expect(progressNumbers(client)).toEqual([1_000]);
  });

  itOnPostgresql("begins anew when the clean-up overtakes its replay", async () => {
    const { token } = await app.account("admin");
    await using before = await follow(app.url, token);
    const hidden = {
      type: "assignment.changed",
      data: { hostId: MISSING, userId: MISSING },
    } as const;
    await append(app, hidden, ...Array.from({ length: 60 }, () => settingsChanged(true)));
    await before.until(({ events }) => events.length === 61);
    await using lock = await holdLock(
      app.database,
      "lock table assignments in access exclusive mode",
    );
    await using client = await follow(app.url, token, before.events[0]?.id);
    await lock.awaited();
    await app.database.query("delete from events where id < (select max(id) from events)");
    await lock.release();

    await client.until(hasEnded);
    client.subscribe(client.events.at(-1)?.id, 2);
    // `ready`, the rest of a page of 50, and `ready` again.
    await client.until(({ events }) => events.length === 51);

    expect(client.events.at(-1)?.event).toEqual({ type: "stream.ready", data: { resumed: false } });
  });

  it("does not resume from what is no id, and refuses what is too long or no text", async () => {
    await append(app, progress(1), progress(2));
    for (const lastEventId of ["abc", "-1", "1e3", "007", "99999999999999", ""]) {
      await using client = await openStream(lastEventId);
      expect([lastEventId, client.events[0]?.event.data]).toEqual([
        lastEventId,
        { resumed: false },
      ]);
    }
    await using client = await connect(app.url, app.root.token);
    for (const [id, lastEventId] of ["1\0", "\ud800", "1".repeat(101)].entries()) {
      client.subscribe(lastEventId, id);
      await client.until(({ messages }) => messages.length === id + 1);
      expect(client.messages.at(-1)?.error?.data.code).toBe("INVALID_INPUT");
    }
  });

  it("keeps events for a day and the newest for ever, and resumes after those that it keeps", async () => {
    await using client = await openStream();
    await append(app, progress(1), progress(2), progress(3), progress(4));
    await client.until(() => progressNumbers(client).length === 4);
    await app.database.query("delete from events where type <> 'sync.progress'");
    const removeOld = async (seconds: number, condition: string) => {
      await app.database.query(
        `update events set created_at = created_at - ${seconds} where ${condition}`,
      );
      await cleanUp(app, { clock });
      const left = await app.database.query(
        "select payload->>'hostsSeen' as seen from events order by id",
      );
      return left.map(({ seen }) => Number(seen));
    };
    expect(await removeOld(86_000, "true")).toEqual([1, 2, 3, 4]);
    expect(await removeOld(410, "payload->>'hostsSeen' < '3'")).toEqual([3, 4]);
    expect(await removeOld(410, "true")).toEqual([4]);
    const resumed = async (id: string | undefined) => {
      await using again = await openStream(id);
      return again.events[0]?.event.data;
    };
    const [, , , third, newest] = client.events.map(({ id }) => id);
    expect(await resumed(newest)).toEqual({ resumed: true });
    expect(await resumed(third)).toEqual({ resumed: false });
  });

  it("follows a change of its user's role while it is open", async () => {
    const { token, id } = await app.account("super_admin");
    await using client = await follow(app.url, token);
    await append(app, progress(1));
    await client.until(() => progressNumbers(client).length === 1);
    await app.database.query("update users set role = 'admin' where id = $1", [id]);
    await append(app, progress(2), settingsChanged(false));

    await client.until(({ events }) => events.at(-1)?.event.type === "settings.changed");

    expect(progressNumbers(client)).toEqual([1]);
  });

  it("ends open streams when the event log went back, and begins them anew", async () => {
    await using client = await openStream();
    await append(app, progress(1), progress(2), progress(3));
    await client.until(() => progressNumbers(client).length === 3);

    await app.database.query("truncate events restart identity");
    await client.until(hasEnded);
    client.subscribe(client.events.at(-1)?.id, 2);
    await client.until(({ events }) => events.at(-1)?.event.type === "stream.ready");
    await append(app, progress(4));
    await client.until(() => progressNumbers(client).at(-1) === 4);

    const ready = client.events.at(-2);
    expect(ready).toEqual({
      id: "0",
      event: { type: "stream.ready", data: { resumed: false } },
    });
  });

  it("ends a replay when the event log goes back meanwhile", async () => {
    const deps = streamDeps();
    const caller = await findCaller({ ...deps, em: app.orm.em.fork() }, rootCredentials());
    if (caller === null) throw new Error("root is not signed in");
    await app.database.query("truncate events restart identity");
    await append(app, progress(1), progress(2), progress(3));
    await using hub = await EventHub.start(deps);
    const { signal } = new AbortController();
    const stream = streamEvents({ ...deps, hub }, { caller, lastEventId: "1", signal });
    const opened = await stream.next();

    await app.database.query("truncate events restart identity");
    const next = stream.next();

    const rest = expect.anything();
    expect(opened).toMatchObject({ value: ["1", { data: { resumed: true } }, rest] });
    await expect(next).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("ends open streams when the log lost its end and new rows took its ids", async () => {
    await using client = await openStream();
    await append(app, progress(1), progress(2), progress(3));
    await client.until(() => progressNumbers(client).length === 3);

    await loseNewest(2, [progress(12), progress(13), progress(14)]);
    await client.until(hasEnded);
    client.subscribe(client.events.at(-1)?.id, 2);
    await client.until(({ events }) => events.at(-1)?.event.type === "stream.ready");
    await append(app, progress(15));

    await client.until(() => progressNumbers(client).at(-1) === 15);
    expect(client.events.slice(-2).map(({ event }) => event)).toEqual([
      { type: "stream.ready", data: { resumed: false } },
      progress(15),
    ]);
  });

  it("does not resume after an event that the log lost, though its id is there", async () => {
    await using before = await openStream();
    await append(app, progress(1), progress(2), progress(3));
    await before.until(() => progressNumbers(before).length === 3);
    const [, first, , last] = before.events.map(({ id }) => id);
    await loseNewest(1, [progress(13), progress(14)]);

    await using lost = await openStream(last);
    await using kept = await openStream(first);
    await kept.until(() => progressNumbers(kept).length === 3);

    expect(lost.events[0]?.event.data).toEqual({ resumed: false });
    expect(kept.events[0]?.event.data).toEqual({ resumed: true });
    expect(progressNumbers(kept)).toEqual([2, 13, 14]);
  });

  it("does not resume after an event that the log lost for good", async () => {
    await using before = await openStream();
    await append(app, progress(1), progress(2));
    await before.until(() => progressNumbers(before).length === 2);
    const last = before.events.at(-1)?.id;
    // The sequence of a promoted standby is ahead of its rows.
    await app.database.query("delete from events where id = (select max(id) from events)");
    await append(app, progress(3));

    await using client = await openStream(last);

    expect(client.events[0]?.event.data).toEqual({ resumed: false });
  });

  it("ends a replay when the log loses its end meanwhile", async () => {
    const deps = streamDeps();
    const caller = await findCaller({ ...deps, em: app.orm.em.fork() }, rootCredentials());
    if (caller === null) throw new Error("root is not signed in");
    await append(app, progress(1), progress(2));
    await using hub = await EventHub.start(deps);
    const { signal } = new AbortController();
    const start = { caller, lastEventId: await newestId(), signal };
    await append(app, progress(3));
    const stream = streamEvents({ ...deps, hub }, start);
    const opened = await stream.next();

    await loseNewest(2, [progress(12), progress(13), progress(14)]);
    const next = stream.next();

    const rest = expect.anything();
    expect(opened).toMatchObject({ value: [start.lastEventId, { data: { resumed: true } }, rest] });
    await expect(next).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("resumes after an id of the version before, which names no mark", async () => {
    await using before = await openStream();
    await append(app, progress(1), progress(2));
    await before.until(() => progressNumbers(before).length === 2);
    const [plain] = before.events[1]?.id.split(".") ?? [];

    await using client = await openStream(plain);
    await client.until(() => progressNumbers(client).length === 1);

    expect(client.events[0]).toMatchObject({ id: plain, event: { data: { resumed: true } } });
    expect(progressNumbers(client)).toEqual([2]);
  });

  it("gives ids that rise as numbers, for events of one row and of many", async () => {
    await using client = await openStream();
    await append(app, ...Array.from({ length: 20 }, (_, n) => progress(n)));
    await client.until(() => progressNumbers(client).length === 20);

    const ids = client.events.map(({ id }) => id);

    expect(ids.map(Number)).toEqual(ids.map(Number).sort((a, b) => a - b));
    for (const id of ids.slice(1)) expect(id).toMatch(/^\d+\.\d{7}$/);
  });

  it("replaces an event that cannot be presented with a refetch and continues", async () => {
    const { database } = app;
    await database.query("alter table renewals rename column status to state");
    onTestFinished(
      async () => void (await database.query("alter table renewals rename column state to status")),
    );
    await using client = await openStream();
    await append(app, { type: "renewal.created", data: { renewalId: MISSING } }, progress(7));

    await client.until(() => progressNumbers(client).length === 1);

    expect(client.events.slice(1).map(({ event }) => event.type)).toEqual([
      "stream.ready",
      "sync.progress",
    ]);
  });

  it("allows a user 20 streams and rejects the 21st", async () => {
    const { token } = await app.account("client");
    await using client = await follow(app.url, token);
    for (let id = 2; id <= 21; id++) client.subscribe(undefined, id);
    await client.until(({ messages }) => messages.some(({ error }) => error !== undefined));
    await client.until(({ events }) => events.length === 20);
    const refused = client.messages.filter(({ error }) => error !== undefined);
    expect(refused.map(({ error }) => error?.data.code)).toEqual(["TOO_MANY_REQUESTS"]);
    client.send({ id: 1, method: "subscription.stop" });
    await client.until(({ messages }) =>
      messages.some(({ id, result }) => id === 1 && result?.type === "stopped"),
    );
    client.subscribe(undefined, 22);
    await client.until(({ events }) => events.length === 21);
  });

  it("counts the streams of all sessions of a user, and of nobody else", async () => {
    const sessions = [await app.signIn("root"), await app.signIn("root")];
    await using first = await follow(app.url, sessions[0]?.token ?? "");
    await using second = await follow(app.url, sessions[1]?.token ?? "");
    await using other = await follow(app.url, (await app.account("client")).token);
    for (let id = 2; id <= 10; id++) first.subscribe(undefined, id);
    for (let id = 2; id <= 11; id++) second.subscribe(undefined, id);

    await second.until(({ messages }) => messages.some(({ error }) => error !== undefined));
    await other.until(({ events }) => events.length === 1);

    const refused = [first, second, other].flatMap(({ messages }) =>
      messages.flatMap(({ error }) => (error === undefined ? [] : [error.data.code])),
    );
    expect(refused).toEqual(["TOO_MANY_REQUESTS"]);
  });
});

describe("what waits for a slow reader", () => {
  const session = {
    id: "1",
    credentialId: "1",
    token: null,
    username: "a",
    name: "a",
    mustChangePassword: false,
    lacksSecondFactor: false,
  } as const;
  const hint = (configId: string) => ({ type: "hosts.changed", data: { configId } }) as const;

  async function takenOf(waiting: readonly StreamEvent[]): Promise<unknown[]> {
    const reader = new Subscription(
      { ...session, role: "super_admin" },
      AbortSignal.timeout(5_000),
    );
    for (const [id, event] of waiting.entries())
      reader.push({ id, mark: null, event, createdAt: 1 });
    // The last one says that nothing is left.
    const end = { type: "stream.ready", data: { resumed: true } } as const;
    reader.push({ id: waiting.length, mark: null, event: end, createdAt: 1 });

    const taken: unknown[] = [];
    for (;;) {
      const next = await reader.take();
      if (next === null || next.event === end) return taken;
      taken.push(next.event);
    }
  }

  it("has one hint per configuration for hints in a row", async () => {
    const taken = await takenOf([hint("a"), hint("a"), hint("b")]);

    expect(taken).toEqual([hint("a"), hint("b")]);
  });

  it.each<[type: string, of: (id: string) => StreamEvent]>([
    ["assignment.changed", (hostId) => ({ type: "assignment.changed", data: { hostId } })],
    ["renewal.created", (id) => ({ type: "renewal.created", data: { id, status: "pending" } })],
    [
      "renewal.processed",
      (id) => ({ type: "renewal.processed", data: { id, status: "approved" } }),
    ],
    [
      "renewal.cancelled",
      (id) => ({ type: "renewal.cancelled", data: { id, status: "cancelled" } }),
    ],
    ["removals.changed", (configId) => ({ type: "removals.changed", data: { configId } })],
    ["user.changed", (id) => ({ type: "user.changed", data: { id } })],
  ])("keeps each %s by its id, between hints too", async (_type, of) => {
    const waiting = [of("a"), of("b"), hint("c"), of("a"), of("c"), hint("c")];

    const taken = await takenOf(waiting);

    expect(taken).toEqual(waiting);
  });
});

it("two replicas on one database send the events of both in one order", async () => {
  await append(app, progress(-1));
  await using other = await startApp(app.database.connection);
  await using here = await openStream();
  await using there = await follow(other.url, app.root.token);
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => append(n % 2 === 0 ? app : other, progress(n))),
  );
  await here.until(() => progressNumbers(here).length === 40);
  await there.until(() => progressNumbers(there).length === 40);
  expect(here.events[0]?.event).toEqual({ type: "stream.ready", data: { resumed: false } });
  expect(here.events).toEqual(there.events);
  expect(progressNumbers(here).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, n) => n),
  );
  const ids = here.events.map(({ id }) => Number(id));
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
});

itOnPostgresql("an event of a change that commits late is not skipped", async () => {
  await using client = await openStream();
  await using late = await holdLock(app.database, "select pg_advisory_xact_lock($1)", [
    ADVISORY_LOCKS.eventAppend,
  ]);
  const { type, data } = progress(1);
  await late.query("insert into events (type, payload, created_at) values ($1, $2, $3)", [
    type,
    data,
    clock.now(),
  ]);

  const later = append(app, progress(2));
  // Nothing may be delivered meanwhile.
  await Promise.race([client.until(() => progressNumbers(client).length > 0), sleep(1_000)]);
  await late.release();
  await later;

  await expect.poll(() => progressNumbers(client)).toEqual([1, 2]);
});
