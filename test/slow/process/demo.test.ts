import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { startProgram } from "../../harness/programs.ts";
import { type RestClient, restClient } from "../../harness/rest.ts";
import { TEST_LIMIT } from "../../harness/stage.ts";

vi.setConfig({ testTimeout: TEST_LIMIT });

const READY = /演示已就绪：(http:\S+)/;
const scratch = mkdtempSync(join(tmpdir(), "host-console-demo-test-"));
afterAll(() => rmSync(scratch, { recursive: true }));

test("the demo shows a living business on a database of its own, whatever the machine's settings name, and leaves nothing behind", async () => {
  const [database, password] = [join(scratch, "database_url"), join(scratch, "admin_password")];
  writeFileSync(database, "postgres://console@127.0.0.1:1/in-use");
  writeFileSync(password, "Another1Password");
  const env = {
    PORT: "0",
    TMPDIR: scratch,
    DATABASE_URL_FILE: database,
    ADMIN_PASSWORD_FILE: password,
    LOG_LEVEL: "info",
  };
  await using demo = startProgram({ args: ["scripts/demo.ts"], env });
  const url = await demo.line(READY);
  const credentials = { username: "admin", password: await demo.line(/^ {2}超级管理员\tadmin\t(\S+)$/) };
  const signIn = await restClient(url).post("/api/auth/login", credentials);
  expect(signIn.status).toBe(200);
  await expectLivingBusiness(restClient(url, signIn.data.token));

  // Twice, as an impatient user does.
  process.kill(demo.pid, "SIGINT");
  expect(await demo.kill("SIGINT")).toEqual({ code: 0, signal: null });
  expect(readdirSync(scratch).filter((name) => name.startsWith("host-console-demo-"))).toEqual([]);
});

test("SIGTERM to npm run demo stops its server and its provider, and leaves nothing behind", async () => {
  const env = { PORT: "0", TMPDIR: scratch };
  await using npm = startProgram({ file: "npm", args: ["run", "demo"], env });
  const url = await npm.line(READY);
  process.kill(npm.pid, "SIGTERM");
  // All of its processes share the output.
  await npm.exited;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(readdirSync(scratch).filter((name) => name.startsWith("host-console-demo-"))).toEqual([]);
});

async function expectLivingBusiness(admin: RestClient): Promise<void> {
  const total = async (path: string): Promise<number> => (await admin.get(path)).data.pagination.total;
  expect([await total("/api/users?role=admin"), await total("/api/users?role=client")]).toEqual([5, 40]);
  const clients = [1, 2, 3].map((page) => admin.get(`/api/users?role=client&limit=20&page=${page}`));
  const users = (await Promise.all(clients)).flatMap(({ data }) => data.users);
  expect(users.filter(({ adminId }) => adminId === null)).toHaveLength(4);
  expect(Math.max(...users.map(({ hostCount }) => hostCount))).toBe(84);

  expect([await total("/api/hosts"), await total("/api/hosts?assigned=true")]).toEqual([1201, 400]);
  const past = await total("/api/hosts?assignedExpired=true");
  const [week, month] = [await total("/api/hosts?assignedExpiring=7"), await total("/api/hosts?assignedExpiring=30")];
  expect(past).toBeGreaterThan(10);
  expect(week).toBeGreaterThan(20);
  expect(month - week).toBeGreaterThan(40);
  expect(400 - past - month).toBeGreaterThan(150);

  const { counts, requests } = (await admin.get("/api/renewals?status=pending&limit=100")).data;
  expect(counts).toEqual({ pending: 15, approved: 5, rejected: 7, completed: 16, cancelled: 4 });
  const days = requests.map(({ createdAt }: { createdAt: number }) =>
    Math.round((Date.now() / 1000 - createdAt) / 86_400),
  );
  expect(new Set(days)).toEqual(new Set([0, 1, 4, 9]));

  const runs = (await admin.get("/api/hosts/sync-runs")).data.runs;
  const errors = runs.flatMap((run: { errors: { region: string; code: string }[] }) => run.errors);
  expect(errors).toMatchObject([{ region: "cn-sh", code: "unavailable" }]);
  expect(await total("/api/hosts?region=cn-sh")).toBe(1);
}
