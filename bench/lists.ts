import { join } from "node:path";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure, median } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { createListRequests, type ListRequest, load } from "./harness/load.ts";
import { startNode } from "./harness/server.ts";

const BARE = join(import.meta.dirname, "harness/bare-server.ts");
const HOSTS = 10_000;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const WRITES_PER_SECOND = 10;
const RATE = 50;
const RATE_MS = 10_000;
const P95_BARS = { PostgreSQL: 25, embedded: 60 } as const;

/** How fast are a list and a search of 10,000 hosts? */
export async function lists(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, HOSTS, 0);
  await installation.sync();
  const requests = await createListRequests(installation);
  const figures = bench.kind === "PostgreSQL" ? await compare(stack, installation, requests) : [];
  const mixed = [...requests.page, ...requests.search, ...requests.client].sort(
    () => Math.random() - 0.5,
  );
  const { p95 } = await load(installation.url, mixed, AbortSignal.timeout(RATE_MS), RATE);
  return [
    ...figures,
    figure(`p95 of lists at ${RATE} a second`, p95, "ms", { bar: P95_BARS[bench.kind] }),
  ];
}

/** Lists a second for ten callers, the product and the bare server in turns. */
async function compare(
  stack: AsyncDisposableStack,
  { url, env, database }: Installation,
  { page, latePage, search, client }: Awaited<ReturnType<typeof createListRequests>>,
): Promise<Figure[]> {
  const bareUrl = (await startNode(stack, [BARE, env.DATABASE_URL], /listening on (http:\S+)/))
    .output;

  async function compareOne(
    name: string,
    requests: readonly ListRequest[],
    ratioBar?: number,
  ): Promise<Figure> {
    // The bare server knows no sessions, so the client is a parameter.
    const bareRequests = requests.map(({ path, token, userId }) => ({
      path: `${path}&user=${userId ?? ""}`,
      token,
    }));
    const [product, bare]: [number[], number[]] = [[], []];
    while (product.length < ROUNDS) {
      product.push((await load(url, requests, AbortSignal.timeout(ROUND_MS))).perSecond);
      bare.push((await load(bareUrl, bareRequests, AbortSignal.timeout(ROUND_MS))).perSecond);
    }
    return figure(name, median(product), "/s", {
      reference: ["node:http + pg", median(bare)],
      ratioBar,
    });
  }

  const figures = [
    await compareOne("list page", page, 0.6),
    await compareOne("page 400", latePage),
    await compareOne("search", search, 0.4),
    await compareOne("client's list", client, 0.4),
  ];
  const host = `(select id from hosts offset floor(random() * ${HOSTS}) limit 1)`;
  const write = () => database.query(`update hosts set cpu = cpu where id = ${host}`);
  const timer = setInterval(write, 1000 / WRITES_PER_SECOND);
  stack.defer(() => clearInterval(timer));
  const meanwhile = `during ${WRITES_PER_SECOND} writes a second`;
  figures.push(await compareOne(`list page ${meanwhile}`, page, 0.6));
  figures.push(await compareOne(`search ${meanwhile}`, search, 0.4));
  clearInterval(timer);
  return figures;
}
