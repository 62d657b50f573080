import { join } from "node:path";
import { startProgram } from "../../scripts/processes.ts";
import { restClient } from "../../test/harness/rest.ts";
import type { Databases } from "./databases.ts";
import { addPeople, signInPeople, tokenOf } from "./people.ts";
import { startServer } from "./server.ts";
import { type SyncClock, timeSyncs } from "./sync-run.ts";
import { startWorkbench, type Workbench } from "./workbench.ts";

const CONSOLES = join(import.meta.dirname, "consoles.ts");
const PEOPLE = 10_000;
/** Of those, the first by number; all others are clients. */
const SUPER_ADMINS = 10;
const ADMINS = 90;
const SIGNED_IN = 1_000;
export const A_CLIENT = SUPER_ADMINS + ADMINS + 1;

export type Replica = Pick<Workbench, "server" | "rest">;

/** Two replicas on one PostgreSQL, everything synced, and every host handed to one of ten thousand people. */
export interface Installation {
  readonly first: Workbench;
  readonly second: Replica;
  /** Syncs asked of the first replica. */
  readonly clock: SyncClock;
  /** Sockets of a thousand people who are signed in, half of them at each replica. */
  openConsoles(): Promise<void>;
  /** So that the next sync finds every host changed. */
  changeEveryHost(): Promise<void>;
}

export async function startInstallation(
  stack: AsyncDisposableStack,
  databases: Databases,
  providerUrl: string,
): Promise<Installation> {
  const first = await startWorkbench(stack, databases, { kind: "PostgreSQL", providerUrl });
  const clock = await timeSyncs(first);
  await clock.run();
  await addPeople(first.database, PEOPLE, ROLE);
  await signInPeople(first.database, SIGNED_IN);
  for (const statement of [GIVE_ADMINS, HAND_OUT, "vacuum analyze"]) await first.database.query(statement);
  const server = stack.use(await startServer(first.env));
  const replicas = [first.server, server];
  return {
    first,
    second: { server, rest: restClient(server.url, tokenOf(A_CLIENT)) },
    clock,
    async openConsoles() {
      const share = SIGNED_IN / replicas.length;
      for (const [index, { url }] of replicas.entries()) {
        const args = [CONSOLES, `${url.replace("http", "ws")}/trpc`, String(share), String(1 + index * share)];
        stack.use(await startProgram(args, {}, /listening on (http:\S+)/));
      }
    },
    async changeEveryHost() {
      await first.database.query("update hosts set name = name || ' '");
      await first.database.query("vacuum hosts");
    },
  };
}

const ROLE = `case when n <= ${SUPER_ADMINS} then 'super_admin' when n <= ${SUPER_ADMINS + ADMINS} then 'admin' else 'client' end`;

const GIVE_ADMINS = `
  with admins as (select id, row_number() over () - 1 as place from users where role = 'admin')
  update users set admin_id = admins.id from admins
  where role = 'client' and admins.place = substr(username, length('console') + 1)::int % ${ADMINS}`;

const HAND_OUT = `
  with clients as (select *, row_number() over () - 1 as place from users where role = 'client'),
    numbered as (select id, row_number() over () - 1 as place from hosts)
  insert into assignments (id, host_id, user_id, user_name, user_username, assigned_at, assigned_expire_time,
    assigned_by, assigned_by_name, created_at)
  select gen_random_uuid(), h.id, c.id, c.name, c.username, 1700000000, 4000000000, c.id, '', 1700000000
  from numbered h join clients c on c.place = h.place % ${PEOPLE - SUPER_ADMINS - ADMINS}`;
