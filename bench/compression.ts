import { readFileSync } from "node:fs";
import { Pool } from "undici";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, median } from "./harness/figure.ts";
import { startInstallation } from "./harness/installation.ts";
import type { RunningProcess } from "./harness/server.ts";

const HOSTS = 1_000;
const ROUNDS = 5;
const CALLS = 300;
/** The kernel counts the time of a process in hundredths of a second. */
const TICK_MS = 10;
const CODINGS = ["identity", "gzip", "br"] as const;

type Coding = (typeof CODINGS)[number];

/** What an answer weighs, and what it costs the server, as it is and compressed. */
export async function compression(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const { url, token, server, sync } = await startInstallation(stack, bench, HOSTS, 0);
  await sync();
  const pool = new Pool(url, { connections: 1 });
  stack.defer(() => pool.destroy());

  async function ask(path: string, coding: Coding): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, "accept-encoding": coding };
    const { statusCode, body } = await pool.request({ method: "GET", path, headers });
    const answer = await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}`);
    return answer.byteLength;
  }

  /** Of one call, in ms. */
  async function cost(path: string, coding: Coding): Promise<number> {
    const before = cpuMs(server);
    for (let call = 0; call < CALLS; call++) await ask(path, coding);
    return (cpuMs(server) - before) / CALLS;
  }

  async function measure(name: string, path: string): Promise<Figure[]> {
    const costs = new Map<Coding, number[]>(CODINGS.map((coding) => [coding, []]));
    // The codings in turns: the machine may be busier at one time than at another.
    for (let round = 0; round < ROUNDS; round++) {
      for (const coding of CODINGS) costs.get(coding)?.push(await cost(path, coding));
    }

    const figures: Figure[] = [];
    const plain = await ask(path, "identity");
    const plainCost = median(costs.get("identity") ?? []);
    for (const coding of CODINGS.slice(1)) {
      const bytes = await ask(path, coding);
      const reference = ["as it is", plain] as const;
      figures.push(figure(`${name}, bytes by ${coding}`, bytes, "B", { reference }));
      figures.push(
        figure(`${name}, CPU by ${coding}`, median(costs.get(coding) ?? []) * 1000, "µs", {
          reference: ["as it is", plainCost * 1000],
        }),
      );
    }
    return figures;
  }

  return [
    ...(await measure("hosts, page of 20", "/api/hosts?limit=20")),
    ...(await measure("hosts, page of 100", "/api/hosts?limit=100")),
    ...(await measure("own account", "/api/auth/me")),
  ];
}

/** User and system time of the process so far. Linux only. */
function cpuMs({ pid }: RunningProcess): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}
