import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./ports.ts";

const SETTINGS = ["max_connections=300", "listen_addresses=127.0.0.1"];
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;
const POLL_MS = 50;

/** One PostgreSQL server, as a node of a replicated pair. */
export interface PostgreSqlNode {
  readonly url: string;
  readonly port: number;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** As a loss of power does. */
  kill(): Promise<void>;
  /** Ends all connections, and sends everything to its standby. */
  stop(): Promise<void>;
  /** It keeps its connections and accepts new ones, and answers nothing. Linux only. */
  freeze(): void;
  /** Under its connections, which stay. What was being written is at its standby. */
  makeReadOnly(): Promise<void>;
  /** Resolves when its standby has everything that was written. */
  replicated(): Promise<void>;
  promote(): Promise<void>;
  /** Starts again, as a standby of the node that was promoted meanwhile. */
  rejoin(primary: Pick<PostgreSqlNode, "port">): Promise<void>;
  /** Commits wait from now on until the standby has them. */
  waitForStandby(): Promise<void>;
}

interface NodeOptions {
  /** Whether its commits reach the disk. */
  readonly isDurable?: boolean;
  /** Of which it becomes a standby. */
  readonly primary?: Pick<PostgreSqlNode, "port">;
}

export function isPostgreSqlInstalled(): boolean {
  return findBinaries() !== undefined;
}

/**
 * Starts a private PostgreSQL server in a temporary directory and answers its address; the stack
 * stops and removes it. Its commits reach the disk only if it is durable.
 */
export async function startPostgreSql(
  stack: AsyncDisposableStack,
  options: Pick<NodeOptions, "isDurable"> = {},
): Promise<string> {
  const { url } = await startNode(stack, options);
  return url;
}

/** A new primary, or a standby with the data of another one. */
export async function startNode(
  stack: AsyncDisposableStack,
  { isDurable = false, primary }: NodeOptions = {},
): Promise<PostgreSqlNode> {
  const bin = findBinaries();
  if (bin === undefined)
    throw new Error("no PostgreSQL server is installed (apt-get install postgresql)");
  const { path: directory } = stack.use(
    await mkdtempDisposable(join(tmpdir(), "host-console-pg-")),
  );
  await chmod(directory, 0o777);
  const data = join(directory, "data");
  const user = userIdOf("postgres");
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(bin, program), args, { stdio: "ignore", ...user });

  if (primary === undefined) {
    run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]);
  } else {
    const source = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "postgres"];
    run("pg_basebackup", [...source, "-D", data, "-R", "-c", "fast", "--no-sync"]);
  }

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [
    ...SETTINGS,
    `fsync=${isDurable ? "on" : "off"}`,
    `unix_socket_directories=${directory}`,
  ].flatMap((setting) => ["-c", setting]);
  const args = ["-D", data, "-p", String(port), ...settings];
  let server = spawnServer();
  let isFrozen = false;
  stack.defer(async () => {
    await Promise.race([isFrozen ? kill() : stop(), sleep(STOP_LIMIT_MS)]);
    await kill();
  });
  await untilReady(url);

  function spawnServer() {
    const child = spawn(join(bin ?? "", "postgres"), args, { stdio: "ignore", ...user });
    // Ctrl+C reaches the server as well, so it may be over before it is asked to end.
    return { child, pid: child.pid ?? 0, exited: once(child, "exit") };
  }

  /** Every process of the server, as if at once: its first process starts and ends the others. */
  function signalAll(signal: NodeJS.Signals): void {
    const { pid } = server;
    signalOne(pid, "SIGSTOP");
    for (const each of [...childrenOf(pid), pid]) signalOne(each, signal);
  }

  async function kill(): Promise<void> {
    const { child, exited } = server;
    if (child.exitCode === null && child.signalCode === null) signalAll("SIGKILL");
    await exited;
  }

  async function stop(): Promise<void> {
    server.child.kill("SIGINT");
    await server.exited;
  }

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** A transaction that began before the server became read-only may still write. */
  async function writesEnded(): Promise<void> {
    let readOnlyAt = "";
    await poll(async () => {
      const [row] = await query(
        `select clock_timestamp()::text as now,
           current_setting('default_transaction_read_only') as "isReadOnly"`,
      );
      readOnlyAt = String(row?.now);
      return row?.isReadOnly === "on";
    });
    await poll(async () => {
      const rows = await query(
        `select from pg_stat_activity
         where backend_type = 'client backend' and xact_start < '${readOnlyAt}'`,
      );
      return rows.length === 0;
    });
  }

  async function replicated(): Promise<void> {
    await poll(async () => {
      const rows = await query(
        "select from pg_stat_replication where flush_lsn >= pg_current_wal_flush_lsn()",
      );
      return rows.length > 0;
    });
  }

  return {
    url,
    port,
    query,
    kill,
    stop,
    freeze() {
      isFrozen = true;
      signalAll("SIGSTOP");
    },
    async makeReadOnly() {
      await query("alter system set default_transaction_read_only = on");
      await query("select pg_reload_conf()");
      await writesEnded();
      await replicated();
    },
    replicated,
    async rejoin({ port: ofPrimary }) {
      const source = `host=127.0.0.1 port=${ofPrimary} user=postgres`;
      writeFileSync(join(data, "standby.signal"), "");
      appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
      server = spawnServer();
      await untilReady(url);
    },
    async promote() {
      await query("select pg_promote()");
    },
    async waitForStandby() {
      await query("alter system set synchronous_standby_names = '*'");
      await query("select pg_reload_conf()");
      await poll(async () => {
        const rows = await query("select from pg_stat_replication where sync_state = 'sync'");
        return rows.length > 0;
      });
    },
  };
}

/** As whom root starts a program that refuses to run as root; nothing for another user. */
export function userIdOf(name: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};

  const idOf = (flag: "-u" | "-g") =>
    Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function findBinaries(): string | undefined {
  return globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
}

function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return list.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function untilReady(connectionString: string): Promise<void> {
  await poll(async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.end();
    return true;
  });
}

/** Throws what the last attempt threw. */
async function poll(isDone: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      if (await isDone()) return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    if (performance.now() > until) throw new Error(`waited ${START_LIMIT_MS} ms in vain`);
    await sleep(POLL_MS);
  }
}
