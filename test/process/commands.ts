import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Program, ROOT, startProgram } from "../harness/programs.ts";
import { ENCRYPTION_KEY, type Place } from "./place.ts";

type Settings = Readonly<Record<string, string>>;

/** How an operator's command ended, with what it said. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

export function backup(env: Settings, ...args: readonly string[]): Promise<Outcome> {
  return run("backup", env, args);
}

export function restore(env: Settings, ...args: readonly string[]): Promise<Outcome> {
  return run("restore", env, args);
}

/** Through a pipe: the shell opens the file. */
export function backupToPipe(env: Settings, file: string): Promise<Outcome> {
  return outcomeOf(startProgram({ file: "sh", args: ["-c", 'exec node scripts/backup.ts - > "$0"', file], env }));
}

export function restoreFromPipe(env: Settings, file: string): Promise<Outcome> {
  return outcomeOf(startProgram({ file: "sh", args: ["-c", 'exec node scripts/restore.ts - < "$0"', file], env }));
}

export function rotateKeys(env: Settings, ...args: readonly string[]): Promise<Outcome> {
  return run("rotate-keys", env, args);
}

/** The command as a process, not waited for. */
export function startCommand(name: string, env: Settings, args: readonly string[]) {
  return startProgram({ args: [join(ROOT, "scripts", `${name}.ts`), ...args], env });
}

/** A data directory with nothing in it, whatever database the stories run on. */
export async function openEmptyDirectory(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), "host-console-process-"));
  const dataDir = join(directory, "data");
  return {
    env: { DATA_DIR: dataDir, ENCRYPTION_KEY },
    directory,
    async query(sql, parameters = []) {
      const client = new pg.Client({
        host: dataDir,
        port: 5432,
        user: "postgres",
        password: "embedded",
        database: "postgres",
      });
      await client.connect();
      try {
        const { rows } = await client.query<Record<string, unknown>>(sql, [...parameters]);
        return rows;
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

function run(name: string, env: Settings, args: readonly string[]): Promise<Outcome> {
  return outcomeOf(startCommand(name, env, args));
}

async function outcomeOf(started: Program): Promise<Outcome> {
  await using program = started;
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}
