import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { startProgram } from "../../scripts/processes.ts";
import { ADVISORY_LOCKS } from "../../src/server/database/sql.ts";
import type { Databases } from "./databases.ts";
import { addPeople, signInPeople } from "./people.ts";
import { present, stampedProgress } from "./stamp.ts";
import { startProvider, startWorkbench } from "./workbench.ts";

const BARE = join(import.meta.dirname, "bare-broadcast.ts");
const Bare = z.object({ url: z.url(), pid: z.int() });

/** A server that sends events to sockets, and a way to make some happen. */
export interface EventSource {
  readonly pid: number;
  readonly address: string;
  /** So many events at once, stamped with the moment before, as the process itself or another replica writes them. */
  write(events: number, by?: "itself" | "replica"): Promise<void>;
}

/** The product on PostgreSQL, with so many people who are signed in as `console-1`, `console-2`, … and may see everything. */
export async function startProduct(
  stack: AsyncDisposableStack,
  databases: Databases,
  people: number,
): Promise<EventSource> {
  const providerUrl = await startProvider(stack, { hosts: 0, latency: 0 });
  const { server, database, rest } = await startWorkbench(stack, databases, { kind: "PostgreSQL", providerUrl });
  await addPeople(database, people, "'super_admin'");
  await signInPeople(database, people);
  const [person] = await database.query("select id from users where username = 'console1'");
  const client = new pg.Client({ connectionString: String(database.env.DATABASE_URL) });
  await client.connect();
  stack.defer(() => client.end());
  return {
    pid: server.pid,
    address: `${server.url.replace("http", "ws")}/trpc`,
    async write(events, by = "itself") {
      // As events/append.ts writes them.
      await client.query(
        `with locked as materialized (select pg_advisory_xact_lock($1))
         insert into events (type, payload, created_at)
         select 'sync.progress', $2::jsonb, extract(epoch from now())::bigint from locked, generate_series(1, $3::int)`,
        [ADVISORY_LOCKS.eventAppend, JSON.stringify(stampedProgress(present())), events],
      );
      // A change that appends nothing: the process reads the log after each of its own commits, and polls for those of others.
      if (by === "itself") await rest.put(`/api/users/${person?.id}`, { name: "console1" });
    },
  };
}

export async function startBare(stack: AsyncDisposableStack): Promise<EventSource> {
  const { announced } = stack.use(await startProgram([BARE], {}, /^ready (.*)$/));
  const { url, pid } = Bare.parse(JSON.parse(announced));
  return {
    pid,
    address: url.replace("http", "ws"),
    async write(events) {
      const progress = stampedProgress(present());
      await fetch(url, { method: "POST", body: JSON.stringify(Array.from({ length: events }, () => progress)) });
    },
  };
}
