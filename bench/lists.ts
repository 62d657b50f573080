import { join } from "node:path";
import { startProgram } from "../scripts/processes.ts";
import { restClient } from "../test/harness/rest.ts";
import type { DatabaseKind, Databases } from "./harness/databases.ts";
import type { Figure } from "./harness/figure.ts";
import { type Load, load } from "./harness/load.ts";
import type { Measurement } from "./harness/measurement.ts";
import { timeSyncs } from "./harness/sync-run.ts";
import { startProvider, startWorkbench, type Workbench } from "./harness/workbench.ts";

const BARE = join(import.meta.dirname, "harness/bare-list.ts");
const HOSTS = 10_000;
const OWN_HOSTS = 30;
const CONNECTIONS = 10;
/** For each list and server; what is compiled while warming up does not count. */
const SECONDS = 4;
const WARM_UP = 2;
const PASSWORD = "Celiang2026";

interface List {
  readonly name: string;
  readonly query: string;
  readonly asClient: boolean;
  /** Share of what bare code answers. */
  readonly goal: number;
}

const LISTS: readonly List[] = [
  { name: "page 1", query: "limit=20", asClient: false, goal: 0.75 },
  { name: "page 400", query: "limit=20&page=400", asClient: false, goal: 0.75 },
  { name: "search", query: "limit=20&search=web-1", asClient: false, goal: 0.6 },
  { name: "a client with 30 hosts", query: "limit=20", asClient: true, goal: 0.5 },
];
const EMBEDDED_GOAL = 0.3;

/** Lists of 10,000 hosts a second, ten callers at once, beside bare code on PostgreSQL; and what sign-ins do to them. */
export const lists: Measurement = async (databases) => {
  // What it is held against needs a server.
  if (!databases.kinds.includes("PostgreSQL")) return [];
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts: HOSTS, latency: 0 });
  const bench = await fill(stack, databases, { kind: "PostgreSQL", providerUrl });
  const bareUrl = await startBare(stack, bench.workbench);
  const figures: Figure[] = [];
  const bare = new Map<string, number>();
  for (const list of LISTS) {
    const [floor, product] = await inTurns(bareLoad(bareUrl, bench, list), productLoad(bench, list));
    bare.set(list.name, floor);
    figures.push(figure(list, { kind: "PostgreSQL", floor, product, goal: list.goal }));
  }
  figures.push(await withSignIns(bench));
  const embedded = await fill(stack, databases, { kind: "embedded", providerUrl });
  for (const list of LISTS) {
    const [product] = await inTurns(productLoad(embedded, list));
    const floor = bare.get(list.name) ?? 0;
    figures.push(figure(list, { kind: "embedded", floor, product: product ?? 0, goal: EMBEDDED_GOAL }));
  }
  return figures;
};

interface FilledBench {
  readonly workbench: Workbench;
  readonly client: { readonly id: string; readonly token: string | null; readonly username: string };
}

/** All hosts, synced; thirty of them are one client's, and three hundred some others'. */
async function fill(
  stack: AsyncDisposableStack,
  databases: Databases,
  options: { readonly kind: DatabaseKind; readonly providerUrl: string },
): Promise<FilledBench> {
  const workbench = await startWorkbench(stack, databases, options);
  await (await timeSyncs(workbench)).run();
  const { data } = await workbench.rest.get("/api/hosts?limit=100&page=2");
  const ids: string[] = data.hosts.map((host: { readonly id: string }) => host.id);
  const client = await assignTo(workbench, "client1", ids.slice(0, OWN_HOSTS));
  for (const name of ["client2", "client3", "client4"]) await assignTo(workbench, name, ids);
  await workbench.database.query("vacuum analyze hosts");
  const login = await restClient(workbench.server.url).post("/api/auth/login", {
    username: "client1",
    password: PASSWORD,
  });
  return { workbench, client: { id: client, token: String(login.data.token), username: "client1" } };
}

async function assignTo({ rest }: Workbench, username: string, hostIds: readonly string[]): Promise<string> {
  const user = await rest.post("/api/users", { username, password: PASSWORD, name: username, role: "client" });
  const assignedAt = Math.floor(Date.now() / 1000);
  const answer = await rest.post("/api/hosts/batch", {
    operation: "assign",
    hostIds,
    userId: user.data.id,
    assignedAt,
    assignedExpireTime: assignedAt + 90 * 86_400,
  });
  if (answer.status !== 200) throw new Error(`the hosts were not assigned: ${JSON.stringify(answer.body)}`);
  return String(user.data.id);
}

async function startBare(stack: AsyncDisposableStack, { database }: Workbench): Promise<string> {
  const args = [BARE, String(database.env.DATABASE_URL)];
  return stack.use(await startProgram(args, {}, /listening on (http:\S+)/)).announced;
}

function bareLoad(url: string, { client }: FilledBench, { query, asClient }: List): Load {
  const own = asClient ? `&user=${client.id}` : "";
  return { url: `${url}/api/hosts?${query}${own}`, seconds: SECONDS, connections: CONNECTIONS };
}

function productLoad({ workbench, client }: FilledBench, { query, asClient }: List): Load {
  const token = asClient ? client.token : workbench.rest.token;
  return { url: `${workbench.server.url}/api/hosts?${query}`, seconds: SECONDS, connections: CONNECTIONS, token };
}

/** Calls a second of each, measured one after the other once all are warm. */
async function inTurns<const Loads extends readonly Load[]>(
  ...loads: Loads
): Promise<{ [Index in keyof Loads]: number }>;
async function inTurns(...loads: Load[]): Promise<number[]> {
  for (const one of loads) await load({ ...one, seconds: WARM_UP });
  const speeds: number[] = [];
  for (const one of loads) speeds.push((await load(one)).perSecond);
  return speeds;
}

function figure(
  { name }: List,
  { kind, floor, product, goal }: { kind: DatabaseKind; floor: number; product: number; goal: number },
): Figure {
  return {
    name: `hosts, ${name}, ${kind}`,
    unit: "/s",
    measured: product,
    against: { name: "node:http and pg", value: floor },
    goal: { atLeast: goal },
  };
}

/** Fifty lists a second while eight sign-ins a second are hashed. */
async function withSignIns({ workbench, client }: FilledBench): Promise<Figure> {
  const { url } = workbench.server;
  const lists = {
    url: `${url}/api/hosts?limit=20`,
    seconds: SECONDS,
    connections: CONNECTIONS,
    token: workbench.rest.token,
    rate: 50,
  };
  const alone = await load(lists);
  const body = { username: client.username, password: PASSWORD };
  const [meanwhile] = await Promise.all([
    load(lists),
    load({ url: `${url}/api/auth/login`, seconds: SECONDS, connections: 4, rate: 8, body }),
  ]);
  return {
    name: "p99 of lists while 8 sign-ins a second are hashed, PostgreSQL",
    unit: "ms",
    measured: meanwhile.p99,
    against: { name: "without them", value: alone.p99 },
    goal: { limit: 100 },
  };
}
