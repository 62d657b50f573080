import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { chmod, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./ports.ts";
import { userIdOf } from "./postgresql.ts";
import { startProgram } from "./programs.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
const IGNORED = "statement_timeout, lock_timeout, idle_in_transaction_session_timeout";

export interface PoolerOptions {
  readonly mode: "session" | "transaction";
  /** Connections to the database; the pooler's own default. */
  readonly poolSize?: number;
  /** Parameters of a start-up packet that it passes over. */
  readonly ignored?: string;
  /** How many named statements it carries to each connection; 0 is what versions before 1.21 do. */
  readonly maxPreparedStatements?: number;
}

/** Debian's package `pgbouncer`. */
export function isPgBouncerInstalled(): boolean {
  return existsSync(PROGRAM);
}

/** Whether a statement's name may follow its caller to another connection: since 1.21. */
export function knowsNamedStatements(): boolean {
  if (!isPgBouncerInstalled()) return false;

  const version = execFileSync(PROGRAM, ["--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = /^PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Starts a pooler before a database and answers the address through it. */
export async function startPgBouncer(
  stack: AsyncDisposableStack,
  target: string,
  { mode, poolSize = 20, ignored = IGNORED, maxPreparedStatements = 0 }: PoolerOptions,
): Promise<string> {
  const url = new URL(target);
  const { path: directory } = stack.use(
    await mkdtempDisposable(join(tmpdir(), "host-console-pooler-")),
  );
  await chmod(directory, 0o755);
  const port = await freePort();
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port} user=${url.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
; Successive clients get different connections.
server_round_robin = 1
pool_mode = ${mode}
default_pool_size = ${poolSize}
ignore_startup_parameters = ${ignored}
${knowsNamedStatements() ? `max_prepared_statements = ${maxPreparedStatements}` : ""}
`,
  );
  const pooler = stack.use(startProgram({ file: PROGRAM, args: [file], ...userIdOf("postgres") }));
  await pooler.line(/process up/);

  url.host = `127.0.0.1:${port}`;
  return url.href;
}
