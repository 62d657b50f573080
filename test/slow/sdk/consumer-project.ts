import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../../..");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const run = promisify(execFile);

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** An empty project that has the packed SDK and nothing else. */
export interface ConsumerProject extends AsyncDisposable {
  /** Checks the working program, the library's own declarations included; no output = no error. */
  typeCheck(): Promise<Outcome>;
  runWorking(args: readonly string[]): Promise<unknown>;
  readonly directory: string;
}

export async function createConsumerProject(): Promise<ConsumerProject> {
  await run(process.execPath, [join(ROOT, "scripts/build-sdk.ts")], { cwd: ROOT });
  const directory = await mkdtemp(join(tmpdir(), "sdk-consumer-"));
  const { stdout } = await npm(directory, ["pack", join(ROOT, "dist/sdk"), "--silent"]);
  await writeFile(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(directory, "working.ts"), WORKING_PROGRAM);
  const packed = join(directory, stdout.trim());
  await npm(directory, ["install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", packed]);
  return {
    directory,
    typeCheck: () => outcomeOf(run(process.execPath, [COMPILER, ...STRICTEST, "working.ts"], { cwd: directory })),
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

/** A program that uses the published package only. Prints its results as JSON. */
const WORKING_PROGRAM = `
import { type ConsoleError, type ErrorCode, type Host, type SyncRun, createConsoleClient, errorCode } from "host-console-sdk";

declare const process: { readonly argv: readonly string[] };
const [, , url = "", configId = "", userId = "", clientName = "", password = ""] = process.argv;

const operator = createConsoleClient({ url });
const { user } = await operator.login("root", password);

const progress: SyncRun["status"][] = [];
const finished = new Promise<SyncRun>((resolve, reject) => {
  operator.api.events.stream.subscribe(undefined, {
    onData({ id, data: event }) {
      switch (event.type) {
        case "stream.ready":
          if (id === "") reject(new Error("an event without an id"));
          void operator.api.hosts.sync.mutate({ configId, wait: 0 });
          break;
        case "sync.progress":
          progress.push(event.data.status);
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

const { pagination: everything } = await operator.api.hosts.list.query();
const { hosts, pagination } = await operator.api.hosts.list.query({ status: "Running", limit: 1 });
const host: Host | undefined = hosts[0];
if (host === undefined) throw new Error("there is no host");
const now = Math.floor(Date.now() / 1000);
const assignedExpireTime = now + 10 * 86_400;
const assigned = await operator.api.hosts.assign.mutate({ hostId: host.id, userId, assignedExpireTime });

const client = createConsoleClient({ url });
await client.login(clientName, password);
const renewal = await client.api.renewals.create.mutate({ hostId: host.id, requestedDuration: 30 });
const done = await operator.api.renewals.process.mutate({ id: renewal.id, status: "completed", adminRemark: null });

let refusal: ErrorCode | null = null;
try {
  await client.api.renewals.process.mutate({ id: renewal.id, status: "completed" });
} catch (error) {
  refusal = errorCode(error);
}
await Promise.all([operator.close(), client.close()]);

console.log(
  JSON.stringify({
    role: user.role,
    run: { status: run.status, seen: run.hostsSeen, total: run.hostsTotal },
    progress: progress.length,
    total: pagination.total,
    everything: everything.total,
    users: assigned.users.map(({ id }) => id),
    moved: done.assignedExpireTime - assignedExpireTime,
    refusal,
  }),
);
`;
