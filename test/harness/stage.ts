import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { openPlace, type Place, type PlaceOptions } from "./place.ts";
import { listening, type ProviderProgram, type ServerProgram, startProvider, startServerProcess } from "./programs.ts";
import { type RestAnswer, type RestClient, restClient } from "./rest.ts";

/** How many times slower than the contract's limits this machine may be: 1 unless it is busy with other work. */
const SLOWNESS = Number(process.env.TEST_SLOWNESS ?? 1);

/** For a whole test, in ms: starting programs takes its time. What must be quick is measured by the tests themselves. */
export const TEST_LIMIT = 60_000 * (1 + SLOWNESS);

export const ROOT_USER = { username: "root", password: "Correct1Horse" } as const;

/** Every listing of hosts from the fifth on: the first four are enough for rows to be written. */
const LATER_PAGES = { action: "DescribeUHostInstance", byId: false, nth: 5, times: 1_000_000 };

/** One test's place for data, provider, and the servers started on them; all end with it. */
export interface Stage extends AsyncDisposable {
  readonly place: Place;
  readonly provider: ProviderProgram;
  readonly settings: Readonly<Record<string, string>>;
  /** A server on these data, with further settings. */
  start(more?: Readonly<Record<string, string>>): Promise<ServerProgram>;
}

export interface StageOptions extends Pick<PlaceOptions, "server"> {
  readonly hosts?: number;
}

export async function openStage({ hosts = 600, ...where }: StageOptions = {}): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const place = resources.use(await openPlace(where));
  const provider = resources.use(
    await startProvider(["--hosts", String(hosts), "--regions", "4", "--projects", "2", "--seed", "7"]),
  );
  const settings = {
    ...place.env,
    ADMIN_USERNAME: ROOT_USER.username,
    ADMIN_PASSWORD: ROOT_USER.password,
    PROVIDER_ALLOWED_ORIGINS: provider.url,
    LOG_LEVEL: "warn",
  };
  const opened = resources.move();
  return {
    place,
    provider,
    settings,
    async start(more = {}) {
      return await listening(opened.use(startServerProcess({ ...settings, ...more })));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function signIn(url: string, user: { username: string; password: string } = ROOT_USER) {
  const answer = await restClient(url).post("/api/auth/login", user);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return restClient(url, String(answer.data.token));
}

/** Stores a configuration that points at the provider; answers its id. */
export async function configure(root: RestClient, provider: ProviderProgram, name = "主账号"): Promise<string> {
  const answer = await root.post("/api/hosts/configs", {
    name,
    ...MAIN_KEYS,
    apiUrl: provider.url,
    defaultRegion: "cn-bj2",
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.data.id);
}

/** Starts a sync whose first rows are written and which can go no further until the provider is released; answers the run's id. */
export async function syncHalfWay(root: RestClient, provider: ProviderProgram): Promise<string> {
  await provider.control("POST", "hold", LATER_PAGES);
  const { data } = await root.post("/api/hosts/sync?wait=0");
  await provider.control("POST", "wait-held", { count: 1 });
  await eventually(async () => expect(await hostTotal(root)).toBeGreaterThan(0));
  return String(data.runs[0].id);
}

export async function hostTotal(client: RestClient, filter = ""): Promise<number> {
  const answer = await client.get(`/api/hosts?limit=1${filter}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return Number(answer.data.pagination.total);
}

export async function providerTotal(provider: ProviderProgram): Promise<number> {
  const answer = await provider.control("GET", "hosts");
  return typeof answer === "object" && answer !== null && "total" in answer ? Number(answer.total) : Number.NaN;
}

/** A whole sync, to its end. */
export async function syncAll(root: RestClient) {
  const answer = await root.post("/api/hosts/sync?wait=25");
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data.runs[0];
}

export async function runOf(root: RestClient, id: string): Promise<RestAnswer["data"]> {
  return (await root.get(`/api/hosts/sync-runs/${id}`)).data;
}

/** A limit of the contract, in ms, as it applies on this machine. */
export function within(ms: number): number {
  return ms * SLOWNESS;
}

/** Tries again until it holds, or throws what it threw last. */
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

/** A loopback port that somebody else listens on. */
export async function takePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? String(address?.port) : "",
    [Symbol.dispose]: () => void server.close(),
  };
}
