import { once } from "node:events";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { SimulatorOptions } from "./options.ts";
import { startSimulator } from "./server.ts";

const USAGE = `usage: node src/simulator/main.ts [--port 4999] [--hosts 1200] [--seed 1] [--projects 3]
  [--regions 11 | cn-bj2,hk] [--latency ms] [--jitter ms] [--rate-limit calls-per-second] [--page-drift hosts]
  [--public-key key] [--private-key key] [--now unix-seconds]`;

await run();

/** Runs until SIGTERM or SIGINT. */
async function run(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const stopped = new AbortController();
  const { signal } = stopped;
  const stop = Promise.race([once(process, "SIGTERM", { signal }), once(process, "SIGINT", { signal })]);
  try {
    await using simulator = await startSimulator(options);
    console.log(`simulator listening on ${simulator.url}`);
    await stop;
  } catch (error) {
    console.error(String(error));
    process.exitCode = 1;
  } finally {
    // takes the other signal's listener away, so that nothing keeps the process
    stop.catch(() => undefined);
    stopped.abort();
  }
}

function readOptions(): SimulatorOptions | undefined {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string" },
        hosts: { type: "string" },
        seed: { type: "string" },
        projects: { type: "string" },
        regions: { type: "string" },
        latency: { type: "string" },
        jitter: { type: "string" },
        "rate-limit": { type: "string" },
        "page-drift": { type: "string" },
        "public-key": { type: "string" },
        "private-key": { type: "string" },
        now: { type: "string" },
      },
    });
    return {
      port: number(values.port) ?? 4999,
      hosts: number(values.hosts),
      seed: number(values.seed),
      projects: number(values.projects),
      regions: /^\d+$/.test(values.regions ?? "") ? number(values.regions) : values.regions?.split(","),
      latencyMs: number(values.latency),
      jitterMs: number(values.jitter),
      rateLimitPerSecond: number(values["rate-limit"]),
      pageDrift: number(values["page-drift"]),
      publicKey: values["public-key"],
      privateKey: values["private-key"],
      now: number(values.now),
    };
  } catch (error) {
    console.error(error instanceof z.ZodError ? z.prettifyError(error) : String(error));
    console.error(USAGE);
    process.exitCode = 1;
    return undefined;
  }
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : z.coerce.number().min(0).parse(text);
}
