import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, median } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";

const HOSTS = 10_000;
const LATENCY_MS = 20;
const ROUNDS = 3;
const KINDS = ["new", "unchanged", "changed"] as const;

type Seconds = Readonly<Record<(typeof KINDS)[number], number>>;

/**
 * Syncs of new, unchanged and changed hosts. With BASELINE, the directory of an older version with
 * its modules, that version does the same in turns, on a database of its own.
 */
export async function hostWrites(bench: Bench): Promise<Figure[]> {
  const baseline = process.env.BASELINE;
  const product: Seconds[] = [];
  const before: Seconds[] = [];
  while (product.length < ROUNDS) {
    product.push(await bench.scoped((stack) => measure(stack, bench)));
    if (baseline === undefined) continue;
    before.push(await bench.scoped((stack) => measure(stack, bench, baseline)));
  }

  const hosts = HOSTS.toLocaleString("en");
  return KINDS.map((kind) => {
    const of = (rounds: readonly Seconds[]) => median(rounds.map((round) => round[kind]));
    const comparison = before.length === 0 ? {} : { reference: ["before", of(before)] as const };
    return figure(`sync of ${hosts} ${kind} hosts`, of(product), "s", comparison);
  });
}

async function measure(stack: AsyncDisposableStack, bench: Bench, cwd?: string): Promise<Seconds> {
  const installation = await startInstallation(stack, bench, HOSTS, LATENCY_MS, cwd);
  const created = await timeSync(installation, "created");
  const unchanged = await timeSync(installation, "unchanged");
  await installation.database.query("update hosts set name = name || '-old', cpu = cpu + 1");
  const changed = await timeSync(installation, "updated");
  return { new: created, unchanged, changed };
}

async function timeSync(
  { sync }: Installation,
  counter: "created" | "unchanged" | "updated",
): Promise<number> {
  const { run, seconds } = await sync();
  if (run[counter] !== HOSTS) throw new Error(`${run[counter]} hosts were ${counter}`);
  return seconds;
}
