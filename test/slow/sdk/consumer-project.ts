import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MISTAKEN_PROGRAM, WORKING_PROGRAM } from "./consumer-programs.ts";

const ROOT = join(import.meta.dirname, "../../..");
const run = promisify(execFile);

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** An empty project that has the packed SDK and nothing else. */
export interface ConsumerProject extends AsyncDisposable {
  /** Checks one file with this compiler, the library's own declarations included. */
  typeCheck(file: "working.ts" | "mistaken.ts", compiler: string): Promise<Outcome>;
  install(packages: readonly string[]): Promise<void>;
  runWorking(args: readonly string[]): Promise<unknown>;
  readonly directory: string;
}

export async function createConsumerProject(): Promise<ConsumerProject> {
  await run(process.execPath, [join(ROOT, "scripts/build-sdk.ts")], { cwd: ROOT });
  const directory = await mkdtemp(join(tmpdir(), "sdk-consumer-"));
  const { stdout } = await npm(directory, ["pack", join(ROOT, "dist/sdk"), "--silent"]);
  await writeFile(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(directory, "working.ts"), WORKING_PROGRAM);
  await writeFile(join(directory, "mistaken.ts"), MISTAKEN_PROGRAM);
  const install = async (packages: readonly string[]) => {
    await npm(directory, ["install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", ...packages]);
  };
  await install([join(directory, stdout.trim())]);
  return {
    directory,
    install,
    typeCheck: (file, compiler) =>
      outcomeOf(run(process.execPath, [compiler, ...STRICTEST, join(directory, file)], { cwd: directory })),
    async runWorking(args) {
      const finished = await run(process.execPath, [join(directory, "working.ts"), ...args], { cwd: directory });
      return JSON.parse(finished.stdout);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

const STRICTEST = [
  ..."--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --verbatimModuleSyntax".split(" "),
  ..."--skipLibCheck false --target es2022 --module nodenext --moduleDetection force --pretty false".split(" "),
];

/** Under `npm test` the environment would name this repository as the project to install into. */
function npm(cwd: string, args: readonly string[]) {
  const { npm_config_local_prefix: _, ...env } = process.env;
  return run("npm", args, { cwd, env });
}

async function outcomeOf(running: Promise<{ stdout: string }>): Promise<Outcome> {
  try {
    return { code: 0, output: (await running).stdout };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "number" && "stdout" in error))
      throw error;
    return { code: error.code, output: String(error.stdout) };
  }
}
