import { join } from "node:path";
import { startProgram } from "../scripts/processes.ts";
import { HASHES } from "../src/server/app.ts";
import { type Load, load } from "./harness/load.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { ADMIN, startProvider, startWorkbench, type Workbench } from "./harness/workbench.ts";

const HASH_ALONE = join(import.meta.dirname, "harness/hash-alone.ts");
const HASHES_AT_ONCE = HASHES.concurrency;
const ACCOUNTS = 100;
/** Enough that there is always one waiting, and fewer than are refused. */
const CALLERS = 8;
const SECONDS = 4;
const ROUNDS = 3;

/** Sign-ins a second, as many as are answered, beside hashes a second; and what they do to lists. */
export const signIns: Measurement = async (databases) => {
  if (!databases.kinds.includes("PostgreSQL")) return [];
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts: 1_000, latency: 0 });
  const workbench = await startWorkbench(stack, databases, { kind: "PostgreSQL", providerUrl });
  await workbench.rest.post("/api/hosts/sync");
  const digest = await addAccounts(workbench);
  // What is compiled meanwhile does not count.
  await signInOn(workbench);
  const alone: number[] = [];
  const signedIn: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await hashAlone(digest));
    signedIn.push(await signInOn(workbench));
  }
  const lists: Load = {
    url: `${workbench.server.url}/api/hosts?limit=20`,
    seconds: SECONDS,
    connections: 10,
    token: workbench.rest.token,
    rate: 50,
  };
  const undisturbed = await load(lists);
  const [meanwhile] = await Promise.all([load(lists), signInOn(workbench)]);
  const figure = { name: `sign-ins, ${CALLERS} callers, PostgreSQL`, unit: "/s", measured: median(signedIn) } as const;
  return [
    {
      ...figure,
      against: { name: `argon2 alone, ${HASHES_AT_ONCE} at once`, value: median(alone) },
      goal: { atLeast: 0.9 },
    },
    {
      name: "p99 of 50 lists a second meanwhile, PostgreSQL",
      unit: "ms",
      measured: meanwhile.p99,
      against: { name: "without them", value: undisturbed.p99 },
    },
  ];
};

/** Accounts with the first admin's password; answers its digest. */
async function addAccounts({ database }: Workbench): Promise<string> {
  await database.query(`
    insert into users (id, username, password_hash, name, role, created_at)
    select gen_random_uuid(), 'person' || n, password_hash, 'person' || n, 'client', created_at
    from users, generate_series(1, ${ACCOUNTS}) n where username = '${ADMIN.username}'`);
  const [row] = await database.query("select password_hash as digest from users where username = 'person1'");
  return String(row?.digest);
}

async function hashAlone(digest: string): Promise<number> {
  const args = [HASH_ALONE, digest, ADMIN.password, String(HASHES_AT_ONCE), String(SECONDS)];
  await using program = await startProgram(args, {}, /^verified (\S+) a second$/);
  return Number(program.announced);
}

async function signInOn({ server }: Workbench): Promise<number> {
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  let done = 0;
  const keepSigningIn = async () => {
    while (elapsed() < SECONDS) {
      const body = JSON.stringify({ username: `person${1 + (done % ACCOUNTS)}`, password: ADMIN.password });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${server.url}/api/auth/login`, { method: "POST", headers, body });
      if (answer.status !== 200) throw new Error(`a sign-in was refused: ${await answer.text()}`);
      await answer.arrayBuffer();
      done++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, keepSigningIn));
  return done / elapsed();
}
