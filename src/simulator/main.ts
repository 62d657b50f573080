import { once } from "node:events";
import { parseArgs } from "node:util";
import { z } from "zod";
import { SimulatorOptions } from "./options.ts";
import { startSimulator } from "./server.ts";

const USAGE = `usage: node src/simulator/main.ts [--port 4999] [--hosts 1200] [--seed 1] [--projects 3]
  [--regions 11 | cn-bj2,hk] [--latency ms] [--jitter ms] [--clock fixed | system]`;

const Whole = z.string().regex(/^\d+$/, "not a whole number").transform(Number);
const Arguments = z.object({
  port: Whole.default(4999),
  hosts: Whole.optional(),
  seed: Whole.optional(),
  projects: Whole.optional(),
  regions: z.union([Whole, z.string().transform((codes) => codes.split(","))]).optional(),
  latency: Whole.optional(),
  jitter: Whole.optional(),
  clock: SimulatorOptions.shape.clock,
});

await run();

/** Runs until SIGTERM or SIGINT. */
async function run(): Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const stop = Promise.race([
    once(process, "SIGTERM", { signal }),
    once(process, "SIGINT", { signal }),
  ]);
  try {
    const string = { type: "string" } as const;
    const options = Object.fromEntries(Object.keys(Arguments.shape).map((name) => [name, string]));
    const {
      latency: latencyMs,
      jitter: jitterMs,
      ...rest
    } = Arguments.parse(parseArgs({ options }).values);
    await using simulator = await startSimulator({ ...rest, latencyMs, jitterMs });
    console.log(`simulator listening on ${simulator.url}`);
    await stop;
  } catch (error) {
    console.error(error instanceof z.ZodError ? z.prettifyError(error) : String(error));
    console.error(USAGE);
    process.exitCode = 1;
  } finally {
    // Removes the listener of the other signal, which keeps the process alive.
    stop.catch(() => undefined);
    stopped.abort();
  }
}
