import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { listening, type ServerProgram, startProvider, startServerProcess } from "./programs.ts";
import { assertOk, type RestClient, restClient } from "./rest.ts";
import { ROOT_ENV, ROOT_USER } from "./root-user.ts";
import { openTestStorage, type TestStorageOptions } from "./storage.ts";

/** They would come at an hour of the day. A test of them switches them on. */
const NO_REMINDERS = "update reminder_settings set is_active = false";

/** Storage, provider and servers of one test. */
export type ServerFixture = Awaited<ReturnType<typeof openServerFixture>>;
type ServerFixtureOptions = Pick<TestStorageOptions, "server"> & { readonly hosts?: number };

export async function openServerFixture({ hosts = 600, ...where }: ServerFixtureOptions = {}) {
  await using resources = new AsyncDisposableStack();
  const storage = resources.use(await openTestStorage(where));
  const options = ["--hosts", String(hosts), "--regions", "4", "--projects", "2", "--seed", "7"];
  const provider = resources.use(await startProvider(options));
  const settings = {
    ...storage.env,
    ...ROOT_ENV,
    PROVIDER_ALLOWED_ORIGINS: provider.url,
    LOG_LEVEL: "warn",
  };
  const opened = resources.move();
  let isNew = true;
  return {
    storage,
    provider,
    settings,
    /** Starts a server on this storage with further settings. */
    async start(more: Readonly<Record<string, string>> = {}): Promise<ServerProgram> {
      const program = await listening(opened.use(startServerProcess({ ...settings, ...more })));
      if (isNew) await storage.query(NO_REMINDERS);
      isNew = false;
      return program;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function signIn(url: string, { username, password } = ROOT_USER): Promise<RestClient> {
  const { data } = await assertOk(restClient(url).post("/api/auth/login", { username, password }));
  return restClient(url, String(data.token));
}

/** Creates a configuration for the provider and returns its id. */
export async function configure(
  root: RestClient,
  { url }: { readonly url: string },
  more: object = {},
) {
  const config = { name: "生产账号", ...MAIN_KEYS, apiUrl: url, defaultRegion: "cn-bj2", ...more };
  const { data } = await assertOk(root.post("/api/hosts/configs", config));
  return String(data.id);
}

/** Runs a sync to its end. */
export async function syncAll(root: RestClient) {
  const { data } = await assertOk(root.post("/api/hosts/sync?wait=25"));
  return data.runs[0];
}
