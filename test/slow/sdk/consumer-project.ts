import { execFile, execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../harness/programs.ts";

const STRICTEST = [
  ..."--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --verbatimModuleSyntax".split(
    " ",
  ),
  ..."--skipLibCheck false --target es2022 --module nodenext --moduleDetection force --pretty false".split(
    " ",
  ),
];

export type ConsumerProject = Awaited<ReturnType<typeof createConsumerProject>>;

/** An empty project that has the packed SDK and nothing else. */
export async function createConsumerProject() {
  await using resources = new AsyncDisposableStack();
  execFileSync(process.execPath, [join(ROOT, "scripts/build-sdk.ts")]);
  const { path: directory } = resources.use(
    await mkdtempDisposable(join(tmpdir(), "sdk-consumer-")),
  );
  await writeFile(
    join(directory, "package.json"),
    JSON.stringify({ private: true, type: "module" }),
  );
  const program = join(directory, "working.ts");
  await writeFile(program, WORKING_PROGRAM);
  const packed = npm(directory, "pack", join(ROOT, "dist/sdk"), "--silent").trim();
  npm(
    directory,
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--silent",
    join(directory, packed),
  );
  const created = resources.move();
  return {
    directory,
    /** Checks the working program, the library's own declarations included. */
    typeCheck: () => compile(directory, [...STRICTEST, "working.ts"]),
    /** Runs the example of the documentation as a reader does, in the project. */
    async runExample(env: Readonly<Record<string, string>>): Promise<void> {
      const copy = join(directory, "ends-this-month.mjs");
      await copyFile(join(ROOT, "docs/examples/ends-this-month.mjs"), copy);
      await promisify(execFile)(process.execPath, [copy], { env: { ...process.env, ...env } });
    },
    async runWorking(args: readonly string[]): Promise<unknown> {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
      return JSON.parse(stdout);
    },
    [Symbol.asyncDispose]: () => created.disposeAsync(),
  };
}

export function compile(cwd: string, args: readonly string[]) {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout };
}

/** Under `npm test` the environment would name this repository as the project to install into. */
function npm(cwd: string, ...args: readonly string[]): string {
  const { npm_config_local_prefix: _, ...env } = process.env;
  return execFileSync("npm", args, { cwd, env, encoding: "utf8" });
}

/** A program that uses the published package only. Prints its results as JSON. */
const WORKING_PROGRAM = `
import { type ConsoleError, type ErrorCode, type Host, type SyncRun, createConsoleClient, errorCode } from "host-console-sdk";

declare const process: { readonly argv: readonly string[] };
const [, , url = "", configId = "", password = ""] = process.argv;

const operator = createConsoleClient({ url });
const answer = await operator.login("root", password);
if ("secondFactor" in answer) throw new Error("an account with a second factor");
const { user } = answer;

const finished = new Promise<SyncRun>((resolve, reject) => {
  operator.api.events.stream.subscribe(undefined, {
    onData({ id, data: event }) {
      switch (event.type) {
        case "stream.ready":
          if (id === "") reject(new Error("an event without an id"));
          void operator.api.hosts.sync.mutate({ configId, wait: 0 });
          break;
        case "sync.finished":
          resolve(event.data);
          break;
      }
    },
    onError: (error: ConsoleError) => reject(error),
  });
});
const run = await finished;

const { hosts, pagination } = await operator.api.hosts.list.query({ limit: 1 });
const [host]: Host[] = hosts;
let refusal: ErrorCode | null = null;
try {
  await operator.api.renewals.create.mutate({ hostId: host?.id ?? "", requestedDuration: 30 });
} catch (error) {
  refusal = errorCode(error);
}
await operator.close();

console.log(JSON.stringify({ role: user.role, status: run.status, total: pagination.total, refusal }));
`;
