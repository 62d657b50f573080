import { join } from "node:path";
import pg from "pg";
import { startProgram } from "../scripts/processes.ts";
import type { DatabaseKind } from "./harness/databases.ts";
import type { Figure } from "./harness/figure.ts";
import { type FilledWorkbench, fillWorkbench, type List, listLoad, PASSWORD } from "./harness/filled-workbench.ts";
import { type Load, load } from "./harness/load.ts";
import type { Measurement } from "./harness/measurement.ts";
import { startProvider, type Workbench } from "./harness/workbench.ts";

const BARE = join(import.meta.dirname, "harness/bare-list.ts");
const HOSTS = 10_000;
const CONNECTIONS = 10;
/** For each list and server; what is compiled while warming up does not count. */
const SECONDS = 4;
const WARM_UP = 2;
/** A second. */
const WRITES = 10;

interface ListWithGoal extends List {
  /** Share of what bare code answers. */
  readonly goal: number;
}

const LISTS: readonly ListWithGoal[] = [
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
  const filled = await fillWorkbench(stack, databases, { kind: "PostgreSQL", providerUrl });
  const [http, express, fastify] = [
    await startBare(stack, filled.workbench, "http"),
    await startBare(stack, filled.workbench, "express"),
    await startBare(stack, filled.workbench, "fastify"),
  ];
  const figures: Figure[] = [];
  const bare = new Map<string, number>();
  for (const list of LISTS) {
    const [floor, withExpress, withFastify, product] = await inTurns(
      bareLoad(http, filled, list),
      bareLoad(express, filled, list),
      bareLoad(fastify, filled, list),
      listLoad(filled, list, SECONDS),
    );
    bare.set(list.name, floor);
    figures.push(figure(list, { of: "PostgreSQL", floor, measured: product, goal: list.goal }));
    figures.push(figure(list, { of: "Express and pg", floor, measured: withExpress }));
    figures.push(figure(list, { of: "Fastify and pg", floor, measured: withFastify }));
  }
  for (const list of LISTS.filter(({ name }) => name === "page 1" || name === "search")) {
    const floor = bare.get(list.name) ?? 0;
    const measured = await whileWritten(filled, list);
    figures.push({
      ...figure(list, { of: "PostgreSQL", floor, measured }),
      name: `hosts, ${list.name}, while something is written ${WRITES} times a second, PostgreSQL`,
    });
  }
  figures.push(await withSignIns(filled));
  if (!databases.kinds.includes("embedded")) return figures;
  const embedded = await fillWorkbench(stack, databases, { kind: "embedded", providerUrl });
  for (const list of LISTS) {
    const [product] = await inTurns(listLoad(embedded, list, SECONDS));
    const floor = bare.get(list.name) ?? 0;
    figures.push(figure(list, { of: "embedded", floor, measured: product, goal: EMBEDDED_GOAL }));
  }
  return figures;
};

async function startBare(stack: AsyncDisposableStack, { database }: Workbench, framework: string): Promise<string> {
  const args = [BARE, String(database.env.DATABASE_URL), "--with", framework];
  return stack.use(await startProgram(args, {}, /listening on (http:\S+)/)).announced;
}

function bareLoad(url: string, { client }: FilledWorkbench, { query, asClient }: List): Load {
  const own = asClient ? `&user=${client.id}` : "";
  return { url: `${url}/api/hosts?${query}${own}`, seconds: SECONDS, connections: CONNECTIONS };
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

interface Speed {
  readonly of: DatabaseKind | "Express and pg" | "Fastify and pg";
  readonly floor: number;
  readonly measured: number;
  readonly goal?: number;
}

function figure({ name }: List, { of, floor, measured, goal }: Speed): Figure {
  return {
    name: `hosts, ${name}, ${of}`,
    unit: "/s",
    measured,
    against: { name: "node:http and pg", value: floor },
    ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
  };
}

/** Lists a second while transactions come that change nothing in them: as on an installation where people work. */
async function whileWritten(filled: FilledWorkbench, list: List): Promise<number> {
  const client = new pg.Client({ connectionString: String(filled.workbench.database.env.DATABASE_URL) });
  await client.connect();
  const timer = setInterval(() => void client.query("select pg_current_xact_id()"), 1000 / WRITES);
  try {
    return (await load(listLoad(filled, list, SECONDS))).perSecond;
  } finally {
    clearInterval(timer);
    await client.end();
  }
}

/** Fifty lists a second while eight sign-ins a second are hashed. */
async function withSignIns({ workbench, client }: FilledWorkbench): Promise<Figure> {
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
