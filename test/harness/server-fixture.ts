import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { listening, type ProviderProgram, type ServerProgram, startProvider, startServerProcess } from "./programs.ts";
import { assertOk, type RestAnswer, type RestClient, restClient } from "./rest.ts";
import { ROOT_ENV, ROOT_USER } from "./root-user.ts";
import { openTestStorage, type TestStorageOptions } from "./storage.ts";

/** Multiplies the contract's time limits on a slow machine. */
const TIMEOUT_FACTOR = Number(process.env.TEST_TIMEOUT_FACTOR ?? 1);

/** Timeout of a test that starts programs, in ms. */
export const TEST_LIMIT = 60_000 * (1 + TIMEOUT_FACTOR);

/** How long a stop may take by the contract, in ms. */
export const STOP_LIMIT = 10_000;

/** Matches the fifth and later host lists, after the first rows are written. */
const LATER_PAGES = { action: "DescribeUHostInstance", byId: false, nth: 5, times: 1_000_000 };

/** Storage, provider and servers of one test. */
export type ServerFixture = Awaited<ReturnType<typeof openServerFixture>>;
type ServerFixtureOptions = Pick<TestStorageOptions, "server"> & { readonly hosts?: number };

export async function openServerFixture({ hosts = 600, ...where }: ServerFixtureOptions = {}) {
  await using resources = new AsyncDisposableStack();
  const storage = resources.use(await openTestStorage(where));
  const provider = resources.use(
    await startProvider(["--hosts", String(hosts), "--regions", "4", "--projects", "2", "--seed", "7"]),
  );
  const settings: Readonly<Record<string, string>> = {
    ...storage.env,
    ...ROOT_ENV,
    PROVIDER_ALLOWED_ORIGINS: provider.url,
    LOG_LEVEL: "warn",
  };
  const opened = resources.move();
  return {
    storage,
    provider,
    settings,
    /** Starts a server on this storage with further settings. */
    async start(more: Readonly<Record<string, string>> = {}): Promise<ServerProgram> {
      return await listening(opened.use(startServerProcess({ ...settings, ...more })));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function signIn(url: string, { username, password } = ROOT_USER): Promise<RestClient> {
  const { data } = await assertOk(restClient(url).post("/api/auth/login", { username, password }));
  return restClient(url, String(data.token));
}

/** Creates a configuration for the provider and returns its id. */
export async function configure(root: RestClient, { url }: { readonly url: string }, more: object = {}) {
  const config = { name: "生产账号", ...MAIN_KEYS, apiUrl: url, defaultRegion: "cn-bj2", ...more };
  const { data } = await assertOk(root.post("/api/hosts/configs", config));
  return String(data.id);
}

/** Tries to create a configuration that is never called; its fields are long enough to fill pages of the database. */
export function createInactiveConfig(root: RestClient, name: string): Promise<RestAnswer> {
  const keys = { publicKey: "a".repeat(20), privateKey: "b".repeat(200) };
  const address = { apiUrl: "https://8.8.8.8/", defaultRegion: "cn-bj2" };
  return root.post("/api/hosts/configs", { name, ...keys, ...address, remark: "满".repeat(200), isActive: false });
}

/** Starts a sync that stops after its first rows until the provider is released; returns the run's id. */
export async function syncHalfWay(root: RestClient, provider: ProviderProgram): Promise<string> {
  await provider.control("hold", LATER_PAGES);
  const { data } = await root.post("/api/hosts/sync?wait=0");
  await provider.control("waitForHeld");
  await eventually(async () => assert.ok((await hostTotal(root)) > 0));
  return String(data.runs[0].id);
}

export async function hostTotal(client: RestClient, filter = ""): Promise<number> {
  const { data } = await assertOk(client.get(`/api/hosts?limit=1${filter}`));
  return Number(data.pagination.total);
}

export async function providerTotal(provider: ProviderProgram): Promise<number> {
  const answer = await provider.control("hosts");
  return Array.isArray(answer) ? answer.length : Number.NaN;
}

/** Runs a sync to its end. */
export async function syncAll(root: RestClient) {
  const { data } = await assertOk(root.post("/api/hosts/sync?wait=25"));
  return data.runs[0];
}

export async function runOf(root: RestClient, id: string): Promise<RestAnswer["data"]> {
  return (await root.get(`/api/hosts/sync-runs/${id}`)).data;
}

/** A time limit of the contract on this machine, in ms. */
export function within(ms: number): number {
  return ms * TIMEOUT_FACTOR;
}

/** Retries until the check passes; throws its last error after the timeout. */
export async function eventually(check: () => Promise<unknown>, ms = 10_000): Promise<void> {
  const until = performance.now() + within(ms);
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(50);
    }
  }
}
