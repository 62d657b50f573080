import { Readable } from "node:stream";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure } from "./harness/figure.ts";
import { type Installation, startInstallation } from "./harness/installation.ts";
import { load, pageRequests } from "./harness/load.ts";
import { addVanishedHosts } from "./harness/many-hosts.ts";
import { idleMemory, readMemory } from "./harness/server.ts";

const HOSTS = 100_000;
const LISTS_PER_SECOND = 10;
const ALONE_MS = 10_000;
const MEMORY_BAR_MB = 50;
const LISTS_BAR_MS = 100;

/** What does an export of all hosts cost the process, and those who read lists meanwhile? */
export async function exportHosts(bench: Bench): Promise<Figure[]> {
  return await bench.scoped(async (stack) => {
    const installation = await startInstallation(stack, bench, 60, 0);
    await installation.sync();
    await addVanishedHosts(installation, HOSTS);

    const { server, url, token } = installation;
    const requests = pageRequests(token);
    const alone = await load(url, requests, AbortSignal.timeout(ALONE_MS), LISTS_PER_SECOND);

    const idle = await idleMemory(server);
    const over = new AbortController();
    const startedAt = performance.now();
    const [bytes, meanwhile] = await Promise.all([
      download(installation).finally(() => over.abort()),
      load(url, requests, over.signal, LISTS_PER_SECOND),
    ]);
    const seconds = (performance.now() - startedAt) / 1_000;
    const grown = readMemory(server, "VmHWM") - idle;

    const size = HOSTS.toLocaleString("en");
    return [
      figure(`export of ${size} hosts, ${(bytes / 1024 / 1024).toFixed(0)} MB`, seconds, "s"),
      figure("memory over idle meanwhile", grown, "MB", {
        reference: ["idle", idle],
        bar: MEMORY_BAR_MB,
      }),
      figure(`p95 of ${LISTS_PER_SECOND} lists a second meanwhile`, meanwhile.p95, "ms", {
        reference: ["without an export", alone.p95],
        bar: LISTS_BAR_MS,
      }),
    ];
  });
}

/** As fast as it comes. Returns how many bytes it had. */
async function download({ url, token }: Installation): Promise<number> {
  const response = await fetch(`${url}/api/hosts/export`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
  });
  if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);

  let bytes = 0;
  for await (const chunk of Readable.fromWeb(response.body)) bytes += chunk.length;
  return bytes;
}
