import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { StartError } from "../src/server/core/errors.ts";
import { stopSignal } from "../src/server/stop-signal.ts";

export const ROOT = join(import.meta.dirname, "..");
export const SERVER = join(ROOT, "src/server/main.ts");
export const SIMULATOR = join(ROOT, "src/simulator/main.ts");

export interface Program extends AsyncDisposable {
  /** The first group of the line that says that the program is ready. */
  readonly address: string;
  readonly exited: Promise<number | null>;
}

/** Starts a TypeScript program and waits for the line that matches `ready`. Disposing it sends SIGTERM and waits. */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Program> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit").then(([code]): number | null => code);
  const address = await firstMatch(child, ready, exited);
  return {
    address,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function firstMatch(child: ChildProcess, ready: RegExp, exited: Promise<number | null>): Promise<string> {
  if (child.stdout === null) throw new Error("the program has no output to read");
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const found = ready.exec(line);
      if (found === null) process.stdout.write(`${line}\n`);
      else resolve(found[1] ?? found[0]);
    });
    // The program has printed the reason.
    exited.then((code) => reject(new StartError(`程序没有启动（退出码 ${code}）。`)), reject);
  });
}

/** Resolves when the program is to end. */
export async function stopRequested(): Promise<void> {
  await once(stopSignal(process.env), "abort");
}
