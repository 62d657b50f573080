import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { COMPILED, SERVER_ARGS } from "../../scripts/server-program.ts";

export const ROOT = join(import.meta.dirname, "../..");
/** The Node that the product runs on, whatever runs the tests. */
export const NODE = join(ROOT, "node_modules/.bin/node");
/** All that a program may see of the surroundings: settings of the machine that tests must not change what they find. */
const INHERITED = ["HOME", "LANG", "TMPDIR"];
/** A program that a test left behind gets this long to stop by itself, in ms. */
const PATIENCE_MS = 12_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program running as a process of its own. Disposing it stops it: SIGTERM, then SIGKILL. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Lines of both streams, as they came. */
  readonly output: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Resolves when it has ended and all of its output is here. */
  readonly exited: Promise<Exit>;
  /** Resolves as `exited` does; a program that has ended already is left alone. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** What the expression's first group (or all of it) matched in the first such line; rejects when the program ends before. */
  line(pattern: RegExp): Promise<string>;
}

export interface Command {
  /** Node unless told. */
  readonly file?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ServerProgram extends Program {
  readonly url: string;
}

export interface ProviderProgram extends Program {
  readonly url: string;
  /** The simulator's control interface. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** The server, listening. `env` holds its settings; PORT is 0 unless given. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<ServerProgram> {
  return await listening(startServerProcess(env));
}

/** The server without waiting for anything. */
export function startServerProcess(env: Readonly<Record<string, string>>): Program {
  return startProgram({ args: SERVER_ARGS, env: { PORT: "0", ...env } });
}

/** Waits until a server's program says where it listens. */
export async function listening(program: Program): Promise<ServerProgram> {
  return { ...program, url: await announced(program, /：(http:\S+)$/) };
}

/** The provider's simulator, listening. */
export async function startProvider(args: readonly string[]): Promise<ProviderProgram> {
  const program = startProgram({ args: [join(ROOT, "src/simulator/main.ts"), "--port", "0", ...args] });
  const url = await announced(program, /listening on (http:\S+)/);
  return {
    ...program,
    url,
    async control(method, path, body) {
      const json = { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const answer = await fetch(`${url}/__control/${path}`, { method, ...(body === undefined ? {} : json) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return text === "" ? null : JSON.parse(text);
    },
  };
}

/** Starts a program with a bare environment. */
export function startProgram({ file = NODE, args, env = {} }: Command): Program {
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const child = spawn(file, args, {
    cwd: ROOT,
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
      // Hundreds of programs start in a run, and half of a start is compiling.
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = readLines(child);
  const exited = once(child, "close").then((): Exit => ({ code: child.exitCode, signal: child.signalCode }));
  // Nothing outlives the tests, however they end.
  const killLeftover = () => void child.kill("SIGKILL");
  process.once("exit", killLeftover);
  // A program that cannot be started says so to whoever waits for it.
  exited.finally(() => process.off("exit", killLeftover)).catch(() => undefined);

  async function kill(signal: NodeJS.Signals): Promise<Exit> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return await exited;
  }

  return {
    pid: child.pid ?? 0,
    output: lines.all,
    stdout: lines.stdout,
    stderr: lines.stderr,
    exited,
    kill,
    async line(pattern) {
      for (let read = 0; ; ) {
        for (; read < lines.all.length; read++) {
          const found = pattern.exec(lines.all[read] ?? "");
          if (found !== null) return found[1] ?? found[0];
        }
        if ((await Promise.race([lines.more(), exited])) === undefined || read < lines.all.length) continue;
        throw new Error(`ended before it said ${pattern}: ${JSON.stringify(await exited)}\n${lines.all.join("\n")}`);
      }
    },
    async [Symbol.asyncDispose]() {
      const late = new AbortController();
      const isLate = sleep(PATIENCE_MS, true, { signal: late.signal }).catch(() => false);
      if ((await Promise.race([kill("SIGTERM"), isLate])) === true) await kill("SIGKILL");
      late.abort();
    },
  };
}

/** A program that ends before it is ready, or never gets there, leaves nothing behind. */
async function announced(program: Program, ready: RegExp): Promise<string> {
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
