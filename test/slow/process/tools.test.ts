import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "vite";
import { afterAll, expect, test, vi } from "vitest";
import { ROOT, SERVER, startProgram, startProvider } from "../../harness/programs.ts";
import { type RestClient, restClient } from "../../harness/rest.ts";
import { TEST_LIMIT } from "../../harness/stage.ts";
import { outcomeOf } from "../operations/commands.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

/** Makes the server's import of argon2 fail as it does without a build for this platform. */
const WITHOUT_ARGON2 = `data:text/javascript,import { registerHooks } from "node:module";
  registerHooks({ load(url, context, next) {
    if (!url.endsWith("/argon2/argon2.cjs")) return next(url, context);
    return { format: "commonjs", shortCircuit: true, source: "throw new Error('No native build was found for platform=linux')" };
  } });`;
const OLDER_NODE = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.19.0" })`;
const scratch = mkdtempSync(join(tmpdir(), "host-console-tools-"));
afterAll(() => rmSync(scratch, { recursive: true }));

test("npm run demo fills a database of its own, whatever database the environment names, and Ctrl+C leaves nothing behind", async () => {
  const [database, password] = [join(scratch, "database_url"), join(scratch, "admin_password")];
  writeFileSync(database, "postgres://console@127.0.0.1:1/in-use");
  writeFileSync(password, "Another1Password");
  const settings = { DATABASE_URL_FILE: database, ADMIN_PASSWORD_FILE: password, PORT: "0", LOG_LEVEL: "info" };
  // A process group of its own, as a terminal makes it.
  await using npm = startProgram({
    file: "setsid",
    args: ["npm", "run", "demo"],
    env: { ...settings, TMPDIR: scratch },
  });
  const url = await npm.line(/演示已就绪：(http:\S+)/);
  const credentials = { username: "admin", password: await npm.line(/^ {2}超级管理员\tadmin\t(\S+)$/) };
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

async function expectDemoData(admin: RestClient): Promise<void> {
  const total = async (path: string): Promise<number> => (await admin.get(path)).data.pagination.total;
  expect([await total("/api/users?role=admin"), await total("/api/users?role=client")]).toEqual([5, 40]);
  const { users } = (await admin.get("/api/users?role=client&limit=100")).data;
  expect(users.filter(({ adminId }: { adminId: string | null }) => adminId === null)).toHaveLength(4);
  expect(Math.max(...users.map(({ hostCount }: { hostCount: number }) => hostCount))).toBe(84);

  expect([await total("/api/hosts"), await total("/api/hosts?assigned=true")]).toEqual([1201, 400]);
  const past = await total("/api/hosts?assignedExpired=true");
  const [week, month] = [await total("/api/hosts?assignedExpiring=7"), await total("/api/hosts?assignedExpiring=30")];
  expect(past).toBeGreaterThan(10);
  expect(week).toBeGreaterThan(20);
  expect(month - week).toBeGreaterThan(40);
  expect(400 - past - month).toBeGreaterThan(150);

  const { counts, requests } = (await admin.get("/api/renewals?status=pending&limit=100")).data;
  expect(counts).toEqual({ pending: 15, approved: 5, rejected: 7, completed: 16, cancelled: 4 });
  const daysAgo = ({ createdAt }: { createdAt: number }) => Math.round((Date.now() / 1000 - createdAt) / 86_400);
  expect(new Set(requests.map(daysAgo))).toEqual(new Set([0, 1, 4, 9]));

  const runs = (await admin.get("/api/hosts/sync-runs")).data.runs;
  const errors = runs.flatMap((run: { errors: { region: string; code: string }[] }) => run.errors);
  expect(errors).toMatchObject([{ region: "cn-sh", code: "unavailable" }]);
  expect(await total("/api/hosts?region=cn-sh")).toBe(1);
}

test("the development server serves the console's modules itself, also those of its folder api", async () => {
  const vite = await createServer({ configFile: join(ROOT, "vite.config.ts"), logLevel: "error", server: { port: 0 } });
  try {
    await vite.listen();
    const [url = ""] = vite.resolvedUrls?.local ?? [];
    for (const path of ["main.tsx", "api/trpc.ts", "api/trpc.ts?t=1"]) {
      const answer = await fetch(new URL(path, url));
      expect(answer.headers.get("content-type"), path).toBe("text/javascript");
    }
  } finally {
    await vite.close();
  }
});

test("the simulator is controlled over HTTP, refuses what it does not know, and exits with 0 on SIGTERM", async () => {
  await using provider = await startProvider(["--hosts", "50", "--regions", "cn-bj2,hk"]);
  await provider.control("removeHosts", { region: "hk" });
  expect(await provider.control("addHosts", { region: "hk", count: 4 })).toHaveLength(4);
  expect(await provider.control("hosts", { region: "hk" })).toHaveLength(4);
  const refused: readonly (readonly [path: string, request: RequestInit])[] = [
    ["addFaults", { method: "POST", body: '[{"fault":{"kind":"nonsense"}}]' }],
    ["nothing", { method: "POST", body: "[]" }],
    ["constructor", { method: "POST", body: "[]" }],
    ["calls", { method: "POST", body: "{" }],
    ["reset", { method: "GET" }],
  ];
  for (const [path, request] of refused) {
    const answer = await fetch(`${provider.url}/__control/${path}`, request);
    expect([answer.status, await answer.json()], path).toEqual([400, { message: expect.any(String) }]);
  }
  expect(await provider.kill("SIGTERM")).toEqual({ code: 0, signal: null });
});

test.each([
  { what: "without node_modules", files: ["scripts/check-node.mjs"], says: /^尚未安装依赖：请先运行 npm ci。$/ },
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
])("npm start $what says what to do", async ({ what, files: [script = "", ...more], before, says }) => {
  const copy = join(scratch, what);
  for (const file of [script, ...more]) cpSync(join(ROOT, file), join(copy, file));
  if (before !== undefined) mkdirSync(join(copy, "node_modules"));
  const args = [...(before === undefined ? [] : ["--import", before]), join(copy, script)];
  const { code, stdout, stderr } = await outcomeOf(startProgram({ args }));
  expect([code, ...stdout, ...stderr]).toEqual([1, expect.stringMatching(says)]);
});

test("without the native part of argon2 the server says to run npm ci", async () => {
  const env = { DATA_DIR: join(scratch, "data"), LOG_LEVEL: "warn" };
  const { code, stdout, stderr } = await outcomeOf(startProgram({ args: ["--import", WITHOUT_ARGON2, SERVER], env }));
  expect([code, ...stdout, ...stderr]).toEqual([1, expect.stringMatching(/^缺少 argon2 .*npm ci/)]);
});
