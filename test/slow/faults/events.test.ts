import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openStage, signIn } from "../../harness/stage.ts";
import { follow, seen } from "../../sockets/raw-client.ts";
import { progress } from "../../sockets/replica.ts";
import { printOutcome } from "./outcomes.ts";
import { DATABASES, ROUNDS_LIMIT, rounds } from "./rounds.ts";

const BATCH = 20;

describe.each(DATABASES)("a stream of events from $name", ({ name, server }) => {
  test(
    "whose socket is dropped again and again misses none and doubles none",
    async () => {
      await using stage = await openStage({ server, hosts: 0 });
      // On a server the stream comes back at the other replica each time.
      const programs = await Promise.all(server === null ? [stage.start()] : [stage.start(), stage.start()]);
      const urls = programs.map(({ url }) => `${url.replace("http", "ws")}/trpc`);
      const { token } = await signIn(programs[0]?.url ?? "");
      const total = rounds(10_000, 1_000);
      const drops = rounds(200, 20);
      const received: number[] = [];
      let lastEventId: string | undefined;
      await using first = await follow(urls[0] ?? "", token ?? "");
      let client = first;
      const writing = writeAll(stage.storage, total);
      for (let drop = 1; drop <= drops; drop++) {
        const goal = Math.floor((total * drop) / (drops + 1));
        await client.until((each) => received.length + seen(each).length >= goal, 60_000);
        client.socket.terminate();
        await client.closed;
        received.push(...seen(client));
        lastEventId = client.events.at(-1)?.id;
        client = await follow(urls[drop % urls.length] ?? "", token ?? "", lastEventId);
        expect(client.events[0]?.event.data).toEqual({ resumed: true });
      }
      await writing;
      await client.until((each) => received.length + seen(each).length >= total, 60_000);
      // What would come twice would come now.
      await sleep(500);
      received.push(...seen(client));
      await client[Symbol.asyncDispose]();
      expect(received).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      printOutcome({
        scenario: `${drops} sockets dropped in a stream of ${total} events`,
        database: name,
        rounds: drops,
        outcome: "0 missed, 0 doubled, all in order",
      });
    },
    ROUNDS_LIMIT,
  );
});

/** A number identifies each event. */
async function writeAll(
  storage: { query(sql: string, values: readonly unknown[]): Promise<unknown> },
  total: number,
): Promise<void> {
  const { data } = progress(0);
  for (let from = 1; from <= total; from += BATCH) {
    await storage.query(
      `insert into events (type, payload, created_at)
       select 'sync.progress', jsonb_set($1::jsonb, '{hostsSeen}', to_jsonb(n)), extract(epoch from now())::int
       from generate_series($2::int, $3::int) n order by n`,
      [JSON.stringify(data), from, Math.min(total, from + BATCH - 1)],
    );
  }
}
