import { join } from "node:path";
import { type Program, ROOT, startProgram } from "../../harness/programs.ts";
import { ENCRYPTION_KEY, openTestStorage, type TestStorage } from "../../harness/storage.ts";

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
  return outcomeOf(startProgram({ file: "sh", args: ["-c", 'exec node scripts/admin.ts backup - > "$0"', file], env }));
}

/** Through one that nobody reads any more; `pipe` is made. */
export function backupToClosedPipe(env: Settings, pipe: string): Promise<Outcome> {
  const script = 'mkfifo "$0" && exec 3<>"$0" && exec node scripts/admin.ts backup - > "$0" 3<&-';
  return outcomeOf(startProgram({ file: "sh", args: ["-c", script, pipe], env }));
}

export function restoreFromPipe(env: Settings, file: string): Promise<Outcome> {
  return outcomeOf(
    startProgram({ file: "sh", args: ["-c", 'exec node scripts/admin.ts restore - < "$0"', file], env }),
  );
}

export function rotateKeys(env: Settings, ...args: readonly string[]): Promise<Outcome> {
  return run("rotate-keys", env, args);
}

/** The command as a process, not waited for. */
export function startCommand(name: string, env: Settings, args: readonly string[]) {
  return startProgram({ args: [join(ROOT, "scripts/admin.ts"), name, ...args], env });
}

/** A data directory with nothing in it, whatever database the stories run on. */
export async function openEmptyDirectory(): Promise<TestStorage> {
  const storage = await openTestStorage({ bare: true, server: null });
  return { ...storage, env: { ...storage.env, ENCRYPTION_KEY } };
}

function run(name: string, env: Settings, args: readonly string[]): Promise<Outcome> {
  return outcomeOf(startCommand(name, env, args));
}

async function outcomeOf(started: Program): Promise<Outcome> {
  await using program = started;
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}
