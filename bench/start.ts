import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER } from "../scripts/processes.ts";
import { freePort } from "../test/harness/postgresql.ts";
import type { Figure } from "./harness/figure.ts";
import type { Measurement } from "./harness/measurement.ts";
import { median } from "./harness/samples.ts";
import { startServer } from "./harness/server.ts";

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = 5;
const LONGEST_START = 30_000;

/** s. */
const GOALS = { embedded: 2, PostgreSQL: 1 } as const;

/** From the command to the first 200 of /readyz, installed, built, on data that exist. */
export const start: Measurement = async (databases) => {
  const figures: Figure[] = [];
  for (const kind of databases.kinds) {
    await using stack = new AsyncDisposableStack();
    const { env } = await databases.create(stack, kind);
    await (await startServer({ ...env, ADMIN_PASSWORD: "Celiang2026" }))[Symbol.asyncDispose]();
    const bare: number[] = [];
    const direct: number[] = [];
    const npm: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await untilExit(process.execPath, ["-e", "0"]));
      direct.push(await untilReady(process.execPath, [SERVER], env));
      npm.push(await untilReady("npm", ["start"], env));
    }
    const against = { name: "node -e 0", value: median(bare) };
    const common = { unit: "s", against, goal: { limit: GOALS[kind] } } as const;
    figures.push({ name: `npm start to ready, ${kind}`, measured: median(npm), ...common });
    figures.push({ name: `node src/server/main.ts to ready, ${kind}`, measured: median(direct), ...common });
  }
  return figures;
};

async function untilExit(command: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(command, args, { stdio: "ignore" }), "exit");
  return (performance.now() - startedAt) / 1000;
}

async function untilReady(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const port = String(await freePort());
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, LOG_LEVEL: "warn", ...env, PORT: port },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    while (!(await isReady(`http://127.0.0.1:${port}/readyz`))) {
      if (!isRunning(child)) throw new Error(`${command} ended with code ${child.exitCode}`);
      if (performance.now() - startedAt > LONGEST_START) throw new Error(`${command} is not ready`);
      await sleep(5);
    }
    return (performance.now() - startedAt) / 1000;
  } finally {
    if (isRunning(child)) child.kill("SIGTERM");
    await exited;
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
