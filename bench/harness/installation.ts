import { join } from "node:path";
import { createConsoleClient } from "../../src/sdk/index.ts";
import type { ConsoleClient } from "../../src/sdk/public-types.ts";
import { SignIn } from "../../src/shared/auth.ts";
import type { Role } from "../../src/shared/roles.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import type { Bench } from "./bench.ts";
import { startNode, startServer } from "./server.ts";

const SIMULATOR = join(import.meta.dirname, "../../src/simulator/main.ts");
/** Of every user. */
export const PASSWORD = "Celiang2026";

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/**
 * A server on a database of its own, with a super admin signed in (`token`, `api`), configured for
 * a provider with `hosts` over all regions and three projects, whose calls take `latency` ms. `cwd`
 * is the directory of another version of the server.
 */
export async function startInstallation(
  stack: AsyncDisposableStack,
  bench: Bench,
  hosts: number,
  latency: number,
  cwd?: string,
) {
  const args = [SIMULATOR, "--port", "0", "--hosts", String(hosts), "--latency", String(latency)];
  const { output: providerUrl } = await startNode(stack, args, /listening on (http:\S+)/);
  const database = await bench.createDatabase(stack);
  const env = { ...database.env, ADMIN_PASSWORD: PASSWORD, PROVIDER_ALLOWED_ORIGINS: providerUrl };
  // The process that is measured starts on existing data.
  await (await startServer(stack, env, cwd)).stop();
  const server = await startServer(stack, env, cwd);
  const url = server.output;
  const client = createConsoleClient({ url });
  stack.defer(() => client.close());
  const { token } = SignIn.parse(await client.login("admin", PASSWORD));
  const { api } = client;
  // Reminders would come at an hour of the day. The version in `cwd` may have none.
  if (cwd === undefined) await database.query("update reminder_settings set is_active = false");
  await api.configs.create.mutate({
    name: "main",
    ...MAIN_KEYS,
    apiUrl: providerUrl,
    defaultRegion: "cn-bj2",
  });
  return { providerUrl, database, server, env, url, token, client, api, sync: () => sync(client) };
}

/** Adds `user1`, `user2`, …, each with a session whose token is `token-N`. */
export async function addUsers(
  { database }: Installation,
  count: number,
  role: Role,
): Promise<void> {
  await database.query(
    `with added as (
       insert into users (id, username, password_hash, name, role, created_at)
       select gen_random_uuid(), 'user' || n, password_hash, 'user' || n, $2, created_at
       from users, generate_series(1, $1::int) n where username = 'admin' returning *
     )
     insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
     select gen_random_uuid(), sha256(convert_to('token-' || substr(username, 5), 'UTF8')), id,
       created_at, created_at, created_at + 7200, '', '' from added`,
    [count, role],
  );
}

/**
 * Returns the run, and the seconds from the call to `sync.finished`. Throws unless it succeeded.
 */
async function sync({ api }: ConsoleClient) {
  const ready = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<SyncRun>();
  const stream = api.events.stream.subscribe(undefined, {
    onData({ data: event }) {
      if (event.type === "stream.ready") ready.resolve();
      if (event.type === "sync.finished") finished.resolve(event.data);
    },
    onError: finished.reject,
  });
  await Promise.race([ready.promise, finished.promise]);
  const startedAt = performance.now();
  await api.hosts.sync.mutate({ wait: 0 });
  const run = await finished.promise;
  const seconds = (performance.now() - startedAt) / 1000;
  stream.unsubscribe();
  if (run.status !== "succeeded")
    throw new Error(`the sync did not succeed: ${JSON.stringify(run)}`);
  return { run, seconds };
}
