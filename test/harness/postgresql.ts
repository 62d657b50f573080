import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./ports.ts";

export function isPostgreSqlInstalled(): boolean {
  return findBinaries() !== undefined;
}

/**
 * Starts a private PostgreSQL server in a temporary directory and answers its address; the stack
 * stops and removes it. Its commits reach the disk only if it is durable.
 */
export async function startPostgreSql(
  stack: AsyncDisposableStack,
  { isDurable = false } = {},
): Promise<string> {
  const bin = findBinaries();
  if (bin === undefined)
    throw new Error("no PostgreSQL server is installed (apt-get install postgresql)");
  const { path: directory } = stack.use(
    await mkdtempDisposable(join(tmpdir(), "host-console-pg-")),
  );
  const data = join(directory, "data");
  const user = userIdOf("postgres");
  await chmod(directory, 0o777);
  const initial = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"];
  execFileSync(join(bin, "initdb"), initial, { stdio: "ignore", ...user });
  const port = await freePort();
  const settings = [
    `fsync=${isDurable ? "on" : "off"}`,
    "max_connections=300",
    `unix_socket_directories=${directory}`,
    "listen_addresses=127.0.0.1",
  ];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const server = spawn(join(bin, "postgres"), args, { stdio: "ignore", ...user });
  // Ctrl+C reaches the server as well, so it may be over before it is asked to end.
  const exited = once(server, "exit");
  stack.defer(async () => {
    server.kill("SIGINT");
    await exited;
  });
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilReady(address);
  return address;
}

function findBinaries(): string | undefined {
  return globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
}

/** As whom root starts a program that refuses to run as root; nothing for another user. */
export function userIdOf(name: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};

  const idOf = (flag: "-u" | "-g") =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function untilReady(connectionString: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    }
  }
}
