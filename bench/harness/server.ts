import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import product from "../../package.json" with { type: "json" };
import { ROOT } from "../../test/harness/programs.ts";

/** All load comes from few addresses. */
const SETTINGS = { PORT: "0", LOG_LEVEL: "error", MAX_CONNECTIONS_PER_ADDRESS: "2000" };

/** As `npm start` runs it, without the build. */
const [, ...SERVER] = product.scripts.start.split(" ");

export type RunningProcess = Awaited<ReturnType<typeof startNode>>;

/**
 * Starts Node and waits for the line that matches `ready`; `output` is what it captures. Other
 * lines are passed on. `stop` sends SIGTERM and waits for the end; the stack stops the process too.
 */
export async function startNode(
  stack: AsyncDisposableStack,
  args: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = {},
  cwd: string = ROOT,
) {
  // A process that is started after a signal would be left over.
  if (stack.disposed) throw new Error("the bench is stopping");
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [...stdio],
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  stack.defer(stop);
  const output = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = ready.exec(line);
      if (found === null) console.error(line);
      else resolve(found[1] ?? "");
    });
    exited.then(
      ([code]) =>
        reject(new Error(`${args.join(" ")} ended with code ${code} before it was ready`)),
      reject,
    );
  });
  return { pid: child.pid ?? 0, output, exited, stop };
}

/**
 * The server, in a process of its own; `output` is its address. `cwd` is the directory of another
 * version.
 */
export function startServer(stack: AsyncDisposableStack, env: NodeJS.ProcessEnv, cwd?: string) {
  return startNode(stack, SERVER, /：(http:\S+)$/, { ...SETTINGS, ...env }, cwd);
}

/** Resident memory after 5 s of rest, in MB, from which the peak is counted anew. Linux only. */
export async function idleMemory(server: RunningProcess): Promise<number> {
  await sleep(5_000);
  writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
  return readMemory(server, "VmRSS");
}

/** The present or the highest resident memory, in MB. */
export function readMemory({ pid }: RunningProcess, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}
