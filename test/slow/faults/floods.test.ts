import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { ServerProgram } from "../../harness/programs.ts";
import { openStage, type Stage, signIn } from "../../harness/stage.ts";
import { connect, follow, type RawClient } from "../../sockets/raw-client.ts";
import { progress } from "../../sockets/replica.ts";
import { printOutcome } from "./outcomes.ts";
import { ON_SERVER, ROUNDS_LIMIT, rounds } from "./rounds.ts";

/** Over what the same work takes with readers that read, in MB. */
const MOST_MEMORY = 30;
const READERS = rounds(5, 2);
/**
 * 1 MB at a time, which may wait for a reader that reads. In all a reader that stalls is owed 108 MB, of which the system
 * holds a fifth; the server has them once for all readers, so were nothing done about it, it would hold 50 MB and more.
 */
const BATCH = 15;
const BATCHES = 100;
/** By then stalled readers are owed nine tenths of all, or more. */
const LAST_CHECKS = 10;
/** So that what is measured is what is held. */
const WITHOUT_GARBAGE = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "collect-garbage.ts"))}` };
const WIDE = "很长".repeat(12_000);

// The embedded database lives in the same process, and its memory would drown what sockets take.
describe.each(ON_SERVER)("a server on $name", ({ name, server }) => {
  test(
    "holds no memory for readers that stall and senders that flood, and serves the others",
    async () => {
      await using stage = await openStage({ server, hosts: 0 });
      const program = await stage.start(WITHOUT_GARBAGE);
      const root = await signIn(program.url);
      const address = `${program.url.replace("http", "ws")}/trpc`;
      const work = { stage, address, token: root.token ?? "" };
      // What is warm stays warm: the first time everything grows.
      const first = await play(program, { ...work, isStalled: false });
      for (let n = 0; n < 3; n++) await floodAll(work);
      const total = rounds(3, 1);
      const reading = Math.max(first, await play(program, { ...work, isStalled: false }));
      let stalled = 0;
      for (let round = 0; round < total; round++) {
        stalled = Math.max(stalled, await play(program, { ...work, isStalled: true }));
      }
      await floodAll(work);
      // What floods leave behind is given back by the time that others have been served; what is held for them is not.
      const flooded = await play(program, { ...work, isStalled: false });
      const most = Math.max(stalled, flooded) - reading;
      expect(most).toBeLessThan(MOST_MEMORY);
      expect((await root.get("/api/auth/me")).status).toBe(200);
      printOutcome({
        scenario: `${READERS} sockets that stall, 20 that flood`,
        database: name,
        rounds: total,
        outcome: `${Math.max(0, most).toFixed(0)} MB over the ${reading.toFixed(0)} MB of readers that read; others served`,
      });
    },
    ROUNDS_LIMIT,
  );
});

interface Work {
  readonly stage: Stage;
  readonly address: string;
  readonly token: string;
  readonly isStalled: boolean;
}

/**
 * Delivers the same events to readers that read or stall; answers the memory that it took, in MB: the least of the last
 * looks, since what is held is there in each of them, and what is under way is not.
 */
async function play(program: ServerProgram, { stage, address, token, isStalled }: Work): Promise<number> {
  await using sockets = new AsyncDisposableStack();
  const healthy = sockets.use(await follow(address, token));
  const readers: RawClient[] = [];
  for (let n = 0; n < READERS; n++) readers.push(sockets.use(await follow(address, token)));
  if (isStalled) for (const { socket } of readers) socket.pause();
  const { data } = progress(0);
  const readings: number[] = [];
  for (let batch = 1; batch <= BATCHES; batch++) {
    await stage.storage.query(
      `with written as (
         insert into events (type, payload, created_at)
         select 'sync.progress', $1::jsonb, extract(epoch from now())::int from generate_series(1, $2::int))
       select pg_notify('events', '')`,
      [JSON.stringify({ ...data, configName: WIDE }), BATCH],
    );
    await healthy.until(({ events }) => events.length > batch * BATCH, 60_000);
    readings.push(memoryOf(program));
  }
  return Math.min(...readings.slice(-LAST_CHECKS));
}

/** Twenty at once, as many as a user may have sockets for, and more. */
async function floodAll({ address, token }: Pick<Work, "address" | "token">): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => flood(address, token)));
}

/** Frames that are too many and too large, on a socket with a session and on one without. */
async function flood(address: string, token: string): Promise<void> {
  for (const own of [token, null]) {
    const client = await connect(address, own).catch(() => null);
    if (client === null) continue;
    await using flooding = client;
    for (let n = 0; n < 300 && flooding.socket.readyState === flooding.socket.OPEN; n++) {
      flooding.socket.send("x".repeat(n % 50 === 49 ? 70_000 : 60_000));
      if (n % 20 === 0) await sleep(1);
    }
    await flooding.closed;
  }
}

/** What the process holds, in MB. */
function memoryOf({ pid }: ServerProgram): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
