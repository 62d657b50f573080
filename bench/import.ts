import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { load, pageRequests } from "./harness/load.ts";
import { addVanishedHosts } from "./harness/many-hosts.ts";

/** `ROWS=500` measures smaller files. */
const ROWS = Number(process.env.ROWS ?? 5_000);
const CLIENTS = 10;
const LISTS_PER_SECOND = 10;
const ALONE_MS = 10_000;
const LISTS_BAR_MS = 100;
/** Lists go on for so long also when an import ends at once: those of the first second are not counted. */
const LEAST_LISTS_MS = 3_000;

/** What do imports take, and what do those who read lists notice of them? */
export async function importFiles(bench: Bench): Promise<Figure[]> {
  return await bench.scoped(async (stack) => {
    const installation = await startInstallation(stack, bench, 60, 0);
    await installation.sync();
    await addVanishedHosts(installation, ROWS);

    const { url, token } = installation;
    const requests = pageRequests(token);
    const alone = await load(url, requests, AbortSignal.timeout(ALONE_MS), LISTS_PER_SECOND);

    const users = ["用户名,姓名,角色", ...numbered((n) => `new_${n},用户${n},C端用户`)];
    const assignments = [
      "主机,用户名,天数",
      ...numbered((n) => `uhost-bench${n},new_${1 + (n % CLIENTS)},30`),
    ];
    const figures: Figure[] = [];
    for (const [title, kind, lines] of [
      ["new users", "users", users],
      ["the same users again", "users", users],
      ["new assignments", "assignments", assignments],
    ] as const) {
      const { seconds, p95 } = await measure(installation, { kind, file: lines.join("\r\n") });
      figures.push(
        figure(`import of ${ROWS} ${title}`, seconds, "s"),
        figure(`p95 of ${LISTS_PER_SECOND} lists a second meanwhile`, p95, "ms", {
          reference: ["without an import", alone.p95],
          bar: LISTS_BAR_MS,
        }),
      );
    }
    return figures;
  });
}

function numbered(line: (n: number) => string): string[] {
  return Array.from({ length: ROWS }, (_, index) => line(index + 1));
}

async function measure(
  installation: Installation,
  sent: { readonly kind: "users" | "assignments"; readonly file: string },
) {
  const { url, token } = installation;
  const over = new AbortController();
  const startedAt = performance.now();
  const imported = send(installation, sent).then(() => (performance.now() - startedAt) / 1_000);
  const atLeast = sleep(LEAST_LISTS_MS);
  const lists = load(url, pageRequests(token), over.signal, LISTS_PER_SECOND);

  await Promise.allSettled([imported, atLeast]);
  over.abort();
  const [seconds, { p95 }] = await Promise.all([imported, lists]);
  return { seconds, p95 };
}

async function send(
  { client }: Installation,
  { kind, file }: { readonly kind: "users" | "assignments"; readonly file: string },
): Promise<void> {
  const { summary } = await client.upload(kind, file, { dryRun: false });
  if (summary.failed > 0) throw new Error(`${summary.failed} rows of ${kind} were refused`);
}
