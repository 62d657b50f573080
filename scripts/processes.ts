import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Program extends AsyncDisposable {
  /** What `ready` captured in the line that announced readiness. */
  readonly announced: string;
  readonly exited: Promise<number | null>;
}

/** Starts a TypeScript program and waits for the line that says it is ready. Disposing it sends SIGTERM and waits. */
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
  const announced = await firstMatch(child, ready, exited);
  return {
    announced,
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
    exited.then((code) => reject(new Error(`the program ended with code ${code} before it was ready`)), reject);
  });
}

/** Resolves at the first SIGINT or SIGTERM. Further ones change nothing: what was made for a while is yet to be removed. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
  });
}
