import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../../src/shared/configs.ts";
import { RenewalStatus } from "../../../src/shared/renewal-status.ts";
import type { SyncRun } from "../../../src/shared/sync.ts";
import { outcomeOf, ROOT, SERVER, startProgram } from "../../harness/programs.ts";
import { type RestClient, restClient } from "../../harness/rest.ts";
import { scratchDirectory } from "../../harness/scratch.ts";
import { within } from "../../harness/time-limits.ts";

/** Makes the server's import of argon2 fail as it does without a build for this platform. */
const WITHOUT_ARGON2 = `data:text/javascript,import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) {
    if (!url.endsWith("/argon2/argon2.cjs")) return next(url, context);
    return { format: "commonjs", shortCircuit: true, source: "throw new Error('No native build was found for platform=linux')" };
  } });`;
const OLDER_NODE = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.19.0" })`;
const scratch = scratchDirectory();

test("the console builds from what .dockerignore lets through", async () => {
  const context = join(scratch, "context");
  const included = readFileSync(join(ROOT, ".dockerignore"), "utf8").match(/(?<=^!).+/gm) ?? [];
  for (const name of included) cpSync(join(ROOT, name), join(context, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(context, "node_modules"));
  const args = ["build", "--config", join(context, "vite.config.ts")];

  const { code, stderr } = await outcomeOf(startProgram({ file: "vite", args }));

  expect(code, stderr.join("\n")).toBe(0);
  expect(existsSync(join(context, "dist/client/index.html"))).toBe(true);
});

test("npm run demo fills a database of its own, and Ctrl+C leaves nothing behind", {
  timeout: within(300_000),
}, async () => {
  const database = join(scratch, "database_url");
  const password = join(scratch, "admin_password");
  writeFileSync(database, "postgres://console@127.0.0.1:1/in-use");
  writeFileSync(password, "Another1Password");
  const secrets = { DATABASE_URL_FILE: database, ADMIN_PASSWORD_FILE: password };
  const env = { ...secrets, PORT: "0", LOG_LEVEL: "info", TMPDIR: scratch };
  // A process group of its own, as a terminal makes it.
  await using npm = startProgram({ file: "setsid", args: ["npm", "run", "demo"], env });
  const url = await npm.line(/演示已就绪：(http:\S+)/);
  const credentials = {
    username: "admin",
    password: await npm.line(/^ {2}超级管理员\tadmin\t(\S+)$/),
  };
  const signIn = await restClient(url).post("/api/auth/login", credentials);
  expect(signIn.status).toBe(200);
  await expectDemoData(restClient(url, signIn.data.token));

  // Twice, as an impatient user does.
  process.kill(-npm.pid, "SIGINT");
  process.kill(-npm.pid, "SIGINT");
  // All of its processes share the output.
  await npm.exited;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(readdirSync(scratch).filter((name) => name.startsWith("host-console-demo-"))).toEqual([]);
});

/**
 * Users of each role, requests in each state, hosts whose assignment has ended or soon ends, a run
 * that missed a region, and a schedule that is paused because the key is refused.
 */
async function expectDemoData(admin: RestClient): Promise<void> {
  const read = async (path: string) => (await admin.get(path)).data;
  const totalOf = async (path: string): Promise<number> => (await read(path)).pagination.total;
  const { counts } = await read("/api/renewals");
  const totals = {
    ...counts,
    admins: await totalOf("/api/users?role=admin"),
    clients: await totalOf("/api/users?role=client"),
    expired: await totalOf("/api/hosts?assignedExpired=true"),
    expiring: await totalOf("/api/hosts?assignedExpiring=7"),
    unassigned: await totalOf("/api/hosts?assigned=false"),
  };
  expect(Object.keys(counts).sort()).toEqual(RenewalStatus.options.toSorted());
  expect(Object.entries(totals).filter(([, total]) => total === 0)).toEqual([]);

  const pausedConfigs = async (): Promise<string[]> => {
    const configs: Config[] = await read("/api/hosts/configs/list");
    const paused = configs.filter(({ schedulePausedReason }) => schedulePausedReason !== null);
    return paused.map(({ name, nextSyncAt }) => `${name}: ${nextSyncAt}`);
  };
  // The schedule, which looks once a minute, tries the other key first.
  await expect.poll(pausedConfigs, { timeout: within(120_000) }).toEqual(["海外业务: null"]);

  const { runs } = await read("/api/hosts/sync-runs");
  const problems = (trigger: SyncRun["trigger"]) =>
    runs.flatMap((run: SyncRun) => (run.trigger === trigger ? run.errors : []));
  expect(problems("manual")).toMatchObject([{ region: "cn-sh", code: "unavailable" }]);
  expect(problems("schedule")).toMatchObject(Array(5).fill({ code: "unauthorized" }));
}

test.each([
  {
    what: "without node_modules",
    files: ["scripts/check-node.mjs"],
    says: /^尚未安装依赖：请先运行 npm ci。$/,
  },
  {
    what: "with a Node that is too old",
    files: ["scripts/check-node.mjs"],
    before: OLDER_NODE,
    says: /^需要 Node\.js 24 .*当前是 20\.19\.0/,
  },
  {
    what: "without a built console and without Vite",
    files: ["scripts/build-console.ts", "package.json"],
    says: /^控制台尚未构建.*npm ci && npm run build/,
  },
])(
  "npm start $what says what to do",
  async ({ what, files: [script = "", ...more], before, says }) => {
    const copy = join(scratch, what);
    for (const file of [script, ...more]) cpSync(join(ROOT, file), join(copy, file));
    if (before !== undefined) mkdirSync(join(copy, "node_modules"));
    const args = [...(before === undefined ? [] : ["--import", before]), join(copy, script)];

    const { code, stdout, stderr } = await outcomeOf(startProgram({ args }));

    expect([code, ...stdout, ...stderr]).toEqual([1, expect.stringMatching(says)]);
  },
);

test("without the native part of argon2 the server says to run npm ci", async () => {
  const env = { DATA_DIR: join(scratch, "data"), LOG_LEVEL: "warn" };

  const { code, stdout, stderr } = await outcomeOf(
    startProgram({ args: ["--import", WITHOUT_ARGON2, SERVER], env }),
  );

  expect([code, ...stdout, ...stderr]).toEqual([1, expect.stringMatching(/^缺少 argon2 .*npm ci/)]);
});
