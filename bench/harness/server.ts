import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { SERVER } from "../../scripts/processes.ts";

export const METRICS_TOKEN = "token-of-the-bench";
/** The load comes from one address. */
const SETTINGS = { PORT: "0", LOG_LEVEL: "warn", MAX_CONNECTIONS_PER_ADDRESS: "2000", METRICS_TOKEN };

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** The server under measurement: always a process of its own, silent unless something is wrong. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [SERVER], {
    env: { ...process.env, ...SETTINGS, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /：(http:\S+)$/.exec(line)?.[1];
      if (found === undefined) console.error(line);
      else resolve(found);
    });
    exited.then(([code]) => reject(new Error(`the server ended with code ${code} before it was ready`)), reject);
  });
  if (child.pid === undefined) throw new Error("the server has no process");
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
