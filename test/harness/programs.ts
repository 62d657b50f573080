import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { SimulatorControl } from "../../src/simulator/control.ts";

export const ROOT = join(import.meta.dirname, "../..");
export const SERVER = join(ROOT, "src/server/main.ts");
/** The only environment variables that programs inherit. */
const INHERITED = ["HOME", "LANG", "TMPDIR"];
/** What the start of a program compiles is kept for the next one: a third of its processor time. */
const COMPILED = join(ROOT, "node_modules/.cache/host-console/compiled");
/** Time from SIGTERM to SIGKILL, in ms. */
const STOP_TIMEOUT_MS = 12_000;

/** A child process; disposing it sends SIGTERM, then SIGKILL. */
export type Program = ReturnType<typeof startProgram>;
export type ServerProgram = Program & { readonly url: string };
export type ProviderProgram = Awaited<ReturnType<typeof startProvider>>;

interface Command {
  /** Defaults to Node. */
  readonly file?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Another user, for programs that refuse to run as root. */
  readonly uid?: number;
  readonly gid?: number;
}

/** The server, listening. `env` holds its settings; PORT is 0 unless given. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<ServerProgram> {
  return await listening(startServerProcess(env));
}

/** Starts the server without waiting for it. */
export function startServerProcess(env: Readonly<Record<string, string>>): Program {
  return startProgram({ args: [SERVER], env: { PORT: "0", ...env } });
}

/** Waits until the server prints its URL. */
export async function listening(program: Program): Promise<ServerProgram> {
  return { ...program, url: await waitForUrl(program, /：(http:\S+)$/) };
}

/** The provider's simulator, listening. */
export async function startProvider(args: readonly string[]) {
  const program = startProgram({
    args: [join(ROOT, "src/simulator/main.ts"), "--port", "0", ...args],
  });
  const url = await waitForUrl(program, /listening on (http:\S+)/);
  return {
    ...program,
    url,
    /** Calls a method of the simulator's control. */
    async control<Name extends keyof SimulatorControl>(
      method: Name,
      ...args: Parameters<SimulatorControl[Name]>
    ): Promise<unknown> {
      const answer = await fetch(`${url}/__control/${method}`, {
        method: "POST",
        body: JSON.stringify(args),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} answered ${answer.status}: ${text}`);
      return JSON.parse(text);
    },
  };
}

/** Starts a program with a bare environment. */
export function startProgram({ file = process.execPath, args, env = {}, ...user }: Command) {
  const inherited = INHERITED.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  const child = spawn(file, args, {
    cwd: ROOT,
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  const lines = readLines(child);
  const exited = once(child, "close").then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
  }));
  // No program outlives the tests.
  const killLeftover = () => void child.kill("SIGKILL");
  process.once("exit", killLeftover);
  // Callers of `exited` get the error.
  exited.finally(() => process.off("exit", killLeftover)).catch(() => undefined);

  /** Sends the signal to a running program and resolves like `exited`. */
  async function kill(signal: NodeJS.Signals) {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return await exited;
  }

  return {
    pid: child.pid ?? 0,
    /** Lines of both streams in order of arrival. */
    output: lines.all,
    stdout: lines.stdout,
    stderr: lines.stderr,
    /** Resolves when the program has ended and its output is complete. */
    exited,
    kill,
    /**
     * The first group, or the whole match, of the first matching line; rejects when the program
     * ends before.
     */
    async line(pattern: RegExp): Promise<string> {
      for (
        let hasEnded = false;
        ;
        hasEnded = (await Promise.race([lines.more(), exited])) !== undefined
      ) {
        const found = lines.all.map((line) => pattern.exec(line)).find((match) => match !== null);
        if (found !== undefined) return found[1] ?? found[0];
        if (!hasEnded) continue;
        throw new Error(
          `ended before it printed ${pattern}: ${JSON.stringify(await exited)}\n${lines.all.join("\n")}`,
        );
      }
    },
    async [Symbol.asyncDispose]() {
      const late = new AbortController();
      const isLate = sleep(STOP_TIMEOUT_MS, true, { signal: late.signal }).catch(() => false);
      if ((await Promise.race([kill("SIGTERM"), isLate])) === true) await kill("SIGKILL");
      late.abort();
    },
  };
}

/** Waits for the end of the program; returns its exit code and output. */
export async function outcomeOf(started: Program) {
  await using program = started;
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** Waits for the URL; stops a program that never prints it. */
async function waitForUrl(program: Program, ready: RegExp): Promise<string> {
  try {
    return await program.line(ready);
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

function readLines(child: ChildProcess) {
  const all: string[] = [];
  let came = Promise.withResolvers<void>();
  function read(stream: ChildProcess["stdout"]): string[] {
    const own: string[] = [];
    if (stream === null) return own;
    createInterface({ input: stream }).on("line", (line) => {
      own.push(line);
      all.push(line);
      came.resolve();
      came = Promise.withResolvers();
    });
    return own;
  }
  return { all, stdout: read(child.stdout), stderr: read(child.stderr), more: () => came.promise };
}
