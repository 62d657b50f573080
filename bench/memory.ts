import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { settledMegabytes } from "./harness/memory.ts";
import { startProvider, startWorkbench } from "./harness/workbench.ts";

/** MB. */
const GOALS = { embedded: 420, PostgreSQL: 160 } as const;

/** What the server holds when nobody asks for anything: started on a database that exists, one sign-in, no hosts. */
export const memory: Measurement = async (databases) => {
  const bare = await bareNode();
  const figures: Figure[] = [];
  for (const kind of databases.kinds) {
    await using stack = new AsyncDisposableStack();
    const providerUrl = await startProvider(stack, { hosts: 0, latency: 0 });
    const { server } = await startWorkbench(stack, databases, { kind, providerUrl });
    figures.push({
      name: `idle memory, ${kind}`,
      unit: "MB",
      measured: await settledMegabytes(server.pid),
      against: { name: "a Node process that does nothing", value: bare },
      goal: { limit: GOALS[kind] },
    });
  }
  return figures;
};

async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  const exited = once(child, "exit");
  try {
    if (child.pid === undefined) throw new Error("Node did not start");
    return await settledMegabytes(child.pid);
  } finally {
    child.kill();
    await exited;
  }
}
